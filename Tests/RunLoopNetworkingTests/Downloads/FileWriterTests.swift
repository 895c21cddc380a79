import Digests
import EventLoops
import Foundation
import NetworkingTestKit
import Testing

@testable import RunLoopNetworking

@Suite("A writer of files", .timeLimit(.minutes(1)))
struct FileWriterTests {
    private let folder: TemporaryFolder
    private let events = WriterEvents()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func writer(
        _ name: String = "f",
        _ mode: WritableFile.Mode = .new,
        at offset: Int64 = 0,
        blockSize: Int = 1 << 20,
        waitingLimit: Int = 1 << 20,
        algorithms: [DigestAlgorithm] = []
    ) -> FileWriter {
        let path = name.hasPrefix("/") ? name : folder.path(name)
        return FileWriter(
            at: offset,
            blockSize: blockSize,
            waitingLimit: waitingLimit,
            algorithms: algorithms,
            open: { () throws(FileFailure) in try WritableFile(path, mode) },
            onEvent: { [events] in events.hear($0) }
        )
    }

    private func outcome(
        _ length: Int64,
        _ digests: [Digest] = [],
        _ failure: FileFailure? = nil
    ) -> FileWriter.Outcome {
        FileWriter.Outcome(length: length, digests: digests, failure: failure)
    }

    @Test(
        "Bytes arrive in order, however they are cut and however large a block is",
        arguments: [1, 3, 16, 1_000, 1 << 20]
    )
    func order(blockSize: Int) async throws {
        let bytes = (0..<1_003).map { UInt8($0 % 251) }
        let writer = writer(blockSize: blockSize, algorithms: [.sha256, .md5])
        var rest = bytes[...]
        for count in [0, 1, 2, 15, 16, 17, 300, 652] {
            _ = writer.append(Data(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        writer.close { [events] in events.end($0) }
        let digests = [Digester.digest(.sha256, of: bytes), Digester.digest(.md5, of: bytes)]
        #expect(try await events.outcome() == outcome(1_003, digests))
        #expect(try folder.bytes("f") == bytes)
        #expect(events.events.isEmpty)
    }

    @Test("Only its owner may read a new file")
    func permissions() async throws {
        writer().close { [events] in events.end($0) }
        #expect(try await events.outcome() == outcome(0))
        #expect(try folder.permissions("f") == 0o600)
    }

    @Test("A file that is there is not written over, and the failure is told once")
    func exists() async throws {
        try folder.write("old", to: "f")
        let writer = writer()
        #expect(writer.append(Data("new".utf8)))
        writer.close { [events] in events.end($0) }
        let failure = FileFailure(operation: .create, number: EEXIST, path: folder.path("f"))
        #expect(try await events.outcome() == outcome(0, [], failure))
        #expect(events.events == [.failed(failure)])
        #expect(try folder.bytes("f") == Array("old".utf8))
    }

    @Test("A link is not followed where a new file is wanted, nor where one is gone on with")
    func link() async throws {
        try folder.write("old", to: "target")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("f"),
            withDestinationPath: folder.path("target")
        )
        for mode in [WritableFile.Mode.new, .existing] {
            #expect(throws: FileFailure.self) { try WritableFile(folder.path("f"), mode) }
        }
        #expect(try folder.bytes("target") == Array("old".utf8))
    }

    @Test("A file is gone on with at an offset; what was beyond it goes")
    func existing() async throws {
        try folder.write("ABCDEFGHIJ", to: "f")
        let writer = writer("f", .existing, at: 5, blockSize: 4, algorithms: [.sha256])
        _ = writer.append(Data("fgh".utf8))
        writer.close { [events] in events.end($0) }
        let digest = Digester.digest(.sha256, of: Array("ABCDEfgh".utf8))
        #expect(try await events.outcome() == outcome(8, [digest]))
        #expect(try folder.bytes("f") == Array("ABCDEfgh".utf8))
    }

    @Test("A file that is shorter than it should be is not gone on with, and not made longer")
    func tooShort() async throws {
        try folder.write("ABC", to: "f")
        let writer = writer("f", .existing, at: 5)
        _ = writer.append(Data("FGH".utf8))
        writer.close { [events] in events.end($0) }
        let failure = FileFailure(operation: .read, number: ENODATA, path: folder.path("f"))
        #expect(try await events.outcome() == outcome(0, [], failure))
        #expect(events.events == [.failed(failure)])
        #expect(try folder.bytes("f") == Array("ABC".utf8))
    }

    @Test("Whoever appends too much hears when there is room again")
    func flowControl() async throws {
        let hold = Gate()
        let path = folder.path("f")
        let writer = FileWriter(
            waitingLimit: 10,
            open: { () throws(FileFailure) in
                // The writer's queue stands still until the bytes wait.
                try? hold.wait()
                return try WritableFile(path, .new)
            },
            onEvent: { [events] in events.hear($0) }
        )
        #expect(writer.append(Data(count: 10)))
        #expect(!writer.append(Data(count: 1)))
        #expect(!writer.append(Data(count: 1)))
        hold.open()
        try await events.hasEvent.opened()
        writer.close { [events] in events.end($0) }
        #expect(try await events.outcome() == outcome(12))
        #expect(events.events == [.caughtUp])
        #expect(writer.append(Data(count: 100)), "a closed writer drops bytes")
        #expect(try folder.bytes("f").count == 12)
    }

    @Test("A sync says how many bytes are there, and more may follow")
    func sync() async throws {
        let writer = writer(blockSize: 8)
        _ = writer.append(Data("ABC".utf8))
        writer.sync { [events] in events.end($0) }
        #expect(try await events.outcome() == outcome(3))
        #expect(try folder.bytes("f") == Array("ABC".utf8))
        _ = writer.append(Data("DEFGHIJ".utf8))
        let end = WriterEvents()
        writer.close(syncs: false) { end.end($0) }
        #expect(try await end.outcome() == outcome(10))
        #expect(try folder.bytes("f") == Array("ABCDEFGHIJ".utf8))
    }

    @Test("Room that is set aside makes no file longer, and is given back")
    func reserve() async throws {
        let writer = writer()
        writer.reserve(8 << 20)
        _ = writer.append(Data("ABC".utf8))
        writer.sync { [events] in events.end($0) }
        #expect(try await events.outcome() == outcome(3))
        #expect(try FileStatus(folder.path("f")).allocated >= 8 << 20)
        let end = WriterEvents()
        writer.close { end.end($0) }
        #expect(try await end.outcome() == outcome(3))
        #expect(try FileStatus(folder.path("f")).allocated < 1 << 20)
        #expect(try folder.bytes("f") == Array("ABC".utf8))
    }

    @Test("An abandoned writer closes its file and says nothing more")
    func abandon() async throws {
        let writer = writer(blockSize: 4)
        _ = writer.append(Data("ABCDEF".utf8))
        writer.abandon()
        _ = writer.append(Data("G".utf8))
        writer.close { [events] in events.end($0) }
        #expect(try await events.outcome()?.failure == nil)
        #expect(events.events.isEmpty)
        #expect(try folder.bytes("f").count <= 4)
    }
}
