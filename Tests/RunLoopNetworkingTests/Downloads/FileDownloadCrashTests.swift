import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import Testing

@testable import RunLoopNetworking

@Suite("Downloads whose process is killed", .timeLimit(.minutes(1)))
struct FileDownloadCrashTests {
    private static let length = 4 << 20
    private static let known = 64 << 10

    @Test(
        "Nothing lies under the final name, and the next process comes to the right file",
        arguments: [(1, false), (100_000, false), (1_000_000, true), (4 << 20, false)]
            as [(Int64, Bool)]
    )
    func killed(threshold: Int64, isVouchedFor: Bool) async throws {
        let folder = try TemporaryFolder()
        let body = (0..<Self.length).map { UInt8($0 % 251) }
        func head(_ status: String, _ count: Int, _ field: String = "") -> [UInt8] {
            let text =
                "HTTP/1.1 \(status)\r\nETag: \"v1\"\r\nContent-Length: \(count)\r\n\(field)\r\n"
            return Array(text.utf8)
        }
        let whole = head("200 OK", body.count) + body
        let range = "Content-Range: bytes \(Self.known)-\(Self.length - 1)/\(Self.length)\r\n"
        let rest =
            head("206 Partial Content", Self.length - Self.known, range) + body[Self.known...]
        let answers = isVouchedFor ? [whole, rest] : [whole, whole]
        let server = try ScriptedServer { _ in
            answers.map { [.waitForRequest, .send($0), .finish] }
        }
        let url = server.url("/f").absoluteString
        let path = folder.path("f")
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [url = url as String, path = path as String, threshold, isVouchedFor] in
            let delegate = RecordingDownloadDelegate { message, _ in
                guard case .wrote(let total, _) = message, total >= threshold else { return }
                while isVouchedFor {
                    // The file is brought to the disk by other threads than this one.
                    if case .state(let state) = try? DownloadState.read(path + ".part.state"),
                        state.syncedLength >= 64 << 10
                    {
                        break
                    }
                    sched_yield()
                }
                kill(getpid(), SIGKILL)
            }
            var options = DownloadOptions()
            options.blockSize = 64 << 10
            options.syncInterval = 64 << 10
            let loop = EventLoop(name: "killed")
            loop.start()
            let download = FileDownload(
                request: URLRequest(url: try #require(URL(string: url))),
                to: URL(fileURLWithPath: path),
                options: options,
                delegate: delegate,
                loop: loop
            )
            download.setDelivery(.onLoop)
            download.start()
            _ = try await delegate.ended()
        }
        // Under its name it can be only where all of it had come.
        if threshold < Self.length { #expect(try !folder.names.contains("f")) }
        guard try !folder.names.contains("f") else {
            #expect(try folder.bytes("f") == body)
            return
        }
        let bench = try DownloadBench()
        let heard = try await bench.run(
            server,
            to: path,
            options: DownloadBench.options(tries: 2)
        )
        #expect(heard.last == .finished("f"))
        #expect(try folder.names == ["f"])
        #expect(try folder.bytes("f") == body)
        if isVouchedFor { #expect(server.requests.last?["If-Range"] == "\"v1\"") }
    }
}
