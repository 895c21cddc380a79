import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

/// Debian's nghttpd, which is made of the library that libcurl speaks HTTP/2 with, and does more of it
/// than nginx.
@Suite("nghttpd", .timeLimit(.minutes(2)))
struct NGHTTPTests {
    private let server: NGHTTPServer
    private let loop = LoadingLoop()
    private let small = Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0) })

    init() throws {
        server = try NGHTTPServer(["small.bin": small, "pushing": small, "pushed": Data([1])])
        loop.loop.connectionSettings.certificateAuthorityFile =
            server.certificates.authority.path
    }

    private func url(_ name: String) -> URL { server.url.appendingPathComponent(name) }

    @Test("Fifty loads at once share one network connection, and each comes whole")
    func fifty() async throws {
        let observer = ConnectionCounter()
        loop.loop.connectionSettings.observers = [observer]
        let delegates = (1...50).map { _ in RecordingDelegate() }
        for delegate in delegates { try loop.start(url("small.bin"), delegate) }
        for delegate in delegates {
            try await delegate.ended()
            #expect(delegate.transcript == [.response(200), .data(10_000), .finished])
            #expect(delegate.body == small)
        }
        #expect(observer.versions == Array(repeating: "2", count: 50))
        #expect(observer.opened == 1)
    }

    @Test("A body that is sent comes back, and trailers are no part of the response")
    func echo() async throws {
        let delegate = try await loop.load(url("echo")) { request in
            request.httpMethod = "POST"
            request.httpBody = small
        }
        #expect(delegate.transcript == [.response(200), .data(10_000), .finished])
        #expect(delegate.body == small)
        #expect(delegate.response?.value(forHTTPHeaderField: "Trailer") == "x-sum")
        #expect(delegate.response?.value(forHTTPHeaderField: "X-Sum") == nil)
    }

    @Test("A push that nobody asked for is refused, and changes nothing")
    func push() async throws {
        for _ in 1...3 {
            let delegate = try await loop.load(url("pushing"))
            #expect(delegate.transcript == [.response(200), .data(10_000), .finished])
        }
        let pushed = try await loop.load(url("pushed"))
        #expect(pushed.transcript == [.response(200), .data(1), .finished])
    }
}

/// Adds up what observers hear of network connections.
private final class ConnectionCounter: ConnectionObserver {
    private let all = Guarded<[TransferTimings]>([])

    var opened: Int { all.withLock { $0.map(\.openedConnections).reduce(0, +) } }

    var versions: [String?] { all.withLock { $0.map(\.httpVersion) } }

    func connection(_ connection: ObservedConnection, did event: ConnectionEvent) {
        guard case .transferEnded(let timings) = event else { return }
        all.withLock { $0.append(timings) }
    }
}
