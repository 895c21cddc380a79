import NetworkingTestKit
import Testing

@testable import CurlTransfers

@Suite("A transfer that continues another one", .timeLimit(.minutes(1)))
struct ContinuationTests {
    private func refusal(_ nonce: String) -> ScriptStep {
        .respond(401, [#"WWW-Authenticate: Digest realm="r", nonce="\#(nonce)", qop="auth""#])
    }

    /// Sends a request for nobody, and again for a user; returns what the second one heard.
    private func sendTwice(to server: ScriptedServer, keeps: Bool) async throws -> Listener {
        let rig = Rig()
        let second = Listener()
        let first = Listener { call, transfer in
            if call == .line, keeps { transfer.keepForContinuation() }
            guard call.isLast else { return }
            var request = transfer.request
            request.credential = TransferCredential(scheme: .digest, user: "u", password: "p")
            let next = Transfer(
                request: request,
                delegate: second,
                continuing: keeps ? transfer : nil
            )
            rig.onLoopNow { $0.add(next) }
        }
        let handed = HandedOver(TransferRequest(url: "\(server.url("/f"))"), first)
        try await rig.onLoop { $0.add(handed.transfer) }
        try await second.completed.opened()
        try await rig.end()
        #expect(second.outcome?.code == .ok)
        return second
    }

    @Test("It answers with the nonce that the first one was given")
    func continued() async throws {
        let server = try ScriptedServer([
            .waitForRequest, refusal("n1"), .waitForRequest, .respond(200, body: "abc"),
        ])
        let listener = try await sendTwice(to: server, keeps: true)
        #expect(listener.bytes == Array("abc".utf8))
        let sent = server.requests.map { $0["Authorization"]?.contains(#"nonce="n1""#) }
        #expect(sent == [nil, true])
        #expect(server.connectionCount == 1)
    }

    @Test("One that does not asks for a nonce first; its body is not heard")
    func fresh() async throws {
        let server = try ScriptedServer([
            .waitForRequest, refusal("n1"),
            .waitForRequest, refusal("n2"), .waitForRequest, .respond(200, body: "abc"),
        ])
        let listener = try await sendTwice(to: server, keeps: false)
        #expect(listener.bytes == Array("abc".utf8))
        let sent = server.requests.map { $0["Authorization"]?.contains(#"nonce="n2""#) }
        #expect(sent == [nil, nil, true])
    }

    @Test("A user in the URL is refused, and nothing is sent")
    func userInURL() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(200)])
        let rig = Rig()
        let listener = Listener()
        let url = "http://u:p@127.0.0.1:\(server.port)/"
        let handed = HandedOver(TransferRequest(url: url), listener)
        try await rig.onLoop { $0.add(handed.transfer) }
        try await listener.completed.opened()
        try await rig.end()
        #expect(listener.outcome?.code != .ok)
        #expect(server.requests.isEmpty)
    }
}
