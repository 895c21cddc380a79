private import Glibc

/// Where a download is to end up.
enum TargetFile: Equatable, Sendable {
    /// A regular file, or none yet: the bytes are gathered beside it, and get the name when they are whole.
    case file(String)

    /// A device, a pipe or the like: the bytes are written to it, and it is never replaced.
    case through(String)

    private static let maximumLinkCount = 40

    /// Looks at what a path leads to; a symbolic link stays one, and what it leads to is the target.
    ///
    /// - Throws: ``FileFailure`` when it leads to a folder, round in a circle, or can't be looked at.
    init(_ path: String) throws(FileFailure) {
        var current = path
        for _ in 0...Self.maximumLinkCount {
            var status = stat()
            guard unsafe lstat(current, &status) == 0 else {
                guard errno == ENOENT else { throw Self.failure(errno, path) }
                // Whether its folder is there shows when the file is made.
                self = .file(current)
                return
            }
            switch status.st_mode & S_IFMT {
            case S_IFREG:
                self = .file(current)
                return
            case S_IFDIR:
                throw Self.failure(EISDIR, path)
            case S_IFLNK:
                current = try Self.destination(ofLink: current, path)
            default:
                self = .through(current)
                return
            }
        }
        throw Self.failure(ELOOP, path)
    }

    private static func destination(
        ofLink link: String,
        _ path: String
    ) throws(FileFailure) -> String {
        var characters = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(link, &characters, characters.count)
        guard count >= 0 else { throw failure(errno, path) }
        let bytes = characters[..<count].map { UInt8(bitPattern: $0) }
        let destination = String(decoding: bytes, as: UTF8.self)
        if destination.utf8.first == UInt8(ascii: "/") { return destination }
        return FolderPath.folder(of: link) + destination
    }

    private static func failure(_ number: Int32, _ path: String) -> FileFailure {
        FileFailure(operation: .open, number: number, path: path)
    }
}
