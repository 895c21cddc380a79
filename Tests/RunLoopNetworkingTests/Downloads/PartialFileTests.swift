import Digests
import Foundation
import Testing

@testable import RunLoopNetworking

@Suite("Files that are partly there", .timeLimit(.minutes(1)))
struct PartialFileTests {
    private let folder: TemporaryFolder
    private let partial: PartialFile
    private let url = "http://h.org/f"

    init() throws {
        folder = try TemporaryFolder()
        partial = PartialFile(ofTarget: folder.path("f"))
    }

    private func state(_ length: Int64, of total: Int64? = 10) -> DownloadState {
        DownloadState(
            url: url,
            finalURL: "http://mirror.org/é",
            validators: Validators(entityTag: "\"v/1\"", lastModified: "yesterday"),
            total: total,
            syncedLength: length,
            suggestedName: "f",
            mediaType: "text/plain",
            digests: [AnnouncedDigest(Digester.digest(.md5, of: []))]
        )
    }

    /// What opening finds; the file is closed, and so unlocked, again.
    private func found(_ url: String? = nil, replacing: Bool = false) throws -> DownloadState? {
        let opened = try partial.open(url: url ?? self.url, replacing: replacing)
        try opened.file.close()
        return opened.state
    }

    @Test("A download begins with an empty file of its own, and without a state")
    func new() throws {
        #expect(try found() == nil)
        #expect(try folder.names == ["f.part"])
        #expect(try folder.permissions("f.part") == 0o600)
        #expect(try folder.bytes("f.part").isEmpty)
        #expect(try found() == nil, "nobody's bytes are lost with an empty file")
    }

