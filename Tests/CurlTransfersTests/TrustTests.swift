import EventLoops
import NetworkingTestKit
import Testing

@testable import CurlTransfers

@Suite("Trust in servers", .timeLimit(.minutes(1)))
struct TrustTests {
    /// Somebody whose verdict is asked for.
    private final class Owner {}

    /// Somebody of another kind.
    private final class OtherOwner {}

    /// Counts the turns of a loop for a while.
    private final class Turns: @unchecked Sendable {
        // Loop affinity; a test reads the number behind the gate.
        private(set) var number = 0
        let counted = Gate()
        private var observation: LoopObservation?
        private var timer: LoopTimer?

        func count(on loop: EventLoop) {
            observation = loop.observe { [unowned self] phase in
                if case .dispatch = phase { number += 1 }
            }
            timer = loop.timer(after: .milliseconds(200)) { [unowned self] in
                observation = nil
                counted.open()
            }
        }
    }

    private let authority: TLSAuthority
    private let rig = Rig()

    init() throws {
        authority = try TLSAuthority()
    }

    private func request(_ server: ScriptedServer, _ trust: TrustPolicy) -> TransferRequest {
        var request = TransferRequest(url: server.url().absoluteString)
        request.certificateAuthorityFile = authority.certificateFile
        request.trust = trust
        return request
    }

    /// Adds a transfer, and waits until it has completed.
    private func complete(_ request: TransferRequest, _ listener: Listener) async throws {
        let transfer = HandedOver(request, listener)
        try await rig.onLoop { $0.add(transfer.transfer) }
        try await listener.completed.opened()
    }

    /// A listener that agrees to whatever it is asked.
    private func agreeing(isShared: Bool = false) -> Listener {
        let listener = Listener()
        listener.onQuestion = { [rig] transfer in
            let held = Held(transfer)
            rig.onLoopNow { $0.proceed(held.transfer, isShared: isShared) }
        }
        return listener
    }

    private struct Held: @unchecked Sendable {
        // Made and used in one call, on the loop.
        let transfer: Transfer
        init(_ transfer: Transfer) { self.transfer = transfer }
    }

    private let script: [ScriptStep] = [.forever([.waitForRequest, .respond(body: "abc")])]

    // MARK: - The wait

    @Test("While somebody is asked nothing is sent, others go on, and the answer lets it finish")
    func waits() async throws {
        let server = try ScriptedServer(script, tls: authority.identity())
        let (owner, asked, other) = (Owner(), Listener(), Listener())
        let waiting = HandedOver(request(server, .ask(TrustOwner(owner))), asked)
        // It would share the first one's network connection, if that turned out to be HTTP/2.
        let patient = HandedOver(request(server, .system), other)
        try await rig.onLoop {
            $0.add(waiting.transfer)
            $0.add(patient.transfer)
        }
        try await asked.questioned.opened()
        try await other.completed.opened()
        #expect(other.outcome?.code == .ok)
        let late = Listener()
        try await complete(request(server, .system), late)
        #expect(late.outcome?.code == .ok)
        #expect(server.requests.count == 2)
        #expect(asked.calls.allSatisfy { [.began, .progress, .question].contains($0) })
        guard case .trust(let chain) = asked.questions.first else {
            Issue.record("the question is another one")
            return
        }
        #expect(chain.certificates.count == 1)
        #expect(chain.verdict == 0)
        try await rig.onLoop { $0.proceed(waiting.transfer, isShared: false) }
        try await asked.completed.opened()
        #expect(asked.outcome?.code == .ok)
        #expect(asked.bytes == Array("abc".utf8))
        #expect(server.requests.count == 3)
        #expect(server.connectionCount == 2)
        try await rig.end()
    }

    @Test("A loop that waits for an answer sleeps")
    func sleeps() async throws {
        let server = try ScriptedServer(script, tls: authority.identity())
        let (owner, listener, turns) = (Owner(), Listener(), Turns())
        let transfer = HandedOver(request(server, .ask(TrustOwner(owner))), listener)
        try await rig.onLoop { $0.add(transfer.transfer) }
        try await listener.questioned.opened()
        let loop = rig.loop
        try await rig.onLoop { _ in turns.count(on: loop) }
        try await turns.counted.opened()
        // The one that began, the one that ends, and libcurl's last timers.
        #expect(turns.number < 10)
        try await rig.end()
    }

    @Test("A refusal ends the connection before anything is sent")
    func refusal() async throws {
        let server = try ScriptedServer(script, tls: authority.identity())
        let (owner, listener) = (Owner(), Listener())
        let transfer = HandedOver(request(server, .ask(TrustOwner(owner))), listener)
        try await rig.onLoop { $0.add(transfer.transfer) }
        try await listener.questioned.opened()
        try await rig.onLoop { $0.remove(transfer.transfer) }
        try await server.closedByClient(connections: 1)
        #expect(server.requests.isEmpty)
        #expect(listener.calls.filter(\.isLast).isEmpty)
        try await rig.end()
    }

    // MARK: - What OpenSSL refuses

