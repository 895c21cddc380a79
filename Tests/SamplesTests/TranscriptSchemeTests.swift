import Foundation
import Testing

@Suite("What transcript prints of other schemes", .timeLimit(.minutes(1)))
struct TranscriptSchemeTests {
    @Test("A data: URL has no status and no fields")
    func data() async throws {
        let url = "data:text/plain;charset=utf-8,ABCD"
        let lines = try await TranscriptLines([url])
        let response = #"""
            {"message":"response","on":"main","connection":0,"status":null,"url":"\#(url)","headers":{},"expected":4,"mime":"text/plain","encoding":"utf-8","filename":"unknown.txt"}
            """#
        try #require(lines.messages.count == 4)
        #expect(lines.messages[1] == TranscriptLine(response))
        #expect(lines.messages[2] == .data(on: "main"))
        #expect(lines.messages[3] == .last("finished"))
        #expect(lines.status == 0)
    }

    @Test("A file: URL that leads nowhere fails with Apple's code")
    func file() async throws {
        let url = try #require(URL(string: "file:///nobody/knows"))
        let lines = try await TranscriptLines(["\(url)"])
        #expect(lines.messages == [.willSend(url), .failed(-1100, url)])
        #expect(lines.status == 1)
    }
}
