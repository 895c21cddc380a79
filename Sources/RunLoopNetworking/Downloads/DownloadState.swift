internal import Digests
internal import Foundation

/// What is known of a file that is partly there, as it is kept beside it.
struct DownloadState: Codable, Equatable, Sendable {
    /// The URL that was asked for, and what else makes another file of it, such as a range.
    let url: String

    /// The URL that answered, after redirects.
    var finalURL: String

    /// Which version of the file it is.
    var validators: Validators

    /// The length of the whole file; nil when it is not known.
    var total: Int64?

    /// How many bytes from the beginning are on the disk for certain.
    ///
    /// A file may have more: those were on their way when the process or the power was gone.
    var syncedLength: Int64

    /// The name that the server, or else the URL, has for the file.
    var suggestedName: String

    /// The field Content-Type of the first response; that of a part may leave it out.
    var mediaType: String?

    /// The digests that the server has announced.
    var digests: [AnnouncedDigest] = []

    /// Adds digests that the server has announced.
    mutating func add(_ digests: [Digest]) {
        for digest in digests.map({ AnnouncedDigest($0) }) where !self.digests.contains(digest) {
            self.digests.append(digest)
        }
    }

    /// What the rules of going on have to know.
    var present: ResumeRules.Present {
        ResumeRules.Present(length: syncedLength, total: total, validators: validators)
    }
}

// MARK: - As a file

extension DownloadState {
    /// What a state that is being written is called.
    ///
    /// Only one download at a time writes it: that which has locked the partial file.
    static let newEnding = ".new"

    private struct Content: Codable {
        var version = 1
        let state: DownloadState
    }

    /// What lies beside a partial file.
    enum Found: Equatable {
        case state(DownloadState)
        /// Something that can't be understood, or makes no sense.
        case damaged
        /// There is no such file.
        case none
    }

    /// Reads the state beside a partial file.
    ///
    /// - Throws: ``FileFailure`` when there is one that can't be read.
    static func read(_ path: String) throws(FileFailure) -> Found {
        do throws(FileError) {
            guard let bytes = try WholeFile.read(path) else { return .none }
            guard let content = try? JSONDecoder().decode(Content.self, from: Data(bytes)),
                content.version == 1, content.state.isPossible
            else { return .damaged }
            return .state(content.state)
        } catch {
            throw FileFailure(operation: .read, number: error.number, path: path)
        }
    }

    /// Replaces the state beside a partial file as a whole: never is there half of one.
    ///
    /// - Throws: ``FileFailure`` when that fails; the old state is as it was.
    func write(_ path: String) throws(FileFailure) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(Content(state: self)) else {
            preconditionFailure("texts and numbers can always be encoded")
        }
        do throws(FileError) {
            try WholeFile.replace(path, with: [UInt8](data), by: path + Self.newEnding)
        } catch {
            throw FileFailure(operation: .write, number: error.number, path: path)
        }
    }

    private var isPossible: Bool {
        syncedLength >= 0 && syncedLength <= total ?? .max
            && digests.allSatisfy { $0.digest != nil }
    }
}