    @Test(
        "What OpenSSL refuses ends the transfer, and the outcome says what was shown",
        arguments: [("self-signed", 18), ("expired", 10), ("other name", 64), ("stranger", 20)]
    )
    func refusedChain(fault: String, verdict: Int) async throws {
        let identity =
            switch fault {
            case "self-signed": try TLSIdentity.selfSigned()
            case "expired": try authority.identity(validity: .expired)
            case "other name": try authority.identity(for: ["other.test"])
            default: try TLSAuthority().identity()
            }
        let server = try ScriptedServer(script, tls: identity)
        let (owner, listener) = (Owner(), Listener())
        try await complete(request(server, .ask(TrustOwner(owner))), listener)
        #expect(listener.outcome?.code == .peerFailedVerification)
        #expect(listener.outcome?.verifyResult == verdict)
        let chain = try #require(listener.outcome?.handshake?.chain)
        #expect(chain.verdict == verdict)
        #expect(chain.certificates.count == 1)
        #expect(listener.questions.isEmpty)
        #expect(server.requests.isEmpty)
        try await rig.end()
    }

    // MARK: - Exceptions

    /// The certificate that a server shows.
    private func shown(by server: ScriptedServer) async throws -> [UInt8] {
        let (owner, listener) = (Owner(), Listener())
        try await complete(request(server, .ask(TrustOwner(owner))), listener)
        return try #require(listener.outcome?.handshake?.chain?.certificates.first)
    }

    @Test(
        "An exception is for one certificate, and its connection for transfers that have the same",
        arguments: [false, true]
    )
    func exception(isOld: Bool) async throws {
        let identity = try TLSIdentity.selfSigned(for: ["other.test"], validity: .expired)
        let server = try ScriptedServer(
            script,
            tls: isOld ? identity.limitedToTLS12() : identity
        )
        let certificate = try await shown(by: server)
        for _ in 0..<2 {
            let listener = Listener()
            try await complete(request(server, .exactly(certificate)), listener)
            #expect(listener.outcome?.code == .ok)
        }
        // One that was refused, and one that both transfers have used.
        #expect(server.connectionCount == 2)
        let owner = Owner()
        for trust in [
            TrustPolicy.system, .ask(TrustOwner(owner)), .exactly(Array(certificate.reversed())),
        ] {
            let listener = Listener()
            try await complete(request(server, trust), listener)
            #expect(listener.outcome?.code != .ok)
        }
        let other = try await self.shown(by: ScriptedServer(script, tls: TLSIdentity.selfSigned()))
        let listener = Listener()
        try await complete(request(server, .exactly(other)), listener)
        #expect(listener.outcome?.code == .peerFailedVerification)
        #expect(listener.outcome?.handshake?.chain?.certificates == [certificate])
        #expect(server.requests.count == 2)
        try await rig.end()
    }

    // MARK: - Connections that are open

    @Test("An owner is asked once for each network connection, another one for its own")
    func owners() async throws {
        let server = try ScriptedServer(script, tls: authority.identity())
        let (first, second, third) = (Owner(), Owner(), OtherOwner())
        var questions: [Int] = []
        for owner in [first, first, second, second, third] as [AnyObject] {
            let listener = agreeing()
            try await complete(request(server, .ask(TrustOwner(owner))), listener)
            #expect(listener.outcome?.code == .ok)
            questions.append(listener.questions.count)
        }
        #expect(questions == [1, 0, 1, 0, 1])
        #expect(server.requests.count == 5)
        try await rig.end()
    }

    @Test("Owners of one kind share what was left to OpenSSL, others don't")
    func sharing() async throws {
        let server = try ScriptedServer(script, tls: authority.identity())
        let (first, second, third) = (Owner(), Owner(), OtherOwner())
        var questions: [Int] = []
        for owner in [first, second, third] as [AnyObject] {
            let listener = agreeing(isShared: true)
            try await complete(request(server, .ask(TrustOwner(owner))), listener)
            #expect(listener.outcome?.code == .ok)
            questions.append(listener.questions.count)
        }
        #expect(questions == [1, 0, 1])
        let listener = Listener()
        try await complete(request(server, .system), listener)
        #expect(listener.outcome?.code == .ok)
        #expect(server.connectionCount == 3)
        try await rig.end()
    }

    @Test("A session that is taken up again does not go round the question")
    func sessions() async throws {
        let identity = try authority.identity().limitedToTLS12()
        let single: [ScriptStep] = [.waitForRequest, .respond(200, ["Connection: close"]), .finish]
        let server = try ScriptedServer(single, tls: identity)
        for trust in [TrustPolicy.system, .system] {
            let listener = Listener()
            try await complete(request(server, trust), listener)
            #expect(listener.outcome?.code == .ok)
        }
        let owner = Owner()
        for _ in 0..<2 {
            let listener = agreeing(isShared: true)
            try await complete(request(server, .ask(TrustOwner(owner))), listener)
            #expect(listener.outcome?.code == .ok)
            #expect(listener.questions.count == 1)
        }
        try await rig.end()
    }
}
