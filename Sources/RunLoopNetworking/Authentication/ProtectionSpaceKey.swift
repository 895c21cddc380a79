internal import Foundation
internal import FoundationNetworking

/// A protection space that is equal to another one by what it says.
///
/// Foundation's `URLProtectionSpace` on Linux is equal to itself alone.
struct ProtectionSpaceKey: Hashable, Sendable {
    private let host: String
    private let port: Int
    private let `protocol`: String?
    private let proxyType: String?
    private let realm: String?
    private let method: String

    init(_ space: URLProtectionSpace) {
        host = LoadableURL.comparable(space.host)
        port = space.port
        `protocol` = space.isProxy() ? nil : space.protocol.map(WireText.lowercase)
        proxyType = space.isProxy() ? space.proxyType : nil
        realm = space.realm
        method = space.authenticationMethod
    }
}
