internal import Foundation
public import FoundationNetworking

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Apple's name of the method by which a server shows who it is.
///
/// Foundation's own constant can't be used on Linux; this one stands in for it in a ported file.
public let NSURLAuthenticationMethodServerTrust = AuthenticationMethod.serverTrust

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Apple's name of the method by which a server asks for a certificate.
///
/// Foundation's own constant can't be used on Linux; this one stands in for it in a ported file.
public let NSURLAuthenticationMethodClientCertificate = AuthenticationMethod.clientCertificate

extension URLProtectionSpace {
    /// What the server showed; nil unless the method is `NSURLAuthenticationMethodServerTrust`.
    ///
    /// On Apple's systems it is a `SecTrust`.
    /// See <https://developer.apple.com/documentation/foundation/urlprotectionspace/servertrust>.
    public var serverTrust: ServerTrust? { (self as? TLSProtectionSpace)?.trust }

    /// Whose certificates a server takes, as RFC 2253 writes names; an empty list takes any.
    ///
    /// Nil unless the method is `NSURLAuthenticationMethodClientCertificate`. Foundation's own
    /// `distinguishedNames` is always nil on Linux.
    public var acceptableIssuers: [String]? { (self as? TLSProtectionSpace)?.issuers }
}

/// Where a server shows its certificate, or asks for one.
final class TLSProtectionSpace: URLProtectionSpace, @unchecked Sendable {
    // Constants; `@unchecked` because of the superclass.
    let trust: ServerTrust?
    let issuers: [String]?

    /// A server shows its certificate.
    init(port: Int, trust: ServerTrust) {
        self.trust = trust
        issuers = nil
        super.init(
            host: trust.host,
            port: port,
            protocol: "https",
            realm: nil,
            authenticationMethod: AuthenticationMethod.serverTrust
        )
    }

    /// A server asks for a certificate.
    init(host: String, port: Int, issuers: [String]) {
        trust = nil
        self.issuers = issuers
        super.init(
            host: host,
            port: port,
            protocol: "https",
            realm: nil,
            authenticationMethod: AuthenticationMethod.clientCertificate
        )
    }

    /// It is not archived: what a server showed counts for one connection.
    required init?(coder: NSCoder) {
        nil
    }
}
