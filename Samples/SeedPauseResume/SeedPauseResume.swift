// The fourth seed: a buffer of 500 kB, a pause button, and the position in UserDefaults.
//
// Watch for: the first run pauses half-way and leaves a position behind, the second run goes on from
// it. Run it twice. --pause-after N pauses elsewhere, --forget begins from the start.

import Foundation
import FoundationNetworking
import RunLoopNetworking
import SampleSupport

@main
enum SeedPauseResume {
    static func main() {
        let arguments = SampleArguments(
            usage: "SeedPauseResume [--size BYTES] [--pause-after BYTES] [--forget] [--folder DIR] "
                + "[URL]",
            flags: ["--forget"],
            options: ["--size", "--pause-after", "--folder"]
        )
        let size = arguments.number("--size") ?? 15_000_000
        let download = SampleDownload(arguments, size: size, name: "iStatMenus511b17.dmg")
        let controller = ViewController(folder: download.folder)
        if arguments.has("--forget") { controller.forget() }
        controller.viewDidLoad()

        let pause =
            arguments.number("--pause-after") ?? (controller.receiveTotal == 0 ? size / 2 : nil)
        controller.pausesAfter = pause.map(Double.init)
        controller.downloadAction(download.url)
        while controller.isDownloading, RunLoop.current.run(mode: .default, before: .distantFuture)
        {}

        if controller.hasFailed { Terminal.fail("The download did not end well.") }
        guard controller.isComplete else {
            return print("paused at \(Int64(controller.receiveTotal)); run it again to go on")
        }
        print("download complete")
        print(download.check(controller.filePath))
        print("peak resident \(PeakMemory.text)")
        controller.forget()
    }
}
