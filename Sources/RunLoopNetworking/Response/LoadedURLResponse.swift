import Foundation
import FoundationNetworking

/// A response that no HTTP server gave: of a file, of a `data:` URL or of an FTP server.
///
/// Foundation's own `URLResponse` suggests `/` or `..` as the name of a file on Linux.
///
/// Nothing in a response changes after `init`, and `copy()` returns the same object.
// `@unchecked` only restates what the superclass says. The stored property is a constant.
final class LoadedURLResponse: URLResponse, @unchecked Sendable {
    private let nameURL: URL?

    /// Makes a response; a length of -1 is unknown.
    ///
    /// The name of the file is taken from `nameURL` where it is not the end of the URL's path.
    init(
        url: URL,
        mimeType: String?,
        expectedContentLength: Int,
        textEncodingName: String?,
        nameURL: URL? = nil
    ) {
        self.nameURL = nameURL
        super.init(
            url: url,
            mimeType: mimeType,
            expectedContentLength: expectedContentLength,
            textEncodingName: textEncodingName
        )
    }

    /// Reads a response from an archive.
    required init?(coder: NSCoder) {
        nameURL = nil
        super.init(coder: coder)
    }

    /// The name under which to save the body, safe to create directly in a folder.
    override var suggestedFilename: String? {
        SuggestedFilename.name(disposition: nil, url: nameURL ?? url, mimeType: mimeType)
    }
}
