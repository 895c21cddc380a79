import Foundation
import Testing

@testable import RunLoopNetworking

extension CookieTarget {
    /// The target of a URL that a test has written down.
    init(_ text: String) throws {
        let url = try #require(URL(string: text))
        self = try #require(CookieTarget(url))
    }
}
