/// Which servers are reached without the proxy: what `no_proxy` lists.
///
/// ```swift
/// let exceptions: ProxyExceptions = ["localhost", ".example", "10.0.0.0/8", "[::1]:8080"]
/// ```
///
/// | entry | covers |
/// |---|---|
/// | `*` | everything |
/// | `example` | `example`, and each name below it: `a.example`, not `an-example` |
/// | `.example`, `*.example` | the same |
/// | `192.0.2.1`, `::1`, `[::1]` | that address |
/// | `192.0.2.0/24`, `2001:db8::/32` | each address that begins with so many of its bits |
/// | any but the last, and `:80` behind it | the same at that port alone; IPv6 needs brackets then |
///
/// Letter case and one dot at the end make no difference. A name is not looked up: `127.0.0.1` does not
/// cover `localhost`, and nothing covers this machine by itself. An entry that is none of these covers
/// nothing.
///
/// - SeeAlso: <https://curl.se/libcurl/c/CURLOPT_NOPROXY.html>, to which ports and `*.` are added.
public struct ProxyExceptions: Sendable, Equatable, ExpressibleByArrayLiteral {
    private enum Pattern: Equatable {
        case everything
        case name(String)
        case block(IPAddress, bits: Int)
    }

    private struct Entry: Equatable {
        let pattern: Pattern
        let port: Int?
    }

    private let entries: [Entry]

    /// Takes entries one by one.
    public init(arrayLiteral entries: String...) {
        self.init(entries)
    }

    /// Takes entries one by one.
    public init(_ entries: [String]) {
        self.entries = entries.compactMap(Self.entry)
    }

    /// Reads the entries of `no_proxy`, with commas or blanks between them.
    public init(_ text: String) {
        self.init(text.split { $0 == "," || $0.isWhitespace }.map(String.init))
    }

    /// Whether a server is reached without the proxy.
    ///
    /// - Parameters:
    ///   - host: A name or an address, an IPv6 address with or without brackets.
    ///   - port: The server's port.
    /// - Returns: True when an entry covers it.
    public func cover(host: String, port: Int) -> Bool {
        let host = Self.canonical(host)
        let address = IPAddress(host)
        return entries.contains { entry in
            guard entry.port == nil || entry.port == port else { return false }
            switch entry.pattern {
            case .everything: return true
            case .name(let name):
                return address == nil && (host == name || host.hasSuffix("." + name))
            case .block(let block, let bits):
                return address.map { $0.hasPrefix(block, bits: bits) } ?? false
            }
        }
    }
}

// MARK: - Reading

extension ProxyExceptions {
    private static func canonical(_ host: some StringProtocol) -> String {
        var host = WireText.lowercase(host)[...]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast().prefix { $0 != "%" }
        }
        return String(host.hasSuffix(".") ? host.dropLast() : host)
    }

    private static func entry(_ text: String) -> Entry? {
        var (name, port) = nameAndPort(text)
        if name == "*" { return Entry(pattern: .everything, port: port) }
        if let slash = name.lastIndex(of: "/") {
            guard let address = IPAddress(canonical(name[..<slash])),
                let bits = Int(name[name.index(after: slash)...])
            else { return nil }
            return Entry(pattern: .block(address, bits: bits), port: port)
        }
        if let address = IPAddress(canonical(name)) {
            return Entry(pattern: .block(address, bits: address.bytes.count * 8), port: port)
        }
        if name.hasPrefix("*.") { name = name.dropFirst() }
        if name.hasPrefix(".") { name = name.dropFirst() }
        let host = canonical(name)
        return host.isEmpty ? nil : Entry(pattern: .name(host), port: port)
    }

    /// A colon is that of a port unless it is one of several, as in an IPv6 address without brackets.
    private static func nameAndPort(_ text: String) -> (name: Substring, port: Int?) {
        let trimmed = text.drop(while: \.isWhitespace)
        let end = trimmed.lastIndex { !$0.isWhitespace }.map(trimmed.index(after:))
        let text = trimmed[..<(end ?? trimmed.startIndex)]
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...])
        else { return (text, nil) }
        let name = text[..<colon]
        guard !name.contains(":") || name.hasPrefix("[") && name.hasSuffix("]") else {
            return (text, nil)
        }
        return (name, port)
    }
}
