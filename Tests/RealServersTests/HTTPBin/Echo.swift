import Foundation
import NetworkingTestKit

/// What httpbin says about the request that it got.
struct Echo: Decodable {
    let url: String?
    let method: String?
    let args: [String: String]?
    let headers: [String: String]?
    let cookies: [String: String]?
    let form: [String: String]?
    let files: [String: String]?
    let json: [String: Int]?
    let data: String?

    /// Reads the body that a delegate was told.
    init(_ delegate: RecordingDelegate) throws {
        self = try JSONDecoder().decode(Self.self, from: delegate.body)
    }
}
