internal import Foundation
internal import FoundationNetworking

/// Why something could not be done with a file.
struct FileFailure: Error, Equatable {
    /// What was tried.
    enum Operation: Equatable {
        case create
        case open
        case lock
        case read
        case write
        case move
        case remove
    }

    let operation: Operation

    /// What the system said: see errno(3).
    let number: Int32

    let path: String

    /// What happened and, where something can be done about it, what to do.
    var sentence: String {
        "The file \(path) can't be \(participle): \(Self.reason(for: number)) (errno \(number))."
    }

    private var participle: String {
        switch operation {
        case .create: "created"
        case .open: "opened"
        case .lock: "locked"
        case .read: "read"
        case .write: "written"
        case .move: "given its name"
        case .remove: "removed"
        }
    }

    private static func reason(for number: Int32) -> String {
        reasons[number] ?? "the system refuses"
    }

    private static let reasons: [Int32: String] = [
        EACCES: "it or its folder may not be changed by this user; choose another folder",
        EBADF: "it was closed before",
        EDQUOT: "the quota of this user is used up; remove something and try again",
        EEXIST: "there is one; choose another name, or ask for it to be replaced",
        EFBIG: "it would be greater than the file system or the limit of the process allows",
        EIO: "the disk does not work",
        EISDIR: "there is a folder of that name; choose another name",
        ELOOP: "it is a symbolic link, or links lead to one another",
        EMFILE: "the process has too many files open",
        ENAMETOOLONG: "its name is too long; choose a shorter one",
        ENFILE: "the system has too many files open",
        ENODATA: "it has become shorter than it was; load it from the beginning",
        ENOENT: "it or its folder is not there; create the folder first",
        ENOSPC: "the disk is full; make room and try again",
        ENOTDIR: "part of its path is no folder",
        EPERM: "the system does not permit it",
        EPIPE: "nobody reads from the pipe any more",
        EROFS: "the file system may only be read; choose another folder",
        ETXTBSY: "it is a program that runs",
        EWOULDBLOCK: "another process, or another download, is writing it",
    ]
}

// MARK: - As a failure of a load

extension Failure {
    /// The failure of a load whose bytes could not be put where they belong.
    init(_ failure: FileFailure) {
        let code: URLError.Code =
            switch failure.operation {
            case .create: .cannotCreateFile
            case .open, .lock, .read: .cannotOpenFile
            case .write: .cannotWriteToFile
            case .move: .cannotMoveFile
            case .remove: .cannotRemoveFile
            }
        self.init(code, failure.sentence, systemError: failure.number)
    }
}