    @Test("What was written down is read again, and the file is gone on with")
    func goOn() throws {
        try folder.write("ABCDEFG", to: "f.part")
        try folder.write("{", to: "f.part.state.new")
        try state(5).write(partial.statePath)
        #expect(try folder.names == ["f.part", "f.part.state"])
        #expect(try folder.permissions("f.part.state") == 0o600)
        #expect(try found() == state(5))
        // Dropping what is not vouched for is the writer's part.
        #expect(try folder.bytes("f.part") == Array("ABCDEFG".utf8))
        #expect(
            state(5).present
                == ResumeRules.Present(length: 5, total: 10, validators: state(5).validators)
        )
    }

    @Test("A file that has become shorter than its state says is begun again")
    func shorter() throws {
        try folder.write("ABCD", to: "f.part")
        try state(5).write(partial.statePath)
        #expect(try found() == nil)
        #expect(try folder.names == ["f.part"])
        #expect(try folder.bytes("f.part").isEmpty)
    }

    @Test(
        "A state that is damaged counts for nothing, and the file is begun again",
        arguments: [
            "", "{", "[]", "{\"version\":1}", "{\"version\":2,\"state\":STATE}",
            "{\"version\":1,\"state\":STATE,}{", "\u{0}\u{0}\u{0}\u{0}",
            "{\"version\":1,\"state\":NEGATIVE}", "{\"version\":1,\"state\":TOO-LONG}",
            "{\"version\":1,\"state\":BAD-DIGEST}", "{\"version\":1,\"state\":GREAT}",
        ]
    )
    func damaged(text: String) throws {
        let good = try #require(
            String(data: try JSONEncoder().encode(state(5)), encoding: .utf8)
        )
        let variants = [
            "NEGATIVE": good.replacing("\"syncedLength\":5", with: "\"syncedLength\":-1"),
            "TOO-LONG": good.replacing("\"syncedLength\":5", with: "\"syncedLength\":11"),
            "GREAT": good.replacing("\"syncedLength\":5", with: "\"syncedLength\":1e30"),
            "BAD-DIGEST": good.replacing("\"MD5\"", with: "\"CRC\""), "STATE": good,
        ]
        var content = text
        for (mark, variant) in variants {
            #expect(mark == "STATE" || variant != good)
            content = content.replacing(mark, with: variant)
        }
        try folder.write("ABCDE", to: "f.part")
        try folder.write(content, to: "f.part.state")
        #expect(try DownloadState.read(partial.statePath) == .damaged)
        #expect(try found() == nil)
        #expect(try folder.names == ["f.part"])
        #expect(try folder.bytes("f.part").isEmpty)
    }

    @Test("Bytes without a state, or of another URL, are another's; they go when that is asked for")
    func anothers() throws {
        try folder.write("mine", to: "f.part")
        let failure = FileFailure(operation: .open, number: EEXIST, path: folder.path("f.part"))
        #expect(throws: failure) { try found() }
        try state(4).write(partial.statePath)
        #expect(throws: failure) { try found("http://h.org/g") }
        #expect(try folder.bytes("f.part") == Array("mine".utf8))
        #expect(try found() == state(4))
        #expect(try found("http://h.org/g", replacing: true) == nil)
        #expect(try folder.names == ["f.part"])
        try folder.write("mine", to: "f.part")
        #expect(try found(replacing: true) == nil)
        #expect(try folder.bytes("f.part").isEmpty)
    }

    @Test("A second download of the same file is refused while the first goes on")
    func locked() throws {
        let first = try partial.open(url: url)
        let failure = FileFailure(
            operation: .lock,
            number: EWOULDBLOCK,
            path: folder.path("f.part")
        )
        #expect(throws: failure) { try found() }
        #expect(throws: failure) { try found(replacing: true) }
        try first.file.close()
        #expect(try found() == nil)
    }

    @Test("A link, or a folder, of that name is no partial file")
    func noFile() throws {
        try folder.write("mine", to: "mine")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("f.part"),
            withDestinationPath: folder.path("mine")
        )
        #expect(throws: FileFailure(operation: .open, number: ELOOP, path: partial.path)) {
            try found(replacing: true)
        }
        #expect(try folder.bytes("mine") == Array("mine".utf8))
        let other = PartialFile(ofTarget: folder.path("g"))
        try FileManager.default.createDirectory(
            atPath: other.path,
            withIntermediateDirectories: false
        )
        #expect(throws: FileFailure(operation: .open, number: EISDIR, path: other.path)) {
            try other.open(url: url)
        }
    }

    @Test("A state that can't be written leaves the old one as it was")
    func cantWrite() throws {
        let nowhere = folder.path("no/f.part.state")
        #expect(throws: FileFailure(operation: .write, number: ENOENT, path: nowhere)) {
            try state(5).write(nowhere)
        }
    }

    @Test("Both are removed, and removing what is not there is no failure")
    func remove() throws {
        try folder.write("ABCDE", to: "f.part")
        try state(5).write(partial.statePath)
        // A process was killed while it wrote the next one.
        try folder.write("{", to: "f.part.state.new")
        try partial.remove()
        #expect(try folder.names.isEmpty)
        try partial.remove()
    }

    @Test("Names that leave no room for endings are cut, each to another one")
    func longNames() throws {
        for name in [String(repeating: "n", count: 255), String(repeating: "é", count: 127) + "x"] {
            let partial = PartialFile(ofTarget: folder.path(name))
            try partial.open(url: url).file.close()
            try state(0).write(partial.statePath)
            #expect(try folder.names.count == 2)
            try partial.remove()
        }
        let stem = String(repeating: "n", count: 254)
        #expect(
            PartialFile(ofTarget: "/d/\(stem)a").path != PartialFile(ofTarget: "/d/\(stem)b").path
        )
        #expect(
            PartialFile(ofTarget: "/d/\(stem)a").path == PartialFile(ofTarget: "/d/\(stem)a").path
        )
        #expect(PartialFile(ofTarget: "f").path == "f.part")
        #expect(PartialFile(ofTarget: "/d.e/f.iso").statePath == "/d.e/f.iso.part.state")
    }
}
