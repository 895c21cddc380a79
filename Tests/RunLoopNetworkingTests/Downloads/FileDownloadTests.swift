import Digests
import Foundation
import FoundationNetworking
import NetworkingTestKit
import Testing

@testable import RunLoopNetworking

@Suite("Downloads to a file", .timeLimit(.minutes(1)))
struct FileDownloadTests {
    private let bench: DownloadBench
    private var folder: TemporaryFolder { bench.folder }

    init() throws {
        bench = try DownloadBench()
    }

    private func server(_ answers: String...) throws -> ScriptedServer {
        try ScriptedServer { _ in answers.map { [.waitForRequest, .send($0), .finish] } }
    }

    static let ten =
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\nETag: \"v1\"\r\n\r\nABCDEFGHIJ"
    static let half = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\nETag: \"v1\"\r\n\r\nABCDE"
    static let rest =
        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 5-9/10\r\nContent-Length: 5\r\n"
        + "ETag: \"v1\"\r\n\r\nFGHIJ"

    // MARK: - To the end

    @Test("A file is loaded, and lies under its name when it is whole")
    func whole() async throws {
        let server = try server(Self.ten)
        let heard = try await bench.run(server)
        #expect(heard == [.response(200), .wrote(10, of: 10), .finished("f")])
        #expect(try folder.names == ["f"])
        #expect(try folder.bytes("f") == Array("ABCDEFGHIJ".utf8))
        #expect(server.requests.map { $0["Accept-Encoding"] } == ["identity"])
        #expect(server.requests.map { $0["Range"] } == [nil])
    }

    @Test("A file without an announced length is whole at its end")
    func unknownLength() async throws {
        let server = try server("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nABC")
        let heard = try await bench.run(server)
        #expect(heard == [.response(200), .wrote(3, of: -1), .finished("f")])
        #expect(try folder.bytes("f") == Array("ABC".utf8))
    }

    @Test("An empty file is one")
    func empty() async throws {
        let server = try server("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        #expect(try await bench.run(server) == [.response(200), .finished("f")])
        #expect(try folder.bytes("f").isEmpty)
    }

    @Test("While it is loaded only the partial file is there; the old file stays till then")
    func partial() async throws {
        try folder.write("old", to: "f")
        let more = Gate()
        let server = try ScriptedServer([
            .waitForRequest, .send(Self.half), .waitFor(more), .send("FGHIJ"),
        ])
        let hasFirst = Gate()
        let recorder = RecordingDownloadDelegate { heard, _ in
            if heard == .wrote(5, of: 10) { hasFirst.open() }
        }
        let options = DownloadBench.options { $0.replacesExisting = true }
        bench.download(server, options: options, recorder).start()
        try await hasFirst.opened()
        #expect(try folder.names == ["f", "f.part", "f.part.state"])
        #expect(try folder.permissions("f.part") == 0o600)
        #expect(try folder.bytes("f") == Array("old".utf8))
        more.open()
        _ = try await recorder.ended()
        #expect(try folder.names == ["f"])
        #expect(try folder.bytes("f") == Array("ABCDEFGHIJ".utf8))
    }

    @Test("A file that is there is kept, and no request is sent")
    func existing() async throws {
        try folder.write("old", to: "f")
        let server = try server(Self.ten)
        #expect(try await bench.run(server) == [.failed(.cannotCreateFile)])
        #expect(try folder.names == ["f"])
        #expect(try folder.bytes("f") == Array("old".utf8))
        #expect(server.connectionCount == 0)
    }

    @Test("In a folder the server proposes the name, and nothing leads out of it")
    func folderTarget() async throws {
        let server = try server(
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n"
                + "Content-Disposition: attachment; filename=\"../../evil.txt\"\r\n\r\nx"
        )
        #expect(
            try await bench.run(server, to: "./")
                == [.response(200), .wrote(1, of: 1), .finished("evil.txt")]
        )
        #expect(try folder.names == ["evil.txt"])
    }

    // MARK: - Going on

    @Test(
        "What a lost network connection left is gone on with, in the next try and by a new download"
    )
    func resume() async throws {
        for tries in [2, 1] {
            let server = try server(Self.half, Self.rest)
            let recorder = RecordingDownloadDelegate()
            let first = try await bench.run(
                server,
                options: DownloadBench.options(tries: tries),
                recorder
            )
            let beginning: [RecordingDownloadDelegate.Message] = [
                .response(200), .wrote(5, of: 10),
            ]
            let ending: [RecordingDownloadDelegate.Message] = [
                .response(206), .resumed(5, of: 10), .wrote(10, of: 10), .finished("f"),
            ]
            if tries == 2 {
                #expect(first == beginning + [.willRetry] + ending)
            } else {
                #expect(first == beginning + [.failed(.networkConnectionLost)])
                #expect(try folder.names == ["f.part", "f.part.state"])
                #expect(try await bench.run(server) == ending)
            }
            #expect(try folder.names == ["f"])
            #expect(try folder.bytes("f") == Array("ABCDEFGHIJ".utf8))
            #expect(server.requests.map { $0["Range"] } == [nil, "bytes=5-"])
            #expect(server.requests.map { $0["If-Range"] } == [nil, "\"v1\""])
            try FileManager.default.removeItem(atPath: folder.path("f"))
        }
    }

