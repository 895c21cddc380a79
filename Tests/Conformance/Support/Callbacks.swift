import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking

/// A delegate that writes down which of its methods were called, in order.
///
/// Calls of one method that follow one another count once where their number means nothing. The first
/// question, which a URLSession does not ask, is answered and not written down.
final class Callbacks: NSObject, NSURLConnectionDataDelegate, Sendable {
    /// One call of a method.
    enum Callback: Equatable {
        case challenge
        case sent
        case newStream
        case redirect(Int)
        case response(Int)
        case data
        case complete
        case failed(URLError.Code)
    }

    /// What to send at a redirect, given the response and the request that is proposed.
    typealias Answer = @Sendable (HTTPURLResponse, URLRequest) -> URLRequest?

    /// What to send a body from once more.
    typealias StreamMaker = @Sendable () -> InputStream?

    private struct Record: Sendable {
        var callbacks: [Callback] = []
        var proposals: [URLRequest] = []
        var response: HTTPURLResponse?
        var body = Data()
        var sentBytes = 0
        var error: URLError?
    }

    private let record = Guarded(Record())
    private let answer: Answer
    private let credential: URLCredential?
    private let newStream: StreamMaker
    private let ending = Gate()

    /// Makes a delegate that has heard nothing.
    init(
        _ answer: @escaping Answer = { $1 },
        credential: URLCredential? = nil,
        newStream: @escaping StreamMaker = { nil }
    ) {
        self.credential = credential
        self.newStream = newStream
        self.answer = answer
    }

    /// What was called.
    var all: [Callback] { record.withLock(\.callbacks) }

    /// What was called, but for what was told of a body on its way out.
    var answers: [Callback] { all.filter { $0 != .sent } }

    /// How many bytes of the body have gone out, as was told last.
    var sentBytes: Int { record.withLock(\.sentBytes) }

    /// The requests that redirects led to.
    var proposals: [URLRequest] { record.withLock(\.proposals) }

    /// The last response.
    var response: HTTPURLResponse? { record.withLock(\.response) }

    /// All bytes.
    var body: Data { record.withLock(\.body) }

    /// The bytes as text.
    var text: String { String(decoding: body, as: UTF8.self) }

    /// What the load failed with.
    var error: URLError? { record.withLock(\.error) }

    /// Suspends the calling task until the last call.
    func ended() async throws {
        try await ending.opened()
    }

    private func hear(_ callback: Callback, _ change: (inout Record) -> Void = { _ in }) {
        record.withLock { record in
            let isCounted = callback != .data && callback != .sent
            let isRepeated = !isCounted && record.callbacks.last == callback
            if !isRepeated { record.callbacks.append(callback) }
            change(&record)
        }
    }

    // MARK: - NSURLConnectionDataDelegate

    func connection(
        _ connection: NSURLConnection,
        willSend request: URLRequest,
        redirectResponse response: URLResponse?
    ) -> URLRequest? {
        guard let response = response as? HTTPURLResponse else { return request }
        hear(.redirect(response.statusCode)) { $0.proposals.append(request) }
        return answer(response, request)
    }

    func connection(
        _ connection: NSURLConnection,
        willSendRequestFor challenge: URLAuthenticationChallenge
    ) {
        hear(.challenge)
        if let credential {
            challenge.sender?.use(credential, for: challenge)
        } else {
            challenge.sender?.performDefaultHandling(for: challenge)
        }
    }

    func connection(
        _ connection: NSURLConnection,
        didSendBodyData bytesWritten: Int,
        totalBytesWritten: Int,
        totalBytesExpectedToWrite: Int
    ) {
        hear(.sent) { $0.sentBytes = totalBytesWritten }
    }

    func connection(
        _ connection: NSURLConnection,
        needNewBodyStream request: URLRequest
    ) -> InputStream? {
        hear(.newStream)
        return newStream()
    }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
        let response = response as? HTTPURLResponse
        hear(.response(response?.statusCode ?? 0)) { $0.response = response }
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
        hear(.data) { $0.body.append(data) }
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
        hear(.complete)
        ending.open()
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
        let error = error as? URLError
        hear(.failed(error?.code ?? .unknown)) { $0.error = error }
        ending.open()
    }
}
