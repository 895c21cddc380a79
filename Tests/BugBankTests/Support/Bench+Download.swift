import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking

extension Bench {
    /// Makes a download of `/f` to a name in a folder, which is not started.
    ///
    /// It tries so often, without a delay in between.
    func download(
        _ server: ScriptedServer,
        to folder: SaveFolder,
        as name: String = "f",
        tries: Int = 1,
        replaces: Bool = false,
        _ delegate: RecordingDownloadDelegate
    ) -> FileDownload {
        var options = DownloadOptions()
        options.retryPolicy = RetryPolicy(maximumTries: tries, firstDelay: .zero)
        options.replacesExisting = replaces
        let download = FileDownload(
            request: server.request("/f"),
            to: folder.url.appending(path: name, directoryHint: .notDirectory),
            options: options,
            delegate: delegate,
            loop: loop
        )
        download.setDelivery(.operationQueue(queue))
        return download
    }

    /// Downloads `/f` to its end and returns what was told.
    @discardableResult
    func download(
        _ server: ScriptedServer,
        to folder: SaveFolder,
        tries: Int = 1,
        replaces: Bool = false
    ) async throws -> [RecordingDownloadDelegate.Message] {
        let delegate = RecordingDownloadDelegate()
        download(server, to: folder, tries: tries, replaces: replaces, delegate).start()
        return try await delegate.ended()
    }
}

extension SaveFolder {
    /// The names of what lies in the folder, in order.
    var names: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: url.path(percentEncoded: false))
                .sorted()
        }
    }

    /// What a file in the folder says.
    func text(_ name: String) throws -> String {
        try String(contentsOf: url.appending(path: name), encoding: .utf8)
    }
}
