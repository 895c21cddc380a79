import Foundation
import FoundationNetworking
import RunLoopNetworking
import TranscriptFormat

/// The delegate that makes one answer of a whole load.
final class AnswerListener: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
    // The messages come one at a time, and who waits looks after the last of them.
    private let isOver = DispatchSemaphore(value: 0)
    private let refusesRedirects: Bool
    private var response: URLResponse?
    private var body = Data()
    private var failure: (any Error)?

    init(refusesRedirects: Bool) {
        self.refusesRedirects = refusesRedirects
    }

    /// Blocks the calling thread until the load is over.
    func wait() -> JSONValue {
        isOver.wait()
        if let failure { return ["error": .text(MessageFields.sentence(for: failure))] }
        guard let response else { return ["error": "there was no response"] }
        let headers = MessageFields.headers(of: response)
        return [
            "status": .count((response as? HTTPURLResponse)?.statusCode ?? 0),
            "headers": .list(headers.map { [.text($0.name), .text($0.value)] }),
            "body": .text(String(decoding: body, as: UTF8.self)),
        ]
    }

    func connection(
        _ connection: NSURLConnection,
        willSend request: URLRequest,
        redirectResponse response: URLResponse?
    ) -> URLRequest? {
        response != nil && refusesRedirects ? nil : request
    }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
        self.response = response
        body = Data()
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
        body.append(data)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
        isOver.signal()
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
        failure = error
        isOver.signal()
    }
}
