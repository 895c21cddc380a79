import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Network connections that are used again", .timeLimit(.minutes(1)))
struct ConnectionReuseTests {
    private static let stray = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL"

    @Test(
        "Bytes behind the end of a response do not answer the next request",
        arguments: [
            ("GET", "Content-Length: 3\r\n\r\nabc"), ("GET", "Content-Length: 0\r\n\r\n"),
            ("GET", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"),
            ("HEAD", "Content-Length: 3\r\n\r\n"),
        ],
        [false, true]
    )
    func stray(answer: (method: String, text: String), isLater: Bool) async throws {
        let (goOn, sent) = (Gate(), Gate())
        let text = "HTTP/1.1 200 OK\r\n\(answer.text)"
        let first: [ScriptStep] =
            isLater
            ? [.send(text), .waitFor(goOn), .send(Self.stray)]
            : [.send(text + Self.stray), .waitFor(goOn)]
        let next: [ScriptStep] = [.forever([.waitForRequest, .respond(200, body: "defgh")])]
        let server = try ScriptedServer([.waitForRequest] + first + [.open(sent)] + next, next)
        let loop = TestLoop()
        let delegate = try await load(server.request(method: answer.method), loop: loop.loop)
        #expect(delegate.transcript.last == .finished)
        goOn.open()
        try await sent.opened()
        for method in ["GET", "POST"] {
            let second = try await load(server.request(method: method), loop: loop.loop)
            #expect(second.transcript == [.response(200), .data(5), .finished])
            #expect(second.body == Data("defgh".utf8))
        }
        if isLater { #expect(server.connectionCount == 2) }
    }

    @Test("Many idle network connections with stray bytes are passed over, and none is kept")
    func manyStray() async throws {
        let sent = (0..<4).map { _ in Gate() }
        let goOn = Gate()
        let scripts = sent.map { gate in
            [
                .waitForRequest, .waitFor(goOn), .respond(200, body: "abc"), .send(Self.stray),
                .open(gate), .hold,
            ] as [ScriptStep]
        }
        let answer: [ScriptStep] = [.forever([.waitForRequest, .respond(200, body: "defgh")])]
        let server = try ScriptedServer { _ in scripts + [answer] }
        let loop = TestLoop()
        let delegates = sent.map { _ in RecordingDelegate() }
        for delegate in delegates {
            let connection = makeConnection(server.request(), delegate, loop: loop.loop)
            connection.setDelegateQueue(OperationQueue())
            connection.start()
        }
        try await server.received(requests: delegates.count)
        goOn.open()
        for delegate in delegates { try await delegate.ended() }
        for gate in sent { try await gate.opened() }
        let second = try await load(server.request(), loop: loop.loop)
        #expect(second.transcript == [.response(200), .data(5), .finished])
    }
}
