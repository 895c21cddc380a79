import Digests
import Foundation
import NetworkingTestKit
import Testing

@testable import RunLoopNetworking

@Suite("Files that can't be written", .timeLimit(.minutes(1)), .serialized)
struct FileWriterFailureTests {
    private let folder: TemporaryFolder
    private let events = WriterEvents()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func writer(_ path: String, _ mode: WritableFile.Mode) -> FileWriter {
        FileWriter(
            blockSize: 64 << 10,
            // Nothing is told but failures.
            waitingLimit: 8 << 20,
            open: { () throws(FileFailure) in try WritableFile(path, mode) },
            onEvent: { [events] in events.hear($0) }
        )
    }

    @Test("A full device fails the writer once, whatever is appended afterwards")
    func full() async throws {
        let writer = writer("/dev/full", .through)
        for _ in 0..<8 { _ = writer.append(Data(count: 64 << 10)) }
        writer.close { [events] in events.end($0) }
        let failure = FileFailure(operation: .write, number: ENOSPC, path: "/dev/full")
        #expect(
            try await events.outcome()
                == FileWriter.Outcome(length: 0, digests: [], failure: failure)
        )
        #expect(events.events == [.failed(failure)])
        #expect(writer.append(Data(count: 9 << 20)), "nobody waits for a writer that has failed")
    }

    @Test("A file beyond the limit of the process fails, and the process lives; what fits is there")
    func fileSizeLimit() async throws {
        try await LimitedFileSize.run(bytes: 1 << 20) { () async throws in
            let writer = writer(folder.path("f"), .new)
            for _ in 0..<32 { _ = writer.append(Data(count: 60_000)) }
            writer.close { [events] in events.end($0) }
            let failure = FileFailure(operation: .write, number: EFBIG, path: folder.path("f"))
            #expect(
                try await events.outcome()
                    == FileWriter.Outcome(length: 1 << 20, digests: [], failure: failure)
            )
            #expect(events.events == [.failed(failure)])
        }
        #expect(try folder.bytes("f").count == 1 << 20)
    }

    @Test("Room beyond the limit of the process is refused before anything is loaded")
    func reserveBeyondLimit() async throws {
        try await LimitedFileSize.run(bytes: 1 << 20) { () async throws in
            let writer = writer(folder.path("f"), .new)
            writer.reserve(2 << 20)
            writer.close { [events] in events.end($0) }
            #expect(try await events.outcome()?.failure?.number == EFBIG)
        }
    }

    @Test("A folder that is not there, a folder, a name that is too long")
    func noFile() async throws {
        let cases: [(String, Int32)] = [
            ("no/f", ENOENT), (".", EEXIST), (String(repeating: "n", count: 256), ENAMETOOLONG),
        ]
        for (name, number) in cases {
            let path = folder.path(name)
            #expect(throws: FileFailure(operation: .create, number: number, path: path)) {
                try WritableFile(path, .new)
            }
        }
        #expect(throws: FileFailure(operation: .open, number: ENOENT, path: folder.path("f"))) {
            try WritableFile(folder.path("f"), .existing)
        }
        #expect(throws: FileFailure(operation: .open, number: EISDIR, path: folder.path)) {
            try WritableFile(folder.path, .existing)
        }
    }

    @Test("A pipe that nobody reads any more fails the writer, and the process lives")
    func brokenPipe() async throws {
        let reader = try NamedPipe(folder.path("pipe"))
        let writer = writer(folder.path("pipe"), .through)
        _ = writer.append(Data(count: 64 << 10))
        #expect(reader.read(count: 3) == [0, 0, 0])
        reader.close()
        _ = writer.append(Data(count: 1 << 20))
        writer.close { [events] in events.end($0) }
        #expect(try await events.outcome()?.failure?.number == EPIPE)
        #expect(events.events.count == 1)
    }

    @Test("A pipe and a device take bytes without offsets")
    func through() async throws {
        let writer = FileWriter(
            algorithms: [.sha256],
            open: { () throws(FileFailure) in try WritableFile("/dev/null", .through) },
            onEvent: { [events] in events.hear($0) }
        )
        writer.reserve(1 << 40)
        _ = writer.append(Data("abc".utf8))
        writer.close { [events] in events.end($0) }
        let digest = Digester.digest(.sha256, of: Array("abc".utf8))
        #expect(
            try await events.outcome()
                == FileWriter.Outcome(length: 3, digests: [digest], failure: nil)
        )
        #expect(events.events.isEmpty)
    }

    @Test("A closed file fails, and is closed once")
    func closed() throws {
        let file = try WritableFile(folder.path("f"), .new)
        try file.close()
        try file.close()
        #expect(throws: FileFailure(operation: .write, number: EBADF, path: file.path)) {
            try file.sync()
        }
    }

    @Test("A second download can't lock the file of the first; when that is closed, it can")
    func lock() throws {
        let first = try WritableFile(folder.path("f"), .new)
        try first.lock()
        let second = try WritableFile(folder.path("f"), .existing)
        #expect(throws: FileFailure(operation: .lock, number: EWOULDBLOCK, path: second.path)) {
            try second.lock()
        }
        try first.close()
        try second.lock()
        #expect(second.hasItsName)
        try FileManager.default.removeItem(atPath: folder.path("f"))
        #expect(!second.hasItsName)
    }

    @Test("As the failure of a load it has URLError's code for the file, and errno beneath")
    func failure() throws {
        let full = FileFailure(operation: .write, number: ENOSPC, path: "/d/f")
        let error = Failure(full).error(for: URL(string: "http://h.org/f"))
        #expect(error.code == .cannotWriteToFile)
        #expect(
            error.localizedDescription
                == "The file /d/f can't be written: the disk is full; make room and try again (errno 28)."
        )
        let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(cause?.domain == NSPOSIXErrorDomain)
        #expect(cause?.code == Int(ENOSPC))
        let codes = [FileFailure.Operation.create, .open, .lock, .read, .move, .remove]
            .map { Failure(FileFailure(operation: $0, number: EACCES, path: "f")).code }
        #expect(
            codes == [
                .cannotCreateFile, .cannotOpenFile, .cannotOpenFile, .cannotOpenFile,
                .cannotMoveFile, .cannotRemoveFile,
            ]
        )
    }
}
