// The first seed: a 700 MB file through an OutputStream, delegate on a queue of its own, and a
// run loop that is started and stopped by hand.
//
// Watch for: the thread of each message, the line "did I get here?" that is reached only after
// CFRunLoopStop, and the peak memory of each way. What the seed leaves commented out is chosen here:
//   --poll          wait with a flag, in slices of 0.1 s, instead of CFRunLoopRun
//   --collect       keep the whole file in memory and write it at the end: the peak to be avoided
//   --file-handle   open, append and close a FileHandle for each piece
//   --asynchronous  sendAsynchronousRequest: the whole file in memory once more

import CoreFoundation
import Foundation
import FoundationNetworking
import RunLoopNetworking
import SampleSupport

@main
enum SeedOutputStream {
    static func main() {
        let arguments = SampleArguments(
            usage: "SeedOutputStream [--poll] [--collect | --file-handle | --asynchronous] "
                + "[--size BYTES] [--folder DIR] [URL]",
            flags: ["--poll", "--collect", "--file-handle", "--asynchronous"],
            options: ["--size", "--folder"]
        )
        let controller = ViewController(arguments)
        controller.touchesBegan()
        // What an app's main thread does: run its loop, so that the progress bar can move.
        CFRunLoopRun()
        print(
            controller.hasFailed ? "failed" : controller.download.check(controller.targetFilePath)
        )
        print("peak resident \(PeakMemory.text)")
        if controller.hasFailed { Terminal.fail("The download did not end well.") }
    }
}
