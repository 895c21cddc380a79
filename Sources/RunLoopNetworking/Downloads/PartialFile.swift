internal import Foundation

/// The file that a download is written to until it is whole, and the state that is kept beside it.
///
/// For a target `f` these are `f.part` and `f.part.state`, in the same folder, so that the one becomes the
/// other by rename(2). The first one is locked while it is written: two downloads can't write one file.
///
/// Its calls block while the disk is at work: never call them on the loop.
struct PartialFile: Equatable, Sendable {
    /// A partial file that is open and locked, and what is known of it.
    struct Opened: Sendable {
        let file: WritableFile

        /// Nil when the download begins from nothing.
        let state: DownloadState?
    }

    private static let maximumNameByteCount = 255
    private static let ending = ".part"
    private static let stateEnding = ".state"

    /// Where the bytes are.
    let path: String

    /// Where the state is.
    var statePath: String { path + Self.stateEnding }

    /// Names the partial file of a target.
    ///
    /// A name that leaves no room for the endings is cut. What it is cut to depends on all of it.
    init(ofTarget target: String) {
        let name = FolderPath.name(in: target)
        // What is about to replace the state has a longer name for a moment.
        let roomForReplacing = 40
        let room =
            Self.maximumNameByteCount - roomForReplacing
            - Self.ending.utf8.count - Self.stateEnding.utf8.count
        guard name.utf8.count > room else {
            path = target + Self.ending
            return
        }
        let mark = "~" + String(Self.hash(name.utf8), radix: 36)
        var short = name
        while short.utf8.count > room - mark.utf8.count { short.removeLast() }
        path = FolderPath.folder(of: target) + short + mark + Self.ending
    }

    /// Opens the partial file to go on with it, or makes one; locks it.
    ///
    /// What is there is gone on with if its state belongs to `url` and the file has at least the bytes that
    /// the state vouches for. If the state is damaged, or the file has become shorter, the download begins
    /// from nothing.
    ///
    /// A file that has bytes but no state is somebody else's, and one whose state belongs to another URL is
    /// another download's: they are emptied only when that is asked for, by `replacing`.
    ///
    /// - Throws: ``FileFailure`` when that fails, with `EWOULDBLOCK` when another download has locked it, and
    ///   with `EEXIST` when it is another's.
    func open(url: String, replacing: Bool = false) throws(FileFailure) -> Opened {
        let file = try lockedFile()
        let length = try file.length()
        let isAnothers: Bool
        switch try DownloadState.read(statePath) {
        case .state(let state) where state.url == url && state.syncedLength <= length:
            return Opened(file: file, state: state)
        case .state(let state): isAnothers = state.url != url
        case .none: isAnothers = length > 0
        case .damaged: isAnothers = false
        }
        guard !isAnothers || replacing else {
            throw FileFailure(operation: .open, number: EEXIST, path: path)
        }
        // The old state must not come to vouch for new bytes.
        try removeState()
        Placement.syncFolder(of: statePath)
        try file.truncate(to: 0)
        return Opened(file: file, state: nil)
    }

    /// Removes the file and its state, if they are there and no other download has the file open.
    ///
    /// - Throws: ``FileFailure`` when that fails.
    func remove() throws(FileFailure) {
        let file: WritableFile
        do throws(FileFailure) {
            file = try WritableFile(path, .existing)
            try file.lock()
        } catch  where error.number == ENOENT {
            return try removeState()
        }
        try removeState()
        try FileRemoval.remove(path)
        try file.close()
    }

    /// Removes the state, if it is there, and one that was being written when a process was killed.
    ///
    /// - Throws: ``FileFailure`` when that fails.
    func removeState() throws(FileFailure) {
        try FileRemoval.remove(statePath)
        try FileRemoval.remove(statePath + DownloadState.newEnding)
    }

    /// Another download may have given the file its final name, or removed it, before the lock was there.
    private func lockedFile() throws(FileFailure) -> WritableFile {
        while true {
            let file = try openedOrNew()
            try file.lock()
            if file.hasItsName { return file }
        }
    }

    private func openedOrNew() throws(FileFailure) -> WritableFile {
        do throws(FileFailure) {
            return try WritableFile(path, .existing)
        } catch  where error.number == ENOENT {
            do throws(FileFailure) {
                return try WritableFile(path, .new)
            } catch  where error.number == EEXIST {
                // Made by another download in between; or a link, which fails the same way again.
                return try WritableFile(path, .existing)
            }
        }
    }

    /// FNV-1a, which is the same in each process.
    private static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
