internal import CurlTransfers
internal import Foundation
internal import FoundationNetworking

extension TransferRequest {
    /// What to ask of the server for a URLRequest; a body from a stream is added by who reads it.
    ///
    /// - Throws: ``Failure`` when the request can't be sent, with a sentence that says why.
    init(_ request: URLRequest, settings: ConnectionSettings) throws(Failure) {
        let url = try Self.checkedURL(of: request)
        let method = request.httpMethod ?? "GET"
        guard WireText.isToken(method) else {
            throw Failure(.badURL, "The method of the request is no token of RFC 9110.")
        }
        let fields = request.allHTTPHeaderFields ?? [:]
        self.init(
            url: LoadableURL.text(of: url),
            method: method,
            headerLines: try Self.headerLines(for: fields)
        )
        // A field that the caller has set is the only one (RFC 6265 section 5.4).
        let hasCookies = fields.keys.contains { WireText.isSameName($0, "Cookie") }
        if !hasCookies, let cookies = settings.cookieStore?.field(for: request) {
            headerLines.append("Cookie: \(cookies)")
        }
        body = try Self.body(of: request, method: method)
        // libcurl would send a large body only after asking whether it may, and wait a second.
        if body != nil || request.httpBodyStream != nil { headerLines.append("Expect:") }
        if let codings = AcceptedCodings(request).fieldValue {
            headerLines.append("Accept-Encoding: \(codings)")
        }
        let seconds = request.timeoutInterval
        // One address that does not answer must leave time for the next one.
        connectMilliseconds = seconds > 0 ? Int(min(seconds * 1000, Double(Int32.max))) : 0
        certificateAuthorityFile = settings.certificateAuthorityFile
        try setProxy(settings.proxy, for: url, fields)
    }

    private static func checkedURL(of request: URLRequest) throws(Failure) -> URL {
        guard let url = request.url?.absoluteURL, url.scheme != nil else {
            throw Failure(.badURL, "The request has no absolute URL.")
        }
        guard LoadableURL.hasKnownScheme(url) else {
            throw Failure(
                .unsupportedURL,
                "URLs of the scheme \(url.scheme ?? "") can't be loaded, only http, https, ftp, file "
                    + "and data; register a handler for others."
            )
        }
        guard LoadableURL.isLoadable(url) else {
            throw Failure(.badURL, "The URL names no host.")
        }
        guard LoadableURL.isReadAlike(url) else {
            throw Failure(
                .badURL,
                "The host or the port of the URL can't be used, or can be read in two ways; write a "
                    + "name, four decimal numbers or an IPv6 address in brackets, and a port up to "
                    + "65535."
            )
        }
        return url
    }

    private static func body(
        of request: URLRequest,
        method: String
    ) throws(Failure) -> TransferBody? {
        // One without a byte is none.
        let hasBody = request.httpBody?.isEmpty == false || request.httpBodyStream != nil
        guard !hasBody || (method != "GET" && method != "HEAD") else {
            throw Failure(
                .dataLengthExceedsMaximum,
                "A \(method) request has no body; use another method or take the body out."
            )
        }
        if hasBody, let body = request.httpBody { return .bytes(BodyBytes(body)) }
        // A server that waits for a body is told that there is none.
        return !hasBody && ["POST", "PUT", "PATCH"].contains(method) ? .bytes(BodyBytes([])) : nil
    }
}

// MARK: - Header lines

extension TransferRequest {
    /// Fields that follow from the body and the network connection, and can't be set by hand.
    ///
    /// What is meant for the proxy goes there by another way.
    private static let reserved = [
        "Content-Length", "Transfer-Encoding", "Connection", "Expect", proxyField,
    ]

    private static func headerLines(for fields: [String: String]) throws(Failure) -> [String] {
        var lines: [String] = []
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            guard WireText.isToken(name) else {
                throw Failure(.badURL, "The name of a header field of the request is no token.")
            }
            // Foundation lets such values through by allHTTPHeaderFields: they would be read as
            // further fields, or as another request.
            guard !value.utf8.contains(where: WireText.isForbiddenControl) else {
                throw Failure(
                    .badURL,
                    "The header field \(name) of the request has a line break or another control "
                        + "character; take it out."
                )
            }
            guard !reserved.contains(where: { WireText.isSameName($0, name) }) else { continue }
            lines.append(line(name, value))
        }
        if !fields.keys.contains(where: { WireText.isSameName($0, "User-Agent") }) {
            lines.append("User-Agent: \(UserAgent.ours)")
        }
        return lines
    }

    /// Returns a line as libcurl wants it.
    static func line(_ name: String, _ value: String) -> String {
        value.isEmpty ? "\(name);" : "\(name): \(value)"
    }
}
