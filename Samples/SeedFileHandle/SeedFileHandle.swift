// The third seed: a FileHandle, a pause, and a Range header that goes on where the file ends.
//
// Watch for: the second click asks for "bytes=N-" and gets a 206, and the file is whole in the end.
// Without an argument both clicks happen in one run. With --stop-after N the run ends after the pause,
// and the next run goes on from the file that lies there.

import Foundation
import FoundationNetworking
import RunLoopNetworking
import SampleSupport

@main
enum SeedFileHandle {
    static func main() {
        let arguments = SampleArguments(
            usage: "SeedFileHandle [--size BYTES] [--stop-after BYTES] [--folder DIR] [URL]",
            options: ["--size", "--stop-after", "--folder"]
        )
        let size = arguments.number("--size") ?? 50_000_000
        let download = SampleDownload(arguments, size: size, name: "123.mp4")
        let downloader = Downloader(folder: download.folder)

        if downloader.currentSize == 0 || arguments.has("--stop-after") {
            downloader.pausesAfter = arguments.number("--stop-after") ?? size / 2
            downloader.click(download.url)
            print("paused at \(downloader.currentSize)")
            if arguments.has("--stop-after") { return }
        }
        downloader.pausesAfter = nil
        downloader.click(download.url)
        if downloader.hasFailed { Terminal.fail("The download did not end well.") }
        print("finished with \(downloader.currentSize) bytes")
        print(download.check(downloader.fullPath))
        print("peak resident \(PeakMemory.text)")
    }
}
