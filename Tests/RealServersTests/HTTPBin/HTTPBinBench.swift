import Foundation
import FoundationNetworking
import NetworkingTestKit
import Testing

/// What each test of httpbin begins with: the server, and a loop of its own.
struct HTTPBinBench {
    let server: HTTPBinServer
    let loading = LoadingLoop()

    init() throws {
        server = try #require(HTTPBinServer.current)
    }

    /// Loads a path to the end.
    func load(
        _ path: String,
        configure: (inout URLRequest) -> Void = { _ in }
    ) async throws -> RecordingDelegate {
        try await loading.load(try server.url(path), configure: configure)
    }
}
