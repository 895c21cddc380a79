import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking

/// A delegate that answers what is to be sent, and writes everything down.
final class AnsweringDelegate: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
    // The messages come one at a time; a test reads when `ended` is open.
    typealias Answer = @Sendable (URLRequest, HTTPURLResponse?, NSURLConnection) -> URLRequest?

    /// What was heard, a line for each message.
    private(set) var lines: [String] = []
    private(set) var asked: [URLRequest] = []
    private(set) var body = Data()
    private(set) var error: (any Error)?
    let ended = Gate()
    private let answer: Answer

    init(_ answer: @escaping Answer = { request, _, _ in request }) {
        self.answer = answer
    }

    func connection(
        _ connection: NSURLConnection,
        willSend request: URLRequest,
        redirectResponse response: URLResponse?
    ) -> URLRequest? {
        let response = response as? HTTPURLResponse
        let status = response.map { " after \($0.statusCode)" } ?? ""
        lines.append("willSend \(request.httpMethod ?? "-") \(request.url?.path ?? "-")\(status)")
        asked.append(request)
        return answer(request, response, connection)
    }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
        lines.append("response \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
        if !(lines.last?.hasPrefix("data") ?? false) { lines.append("data") }
        body.append(data)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
        lines.append("finished")
        ended.open()
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
        lines.append("failed \((error as? URLError)?.code.rawValue ?? 0)")
        self.error = error
        ended.open()
    }
}
