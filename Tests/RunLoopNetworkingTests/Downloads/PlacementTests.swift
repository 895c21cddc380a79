import Foundation
import Testing

@testable import RunLoopNetworking

@Suite("How a file gets its final name", .timeLimit(.minutes(1)))
struct PlacementTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("new", to: "f.part")
    }

    private func place(replacing: Bool = false) throws {
        try Placement.place(folder.path("f.part"), at: folder.path("f"), replacing: replacing)
    }

    @Test("It gets the name, and the permissions of a new file")
    func name() throws {
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600],
            ofItemAtPath: folder.path("f.part")
        )
        try place()
        #expect(try folder.names == ["f"])
        #expect(try folder.bytes("f") == Array("new".utf8))
        try NewFile.make(folder.path("other"))
        #expect(try folder.permissions("f") == folder.permissions("other"))
    }

    @Test("A file of that name is kept unless it is to be replaced")
    func existing() throws {
        try folder.write("old", to: "f")
        let failure = FileFailure(operation: .move, number: EEXIST, path: folder.path("f"))
        #expect(throws: failure) { try place() }
        #expect(try folder.names == ["f", "f.part"])
        #expect(try folder.bytes("f") == Array("old".utf8))
        #expect(try folder.bytes("f.part") == Array("new".utf8))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o640],
            ofItemAtPath: folder.path("f")
        )
        try place(replacing: true)
        #expect(try folder.names == ["f"])
        #expect(try folder.bytes("f") == Array("new".utf8))
        #expect(try folder.permissions("f") == 0o640)
    }

    @Test("What is no regular file is never replaced, even if it came there late")
    func noFile() throws {
        let reader = try NamedPipe(folder.path("f"))
        defer { reader.close() }
        for replacing in [true, false] {
            #expect(
                throws: FileFailure(operation: .move, number: EEXIST, path: folder.path("f"))
            ) { try place(replacing: replacing) }
        }
        #expect(try FileStatus(folder.path("f")).kind == FileStatus.pipe)
        #expect(try folder.bytes("f.part") == Array("new".utf8))
    }

    @Test("A folder of that name, and one that is not there, are failures")
    func folders() throws {
        #expect(throws: FileFailure.self) {
            try Placement.place(folder.path("f.part"), at: folder.path, replacing: true)
        }
        let nowhere = folder.path("no/f")
        #expect(throws: FileFailure(operation: .move, number: ENOENT, path: nowhere)) {
            try Placement.place(folder.path("f.part"), at: nowhere, replacing: false)
        }
        #expect(try folder.names == ["f.part"])
    }

    // MARK: - Targets

    @Test("A regular file, and none, are gathered beside; the rest is written through")
    func targets() throws {
        #expect(try TargetFile(folder.path("none")) == .file(folder.path("none")))
        #expect(try TargetFile(folder.path("f.part")) == .file(folder.path("f.part")))
        #expect(try TargetFile("none") == .file("none"))
        #expect(try TargetFile("/dev/null") == .through("/dev/null"))
        let reader = try NamedPipe(folder.path("pipe"))
        defer { reader.close() }
        #expect(try TargetFile(folder.path("pipe")) == .through(folder.path("pipe")))
        #expect(throws: FileFailure(operation: .open, number: EISDIR, path: folder.path)) {
            try TargetFile(folder.path)
        }
        let path = folder.path("f.part/g")
        #expect(throws: FileFailure(operation: .open, number: ENOTDIR, path: path)) {
            try TargetFile(path)
        }
    }

    @Test("Links are followed to what they lead to, and stay")
    func links() throws {
        func link(_ name: String, to destination: String) throws -> TargetFile {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path(name),
                withDestinationPath: destination
            )
            return try TargetFile(folder.path(name))
        }
        #expect(try link("a", to: "f.part") == .file(folder.path("f.part")))
        #expect(try link("b", to: "a") == .file(folder.path("f.part")))
        #expect(try link("c", to: folder.path("none")) == .file(folder.path("none")))
        #expect(try link("d", to: "/dev/null") == .through("/dev/null"))
        let path = folder.path("e")
        #expect(throws: FileFailure(operation: .open, number: ELOOP, path: path)) {
            try link("e", to: "e")
        }
        #expect(throws: FileFailure(operation: .open, number: EISDIR, path: folder.path("g"))) {
            try link("g", to: "/")
        }
        #expect(try FileStatus(folder.path("b")).kind == FileStatus.link)
    }

    @Test("There is room on the disk, and none where there is no folder")
    func space() throws {
        #expect(try DiskSpace.available(in: folder.path) > 0)
        let nowhere = folder.path("no")
        #expect(throws: FileFailure(operation: .open, number: ENOENT, path: nowhere)) {
            try DiskSpace.available(in: nowhere)
        }
    }
}
