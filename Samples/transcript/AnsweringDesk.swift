import Foundation
import FoundationNetworking
import RunLoopNetworking
import TranscriptFormat

/// Answers the requests on standard input, one after another, a line for each.
struct AnsweringDesk {
    /// In seconds; nil means what a request has by itself.
    let timeout: Double?

    private let queue = OperationQueue()
    private let writer = LineWriter()

    init(timeout: Double?) {
        self.timeout = timeout
    }

    /// Answers until the input ends.
    func answerAll() {
        while let line = readLine() { writer.write(answer(to: line)) }
    }

    private func answer(to line: String) -> JSONValue {
        do throws(UsageError) {
            let question = try Question.read(line)
            var request = try question.request()
            if let timeout { request.timeoutInterval = timeout }
            return load(request, AnswerListener(refusesRedirects: question.refusesRedirects))
        } catch {
            return ["error": .text(error.sentence)]
        }
    }

    private func load(_ request: URLRequest, _ listener: AnswerListener) -> JSONValue {
        let connection = NSURLConnection(
            request: request,
            delegate: listener,
            startImmediately: false
        )
        guard let connection else { return ["error": "there is no connection for this request"] }
        connection.setDelegateQueue(queue)
        connection.start()
        return listener.wait()
    }
}
