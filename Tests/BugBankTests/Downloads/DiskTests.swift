import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Bug bank: files and disks", .timeLimit(.minutes(1)))
struct DiskTests {
    private static let ten = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nABCDEFGHIJ"

    @Test("A disk that is full fails the download and stops the transfer, and others go on")
    func b142DiskFull() async throws {
        try await withBench { bench in
            let server = try bench.serve([
                .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 8388608\r\n\r\n"),
                .send([UInt8](repeating: 7, count: 2 << 20)), .hold,
            ])
            let other = try bench.serve([.waitForRequest, .send(Self.ten)])
            let delegate = RecordingDownloadDelegate()
            let download = FileDownload(
                request: server.request("/f"),
                to: URL(fileURLWithPath: "/dev/full"),
                delegate: delegate,
                loop: bench.loop
            )
            download.setDelivery(.operationQueue(bench.queue))
            download.start()
            #expect(try await delegate.ended().last == .failed(.cannotWriteToFile))
            let cause = (delegate.error as? URLError)?.userInfo[NSUnderlyingErrorKey] as? NSError
            #expect(cause?.code == Int(ENOSPC))
            try await server.closedByClient(connections: 1)
            let folder = try SaveFolder()
            #expect(try await bench.download(other, to: folder).last == .finished("f"))
        }
    }

    // B144
    @Test("The page of an error does not replace a good file", arguments: [403, 404, 500])
    func b144ErrorPage(status: Int) async throws {
        try await withBench { bench in
            let server = try bench.serve([
                .waitForRequest,
                .send("HTTP/1.1 \(status) No\r\nContent-Length: 9\r\n\r\nnot found"), .finish,
            ])
            let folder = try SaveFolder()
            try Data("good".utf8).write(to: folder.url.appending(path: "f"))
            let told = try await bench.download(server, to: folder, replaces: true)
            #expect(told.first == .response(status))
            #expect(told.count == 2)
            let isLeft = try ThisProcess.soon { try folder.names == ["f"] }
            #expect(isLeft)
            #expect(try folder.text("f") == "good")
        }
    }

    @Test("The final name appears when the file is whole; an old file stays till then")
    func b145HalfFile() async throws {
        try await withBench { bench in
            let more = Gate()
            let server = try bench.serve([
                .waitForRequest,
                .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nABCDE"),
                .waitFor(more), .send("FGHIJ"),
            ])
            let folder = try SaveFolder()
            try Data("good".utf8).write(to: folder.url.appending(path: "f"))
            let hasHalf = Gate()
            let delegate = RecordingDownloadDelegate { message, _ in
                if message == .wrote(5, of: 10) { hasHalf.open() }
            }
            bench.download(server, to: folder, replaces: true, delegate).start()
            try await hasHalf.opened()
            #expect(try folder.names == ["f", "f.part", "f.part.state"])
            #expect(try folder.text("f") == "good")
            more.open()
            #expect(try await delegate.ended().last == .finished("f"))
            #expect(try folder.names == ["f"])
            #expect(try folder.text("f") == "ABCDEFGHIJ")
        }
    }

    @Test("The file is there in the last message; of a hundred downloads each nothing else is left")
    func b147Leftovers() async throws {
        try await withBench { bench in
            let server = try bench.serve([
                .forever([
                    .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"),
                ])
            ])
            let failing = try bench.serve([
                .forever([.waitForRequest, .send("HTTP/1.1 404 No\r\nContent-Length: 2\r\n\r\nno")])
            ])
            let folder = try SaveFolder()
            for _ in 0..<100 {
                let isReadable = Gate()
                let delegate = RecordingDownloadDelegate { message, _ in
                    let isThere = (try? folder.text("f")) == "abc"
                    if message == .finished("f"), isThere { isReadable.open() }
                }
                bench.download(server, to: folder, replaces: true, delegate).start()
                #expect(try await delegate.ended().last == .finished("f"))
                #expect(isReadable.isOpen)
                #expect(try await bench.download(failing, to: folder, replaces: true).count == 2)
                let cancelled = Gate()
                let cancelling = RecordingDownloadDelegate { _, download in
                    download.cancel()
                    cancelled.open()
                }
                bench.download(server, to: folder, as: "g", cancelling).start()
                try await cancelled.opened()
                let isLeft = try ThisProcess.soon { try folder.names == ["f"] }
                #expect(isLeft)
            }
            #expect(try folder.text("f") == "abc")
        }
    }
}
