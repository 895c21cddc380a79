import Foundation
import FoundationNetworking
import Testing

@testable import RunLoopNetworking

@Suite("Going on with a download")
struct ResumptionTests {
    private let loss = Failure(.networkConnectionLost, "lost")

    private func begun(_ fields: [String] = ["ETag: \"v1\""]) throws -> Resumption {
        let url = try #require(URL(string: "http://127.0.0.1/f"))
        let head = try HeaderBlock(fieldLines: ["Content-Length: 10"] + fields)
        var resumption = Resumption()
        resumption.begins(with: head, to: URLRequest(url: url), expected: 10)
        return resumption
    }

    @Test("Before a response there is nothing to go on with")
    func noResponse() {
        var resumption = Resumption()
        #expect(resumption.lost(loss, at: 0) == .fail(loss))
    }

    @Test("A loss is gone on from where the file ends, under the condition that it is the same")
    func goesOn() throws {
        var resumption = try begun()
        #expect(resumption.lost(loss, at: 5) == .ask(after: .zero))
        let fields = resumption.rules?.requestFields
        #expect(fields?["Range"] == "bytes=5-")
        #expect(fields?["If-Range"] == "\"v1\"")
    }

    @Test("Three tries in a row without a new byte are enough, and a new byte is worth three more")
    func limit() throws {
        var resumption = try begun()
        #expect(resumption.lost(loss, at: 5) == .ask(after: .zero))
        #expect(resumption.lost(loss, at: 5) == .ask(after: .milliseconds(250)))
        #expect(resumption.lost(loss, at: 5) == .ask(after: .milliseconds(500)))
        #expect(resumption.lost(loss, at: 6) == .ask(after: .zero))
        #expect(resumption.lost(loss, at: 6) == .ask(after: .milliseconds(250)))
        #expect(resumption.lost(loss, at: 6) == .ask(after: .milliseconds(500)))
        #expect(resumption.lost(loss, at: 6) == .ask(after: .milliseconds(750)))
        #expect(resumption.lost(loss, at: 6) == .fail(loss))
    }

    @Test("What is no loss ends it, unless the server is asked again")
    func otherFailures() throws {
        let refused = Failure(.cannotConnectToHost, "refused")
        let timeOut = Failure(.timedOut, "silent")
        var resumption = try begun()
        #expect(resumption.lost(refused, at: 5) == .fail(refused))
        #expect(resumption.lost(loss, at: 5) == .ask(after: .zero))
        #expect(resumption.lost(refused, at: 5) == .ask(after: .milliseconds(250)))
        #expect(resumption.lost(timeOut, at: 5) == .fail(refused))
    }

    @Test("Starting over counts as a try")
    func startsOver() throws {
        var resumption = try begun()
        _ = resumption.lost(loss, at: 5)
        for _ in 1...3 { #expect(resumption.startsOver() == .ask(after: .zero)) }
        #expect(resumption.startsOver() == .fail(loss))
    }
}
