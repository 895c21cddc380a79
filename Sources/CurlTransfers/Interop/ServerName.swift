private import CLibcurl
private import Glibc

/// The host and the port that libcurl would connect to for a URL.
///
/// Others read a URL by other rules: what is checked against one reading and connected to by another
/// leads to a server that nobody allowed. Compare both before a URL is handed to libcurl.
///
/// - SeeAlso: <https://curl.se/libcurl/c/libcurl-url.html>
package struct ServerName: Equatable, Sendable {
    /// In lower case; an IPv6 address without brackets and zone, in its shortest form.
    private let host: String

    private let port: Int

    /// The host as certificates have it: without the dot that ends a name which is looked up as it is.
    var certifiedHost: String { host.hasSuffix(".") ? String(host.dropLast()) : host }

    /// Reads a URL as libcurl does; nil when libcurl can't.
    package init?(libcurlReads url: String) {
        guard let handle = unsafe curl_url() else { return nil }
        defer { unsafe curl_url_cleanup(handle) }
        let flags = UInt32(CURLU_PATH_AS_IS | CURLU_NON_SUPPORT_SCHEME)
        guard unsafe curl_url_set(handle, CURLUPART_URL, url, flags) == CURLUE_OK,
            let host = unsafe Self.part(CURLUPART_HOST, of: handle),
            let port = unsafe Self.part(CURLUPART_PORT, of: handle).flatMap({ Int($0) })
        else { return nil }
        self.init(host: host, port: port)
    }

    /// A host, with or without brackets, and a port as somebody else has read them.
    package init(host: String, port: Int) {
        var host = host.lowercased()[...]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        if host.contains(":") { host = host.prefix { $0 != "%" } }
        self.host = Self.shortestAddress(String(host)) ?? String(host)
        self.port = port
    }

    @unsafe private static func part(_ part: CURLUPart, of handle: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        let flags = UInt32(CURLU_DEFAULT_PORT)
        guard unsafe curl_url_get(handle, part, &text, flags) == CURLUE_OK,
            let text = unsafe text
        else { return nil }
        defer { unsafe curl_free(text) }
        return unsafe String(cString: text)
    }

    private static func shortestAddress(_ text: String) -> String? {
        var address = in6_addr()
        guard unsafe inet_pton(AF_INET6, text, &address) == 1 else { return nil }
        return unsafe String(unsafeUninitializedCapacity: Int(INET6_ADDRSTRLEN)) { buffer in
            let start = unsafe UnsafeMutableRawPointer(buffer.baseAddress)?
                .assumingMemoryBound(to: CChar.self)
            let size = socklen_t(buffer.count)
            guard let end = unsafe inet_ntop(AF_INET6, &address, start, size) else { return 0 }
            return unsafe strlen(end)
        }
    }
}