    @Test("A pause brings what came to the disk; the resume goes on there")
    func pause() async throws {
        let server = try ScriptedServer(
            [.waitForRequest, .send(Self.half), .hold],
            [.waitForRequest, .send(Self.rest)]
        )
        let recorder = RecordingDownloadDelegate { heard, download in
            if heard == .wrote(5, of: 10) { download.pause() }
        }
        let download = bench.download(server, recorder)
        download.start()
        #expect(try await recorder.paused() == [.response(200), .wrote(5, of: 10), .paused])
        #expect(try folder.bytes("f.part") == Array("ABCDE".utf8))
        #expect(try folder.names == ["f.part", "f.part.state"])
        download.resume()
        #expect(
            try await recorder.ended() == [
                .response(200), .wrote(5, of: 10), .paused,
                .response(206), .resumed(5, of: 10), .wrote(10, of: 10), .finished("f"),
            ]
        )
        #expect(try folder.bytes("f") == Array("ABCDEFGHIJ".utf8))
    }

    @Test("After a cancel nothing is heard and nothing is left")
    func cancel() async throws {
        let server = try ScriptedServer([.waitForRequest, .send(Self.half), .hold])
        let cancelled = Gate()
        let recorder = RecordingDownloadDelegate { heard, download in
            guard heard == .wrote(5, of: 10) else { return }
            download.cancel()
            cancelled.open()
        }
        bench.download(server, recorder).start()
        try await cancelled.opened()
        try await server.closedByClient(connections: 1)
        let isEmpty = try await Patience.until { try folder.names.isEmpty }
        #expect(isEmpty)
        #expect(recorder.transcript == [.response(200), .wrote(5, of: 10)])
    }

    @Test("Bytes that nobody vouches for are fetched again")
    func untrusted() async throws {
        try folder.write("ABCDEFGxx", to: "f.part")
        let server = try server(Self.rest)
        let state = DownloadState(
            url: server.url("/f").absoluteString,
            finalURL: server.url("/f").absoluteString,
            validators: Validators(entityTag: "\"v1\""),
            total: 10,
            syncedLength: 5,
            suggestedName: "f"
        )
        try state.write(folder.path("f.part.state"))
        let digest = Digester.digest(.sha256, of: Array("ABCDEFGHIJ".utf8))
        let heard = try await bench.run(
            server,
            options: DownloadBench.options { $0.digests = [digest] }
        )
        #expect(
            heard == [.response(206), .resumed(5, of: 10), .wrote(10, of: 10), .finished("f")]
        )
        #expect(try folder.bytes("f") == Array("ABCDEFGHIJ".utf8))
        #expect(server.requests.map { $0["Range"] } == ["bytes=5-"])
    }

    // MARK: - Digests

    @Test("A file with the right digests is kept, one with a wrong digest is not")
    func digests() async throws {
        let bytes = Array("ABCDEFGHIJ".utf8)
        let right = DigestAlgorithm.allCases.map { Digester.digest($0, of: bytes) }
        _ = try await bench.run(
            try server(Self.ten),
            options: DownloadBench.options { $0.digests = right }
        )
        #expect(try folder.names == ["f"])
        let wrong = Digester.digest(.md5, of: [])
        let recorder = RecordingDownloadDelegate()
        let heard = try await bench.run(
            try server(Self.ten),
            to: "g",
            options: DownloadBench.options { $0.digests = right + [wrong] },
            recorder
        )
        #expect(heard == [.response(200), .wrote(10, of: 10), .failed(.badServerResponse)])
        let isRemoved = try await Patience.until { try folder.names == ["f"] }
        #expect(isRemoved)
        #expect(recorder.error?.localizedDescription.contains(wrong.hexadecimal) == true)
    }

    @Test("A digest that the server announces counts, also one that came with the first half")
    func announced() async throws {
        let right = Digester.digest(.sha256, of: Array("ABCDEFGHIJ".utf8))
        let wrong = Digester.digest(.sha256, of: [])
        for (name, digest, ending) in [
            ("f", right, RecordingDownloadDelegate.Message.finished("f")),
            ("g", wrong, .failed(.badServerResponse)),
        ] {
            let half = Self.half.replacing(
                "\r\n\r\n",
                with: "\r\nRepr-Digest: sha-256=:\(digest.base64):\r\n\r\n"
            )
            let server = try server(half, Self.rest)
            let options = DownloadBench.options(tries: 2)
            #expect(try await bench.run(server, to: name, options: options).last == ending)
        }
    }
}
