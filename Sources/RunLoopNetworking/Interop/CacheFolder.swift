internal import Foundation
private import Glibc

/// The folder of a cache's files, which several programs may share.
///
/// Any thread.
struct CacheFolder: Sendable {
    /// A file that is there.
    struct Entry: Sendable, Equatable {
        let name: String
        let size: Int
        /// When it was last written or used, in seconds since 1970.
        let time: Double
    }

    /// How old an unfinished file has to be to be nobody's, in seconds, when its process is unknown.
    private static let abandoned = 86_400.0
    private static let unfinished = ".new"

    private let path: String

    /// Names the folder, which need not be there.
    init(_ url: URL) {
        path = url.standardizedFileURL.path
    }

    /// Sees to it that the folder is there; one that is made is only for its owner.
    ///
    /// - Throws: ``FileError`` when it can't be made, or not be used.
    func prepare() throws(FileError) {
        if unsafe mkdir(path, 0o700) != 0, errno == ENOENT {
            // Whatever goes wrong is found by the next look.
            try? FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        }
        guard unsafe access(path, R_OK | W_OK | X_OK) == 0 else { throw FileError(number: errno) }
        let entries = FileManager.default.fileExists(atPath: path + "/.")
        guard entries else { throw FileError(number: ENOTDIR) }
    }

    /// The path of a file in it.
    func path(of name: String) -> String { "\(path)/\(name)" }

    /// A path for a file that is not whole yet; it has another name each time.
    func pathOfUnfinished() -> String {
        path(of: "\(getpid())-\(UInt64.random(in: 0...UInt64.max))\(Self.unfinished)")
    }

    /// Gives an unfinished file its name; one that has that name goes.
    ///
    /// - Throws: ``FileError`` when it fails.
    func finish(_ unfinished: String, as name: String) throws(FileError) {
        try WholeFile.rename(unfinished, to: path(of: name))
    }

    /// Takes a file away; none is there afterwards.
    func remove(_ name: String) {
        removeFile(path(of: name))
    }

    /// Takes the file at a path away.
    func removeFile(_ path: String) {
        unsafe unlink(path)
    }

    /// The files that are there, in no order.
    func entries() -> [Entry] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.compactMap { name in
            var status = stat()
            guard unsafe lstat(path(of: name), &status) == 0, status.st_mode & S_IFMT == S_IFREG
            else { return nil }
            return Entry(
                name: name,
                size: Int(status.st_size),
                time: Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) * 1e-9
            )
        }
    }

    /// Takes away what a process that is gone has left unfinished.
    func removeAbandoned(_ entries: [Entry], now: Double) {
        for entry in entries where entry.name.hasSuffix(Self.unfinished) {
            let process = entry.name.split(separator: "-").first.flatMap { pid_t($0) }
            guard let process else { continue }
            let isGone = kill(process, 0) != 0 && errno == ESRCH
            if isGone || entry.time + Self.abandoned < now { remove(entry.name) }
        }
    }
}
