import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit

@testable import RunLoopNetworking

/// A loop with a cache of its own whose clock the test moves.
final class CacheBench: Sendable {
    let loop = TestLoop()
    let clock = MovableClock()
    let cache: ResponseCache

    init(memory: Int = 1 << 20, disk: Int = 0, folder: URL? = nil) {
        let clock = clock
        cache = ResponseCache(
            memoryCapacity: memory,
            diskCapacity: disk,
            directory: folder,
            now: { clock.now }
        )
        loop.loop.connectionSettings.responseCache = cache
    }

    /// Loads a request to its end.
    @discardableResult
    func load(
        _ request: URLRequest,
        _ policy: URLRequest.CachePolicy = .useProtocolCachePolicy
    ) async throws -> RecordingDelegate {
        var request = request
        request.cachePolicy = policy
        return try await RunLoopNetworkingTests.load(request, loop: loop.loop)
    }

    /// Loads several requests one after another, and returns their bodies as text.
    func bodies(_ requests: URLRequest...) async throws -> [String] {
        var bodies: [String] = []
        for request in requests {
            bodies.append(String(decoding: try await load(request).body, as: UTF8.self))
        }
        return bodies
    }

    /// A server that answers one request after another, on as many connections as come.
    static func server(_ responses: ScriptStep...) throws -> ScriptedServer {
        try ScriptedServer(responses.flatMap { [.waitForRequest, $0] })
    }
}

/// The time of day, moved by hand; it begins at a whole second of today.
final class MovableClock: Sendable {
    private let state = Guarded(Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded()))

    var now: Date { state.withLock { $0 } }

    func advance(by seconds: Double) {
        state.withLock { $0 += seconds }
    }

    /// A date as a header field has it, so many seconds from now.
    func date(_ offset: Double = 0) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: now + offset)
    }
}
