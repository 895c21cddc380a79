internal import Foundation

/// What an `ftp:` URL asks for (RFC 1738 section 3.2).
struct FTPURL {
    /// The URL without the `;type=` that may end it, which is no part of the file's name.
    let nameURL: URL

    /// Whether the URL ends in a slash: the names in a folder are asked for, as a text.
    let isFolder: Bool

    /// Reads a URL.
    ///
    /// - Throws: ``Failure`` when it has no host, or what it asks for would be read as further
    ///   commands.
    init(_ url: URL) throws(Failure) {
        guard let host = url.host, !host.isEmpty else {
            throw Failure(.badURL, "The URL names no host.")
        }
        guard LoadableURL.isReadAlike(url) else {
            throw Failure(.badURL, "The host or the port of the URL can't be used.")
        }
        let path = url.path(percentEncoded: true)
        for part in [path, url.user(percentEncoded: true), url.password(percentEncoded: true)] {
            let bytes = WireText.percentDecode(part ?? "")
            guard let bytes, !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
                throw Failure(
                    .badURL,
                    "The path, the user or the password has a line break or another control "
                        + "character; take it out."
                )
            }
        }
        let name = path.split(separator: ";type=", omittingEmptySubsequences: false).first ?? ""
        isFolder = name.isEmpty || name.hasSuffix("/")
        var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        components?.percentEncodedPath = String(name)
        nameURL = components?.url ?? url
    }
}
