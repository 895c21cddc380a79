import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking

/// A delegate that answers what is to be kept, and writes everything down.
final class KeepingDelegate: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
    // The messages come one at a time; a test reads when `ended` is open.
    typealias Answer = @Sendable (CachedURLResponse) -> CachedURLResponse?

    /// What was heard, a line for each message.
    private(set) var lines: [String] = []
    private(set) var proposed: CachedURLResponse?
    let ended = Gate()
    private let answer: Answer

    init(_ answer: @escaping Answer = { $0 }) {
        self.answer = answer
    }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
        lines.append("response \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
        if !(lines.last?.hasPrefix("data") ?? false) { lines.append("data") }
    }

    func connection(
        _ connection: NSURLConnection,
        willCacheResponse cachedResponse: CachedURLResponse
    ) -> CachedURLResponse? {
        lines.append("willCache \(cachedResponse.data.count)")
        proposed = cachedResponse
        return answer(cachedResponse)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
        lines.append("finished")
        ended.open()
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
        lines.append("failed \((error as? URLError)?.code.rawValue ?? 0)")
        ended.open()
    }
}
