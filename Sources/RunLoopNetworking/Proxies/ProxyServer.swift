/// A server that carries requests to other servers.
///
/// ```swift
/// let proxy = try ProxyServer("http://user:secret@proxy.example:3128")
/// EventLoop.shared.connectionSettings.proxy = .server(proxy, except: ["localhost", ".example"])
/// ```
///
/// A printed one shows no credentials.
///
/// - SeeAlso: <https://curl.se/libcurl/c/CURLOPT_PROXY.html>
public struct ProxyServer: Sendable, Equatable {
    /// What is spoken with a proxy; the names are those that stand before `://`.
    public enum Kind: String, Sendable, CaseIterable {
        /// HTTP in the clear: https goes through a tunnel (CONNECT, RFC 9110 section 9.3.6).
        case http
        /// HTTP over TLS; the proxy's certificate is checked as any server's is.
        case https
        /// SOCKS 4: names are looked up here, to IPv4 addresses.
        case socks4
        /// SOCKS 4a: the proxy looks names up.
        case socks4a
        /// SOCKS 5 (RFC 1928): names are looked up here.
        case socks5
        /// SOCKS 5: the proxy looks names up.
        case socks5h
    }

    /// What is spoken with it.
    public let kind: Kind

    /// Its name or address; an IPv6 address without brackets.
    public let host: String

    /// Its port.
    public let port: Int

    /// Who wants to use it; nil says nobody, until it asks.
    ///
    /// An HTTP proxy that asks gets it by the strongest scheme that both know: Negotiate, NTLM,
    /// Digest, Basic. The server behind the proxy never does.
    public var user: String?

    /// The password of the user.
    public var password: String?
}

// MARK: - As text

extension ProxyServer: CustomStringConvertible, CustomDebugStringConvertible {
    /// `http://proxy.example:3128`: never with credentials.
    public var description: String {
        "\(kind.rawValue)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Reads `KIND://USER:PASSWORD@HOST:PORT`.
    ///
    /// Only the host has to be there. The kind is `http` unless it is said; `socks` means `socks4`.
    /// The port is 1080, for `https` 443: those are curl's. User and password are percent-encoded.
    /// An IPv6 address stands in brackets. What follows a slash does not count.
    ///
    /// - Throws: ``ProxyError`` with a sentence that says what is wrong.
    public init(_ text: String) throws(ProxyError) {
        var rest = text[...]
        var scheme = Kind.http.rawValue
        if let mark = rest.firstRange(of: "://") {
            scheme = WireText.lowercase(rest[..<mark.lowerBound])
            rest = rest[mark.upperBound...]
        }
        guard let kind = scheme == "socks" ? .socks4 : Kind(rawValue: scheme) else {
            let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw ProxyError(.unknownKind, "A proxy's scheme is one of \(kinds).")
        }
        rest = rest.prefix { $0 != "/" }
        var credentials: Substring?
        if let mark = rest.lastIndex(of: "@") {
            credentials = rest[..<mark]
            rest = rest[rest.index(after: mark)...]
        }
        let (host, port) = try Self.hostAndPort(rest)
        self.kind = kind
        self.host = host
        self.port = port ?? (kind == .https ? 443 : 1080)
        let parts = try credentials.map(Self.parts) ?? []
        user = parts.first
        password = parts.count > 1 ? parts[1] : nil
    }

    private static func hostAndPort(_ text: Substring) throws(ProxyError) -> (String, Int?) {
        var host = text
        var port = ""[...]
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            host = text[text.index(after: text.startIndex)..<end]
            port = text[text.index(after: end)...]
            // An address may have a zone behind it, %eth0, which is no part of its form.
            guard IPAddress(String(host.prefix { $0 != "%" })) != nil else {
                throw ProxyError(.badHost, "What stands in brackets has to be an IPv6 address.")
            }
        } else if let colon = text.firstIndex(of: ":") {
            host = text[..<colon]
            port = text[colon...]
        }
        guard !host.isEmpty, host.utf8.allSatisfy(isHostByte) else {
            throw ProxyError(.badHost, "A proxy needs a host, such as proxy.example.")
        }
        guard !port.isEmpty, port != ":" else { return (String(host), nil) }
        guard port.hasPrefix(":"), let number = Int(port.dropFirst()),
            (1...65_535).contains(number), port.dropFirst().allSatisfy(\.isNumber)
        else { throw ProxyError(.badPort, "A proxy's port is a number from 1 to 65535.") }
        return (String(host), number)
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...0xFF:
            true
        default: "-._:%".utf8.contains(byte)
        }
    }

    private static func parts(of credentials: Substring) throws(ProxyError) -> [String] {
        var parts: [String] = []
        for part in credentials.split(
            separator: ":",
            maxSplits: 1,
            omittingEmptySubsequences: false
        ) {
            guard let bytes = WireText.percentDecode(part),
                !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F })
            else {
                throw ProxyError(
                    .badCredentials,
                    "User and password of a proxy are percent-encoded, without control characters."
                )
            }
            parts.append(WireText.decode(bytes))
        }
        return parts
    }
}
