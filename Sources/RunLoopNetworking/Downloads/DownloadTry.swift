internal import Foundation
internal import FoundationNetworking

/// The delegate of one request of a download; it hears on the download's queue.
final class DownloadTry: NSObject, NSURLConnectionDataDelegate, Sendable {
    private let run: DownloadRun

    init(_ run: DownloadRun) {
        self.run = run
    }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
        if run.current === self { run.receive(response) }
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
        if run.current === self { run.receive(data) }
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
        if run.current === self { run.bodyDidEnd() }
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
        if run.current === self { run.connectionDidFail(error) }
    }
}
