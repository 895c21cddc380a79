internal import Foundation

/// Where on this machine a `file:` URL leads to (RFC 8089).
///
/// A query and a fragment say nothing about the file.
struct FileURL {
    /// The path, escapes replaced by their bytes.
    let path: [UInt8]

    /// Reads a URL.
    ///
    /// - Throws: ``Failure`` when it leads to another machine, or has no absolute path.
    init(_ url: URL) throws(Failure) {
        let host = url.host(percentEncoded: false) ?? ""
        guard host.isEmpty || WireText.isSameName(host, "localhost") else {
            throw Failure(
                .badURL,
                "The file: URL names another machine; leave the host empty, or write localhost."
            )
        }
        let path = WireText.percentDecode(url.path(percentEncoded: true))
        guard let path, path.first == UInt8(ascii: "/"), !path.contains(0) else {
            throw Failure(.badURL, "The file: URL has no absolute path; write file:///folder/name.")
        }
        self.path = path
    }
}

// MARK: - Failures

extension Failure {
    /// Why a file can't be read.
    init(_ refusal: LocalFile.Refusal) {
        switch refusal {
        case .isDirectory, .system(EISDIR):
            self.init(.fileIsDirectory, "The file: URL leads to a directory.")
        case .isNotRegular:
            self.init(
                .cannotOpenFile,
                "The file: URL leads to a pipe, a socket or a device; only regular files are read."
            )
        case .system(let number):
            self.init(
                Self.code(forFileError: number),
                "The file can't be read: \(Self.text(number)).",
                systemError: number
            )
        }
    }

    private static func code(forFileError number: Int32) -> URLError.Code {
        switch number {
        case ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP: .fileDoesNotExist
        case EACCES, EPERM: .noPermissionsToReadFile
        default: .cannotOpenFile
        }
    }

    private static func text(_ number: Int32) -> String {
        NSError(domain: NSPOSIXErrorDomain, code: Int(number)).localizedDescription
    }
}
