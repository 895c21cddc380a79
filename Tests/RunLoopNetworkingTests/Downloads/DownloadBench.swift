import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit

@testable import RunLoopNetworking

/// A folder, a loop and a queue for the downloads of one test.
final class DownloadBench: Sendable {
    let folder: TemporaryFolder
    let loop = EventLoop(name: "downloads")
    let queue = DispatchQueue(label: "downloads")

    init() throws {
        folder = try TemporaryFolder()
        loop.start()
    }

    deinit {
        loop.shutDown()
    }

    /// Options that try once, and again without a delay.
    static func options(
        tries: Int = 1,
        _ change: (inout DownloadOptions) -> Void = { _ in }
    ) -> DownloadOptions {
        var options = DownloadOptions()
        options.retryPolicy = RetryPolicy(maximumTries: tries, firstDelay: .zero)
        change(&options)
        return options
    }

    /// Makes a download of `/f` to a name in the folder, which is not started.
    func download(
        _ server: ScriptedServer,
        request: URLRequest? = nil,
        to name: String = "f",
        options: DownloadOptions = options(),
        _ recorder: RecordingDownloadDelegate
    ) -> FileDownload {
        let path = name.hasPrefix("/") ? name : folder.path(name)
        let download = FileDownload(
            request: request ?? server.request("/f"),
            to: URL(fileURLWithPath: path, isDirectory: name.hasSuffix("/")),
            options: options,
            delegate: recorder,
            loop: loop
        )
        download.setDelivery(.dispatchQueue(queue))
        return download
    }

    /// Downloads `/f` to its end, and returns what was heard.
    func run(
        _ server: ScriptedServer,
        request: URLRequest? = nil,
        to name: String = "f",
        options: DownloadOptions = options(),
        _ recorder: RecordingDownloadDelegate = RecordingDownloadDelegate()
    ) async throws -> [RecordingDownloadDelegate.Message] {
        download(server, request: request, to: name, options: options, recorder).start()
        return try await recorder.ended()
    }
}
