import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

/// Debian's vsftpd in place of a dialogue that was written to please us.
@Suite("vsftpd", .timeLimit(.minutes(1)))
struct VsftpdTests {
    private let server: Vsftpd
    private let loop = LoadingLoop()

    init() throws {
        server = try Vsftpd()
    }

    private func load(_ path: String, user: String = "") async throws -> RecordingDelegate {
        let text = "\(server.url)\(path)".replacing("//", with: "//\(user)", maxReplacements: 1)
        let url = try #require(URL(string: text))
        return try await loop.load(url)
    }

    @Test("Files come whole, one after another, with their lengths and names")
    func files() async throws {
        for size in [1, 100_000, 5_000_000] {
            let bytes = Data(CounterPattern.bytes(count: size))
            try server.put("folder/a b.txt", bytes)
            let delegate = try await load("folder/a%20b.txt")
            #expect(delegate.transcript == [.response(0), .data(size), .finished])
            #expect(delegate.body == bytes)
            let response = try #require(delegate.responses.first)
            #expect(response.expectedContentLength == Int64(size))
            #expect(response.mimeType == "text/plain")
            #expect(response.suggestedFilename == "a b.txt")
        }
    }

    @Test("An empty file is one")
    func empty() async throws {
        try server.put("empty", Data())
        let delegate = try await load("empty")
        #expect(delegate.transcript == [.response(0), .finished])
        #expect(delegate.responses.first?.expectedContentLength == 0)
    }

    @Test("A folder is a text with a line for each name")
    func folder() async throws {
        try server.put("folder/one", Data("1".utf8))
        try server.put("folder/two", Data("22".utf8))
        let delegate = try await load("folder/")
        #expect(delegate.transcript.first == .response(0))
        #expect(delegate.transcript.last == .finished)
        let lines = String(decoding: delegate.body, as: UTF8.self).split(
            whereSeparator: \.isNewline
        )
        #expect(lines.map { $0.split(separator: " ").last } == ["one", "two"])
        #expect(delegate.responses.first?.mimeType == "text/plain")
        #expect(delegate.responses.first?.expectedContentLength == -1)
    }

    @Test(
        "What is not there is told, file or folder",
        arguments: ["nobody", "nobody/knows", "nobody/"]
    )
    func missing(path: String) async throws {
        #expect(try await load(path).transcript == [.failed(.fileDoesNotExist)])
    }

    @Test("A user whom the server does not know is refused")
    func login() async throws {
        let delegate = try await load("folder/", user: "somebody:secret@")
        #expect(delegate.transcript == [.failed(.userAuthenticationRequired)])
    }
}
