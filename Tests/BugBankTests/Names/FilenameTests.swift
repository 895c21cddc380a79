import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Bug bank: names of files", .timeLimit(.minutes(1)))
struct FilenameTests {
    /// Loads a path whose response has some fields, and saves the body under the name that it suggests.
    private func savedName(_ path: String, _ fields: [UInt8]) async throws -> String {
        try await withBench { bench in
            let head = Array("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n".utf8)
            let server = try bench.serve([
                .waitForRequest, .send(head + fields + Array("\r\nx".utf8)), .hold,
            ])
            let delegate = try await bench.load(server.request(path))
            #expect(delegate.transcript == [.response(200), .data(1), .finished])
            #expect(delegate.response?.expectedContentLength == 1)
            let name = try #require(delegate.response?.suggestedFilename)
            #expect(!name.isEmpty && name != "." && name != "..")
            #expect(!name.unicodeScalars.contains { $0 == "/" || $0.value < 32 || $0.value == 127 })
            #expect(name.utf8.count <= 255)
            let folder = try SaveFolder()
            try folder.save(delegate.body, as: name)
            return name
        }
    }

    private func savedName(disposition: String, path: String = "/from-url.bin") async throws
        -> String
    {
        try await savedName(path, Array("Content-Disposition: \(disposition)\r\n".utf8))
    }

    // B027
    @Test(
        "A name from the server can't leave the folder",
        arguments: [
            ("filename=\"../../../../tmp/pwned\"", "pwned"), ("filename=\"/etc/passwd\"", "passwd"),
            ("filename=\"..\\..\\x\"", nil), ("filename=\"..\"", "from-url.bin"),
            ("filename=\".\"", "from-url.bin"), ("filename=\"a/b\"", "b"),
            ("filename*=UTF-8''a%2Fb", "b"), ("filename*=UTF-8''x%00y", "xy"),
            ("filename*=UTF-8''x%0Ay", "xy"), ("filename=\"-rf\"", "-rf"),
            ("filename=\"~/x\"", "x"),
            ("filename=\"\"", "from-url.bin"), ("filename*=UTF-8''..%2F..%2F", "from-url.bin"),
        ] as [(String, String?)]
    )
    func b027NameClimbs(parameter: String, expected: String?) async throws {
        let name = try await savedName(disposition: "attachment; \(parameter)")
        if let expected { #expect(name == expected) }
        #expect(!name.contains("\\"))
    }

    // B027: the line feed ends the field, and what follows is another one, or none.
    @Test(
        "A NUL or a line feed in a name makes a failure, or a name without it",
        arguments: ["{NUL}", "\n"]
    )
    func b027RawControlBytes(control: String) async throws {
        try await withBench { bench in
            let byte = control.replacingOccurrences(of: "{NUL}", with: "\0")
            let text =
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n"
                + "Content-Disposition: attachment; filename=\"x\(byte)y\"\r\n\r\nx"
            let delegate = try await bench.load([.send(text), .hold])
            if delegate.urlError == nil {
                let name = try #require(delegate.response?.suggestedFilename)
                #expect(!name.utf8.contains { $0 < 32 })
            } else {
                #expect(delegate.transcript.count == 1)
            }
        }
    }

    // B027
    @Test("A path of a URL can't leave the folder either")
    func b027PathClimbs() async throws {
        #expect(try await savedName("/%2e%2e%2fevil", []) == "evil")
    }

    // B028
    @Test(
        "The starred name wins, and one that can't be decoded counts for nothing",
        arguments: [
            (
                "filename=\"fallback.txt\"; filename*=UTF-8''na%C3%AFve%20caf%C3%A9.txt",
                "naïve café.txt"
            ),
            (
                "filename*=UTF-8''na%C3%AFve%20caf%C3%A9.txt; filename=\"fallback.txt\"",
                "naïve café.txt"
            ),
            ("filename=\"fallback.txt\"; filename*=iso-8859-1'en'%A3.txt", "£.txt"),
            ("filename=\"fallback.txt\"; filename*=UTF-8''bad%zz.txt", "fallback.txt"),
            ("filename*=UTF-8''bad%zz.txt", "from-url.bin"),
            ("filename=\"fallback.txt\"; filename*=UTF-8''..%2Fx", "x"),
        ]
    )
    func b028StarredName(parameters: String, expected: String) async throws {
        #expect(try await savedName(disposition: "attachment; \(parameters)") == expected)
    }

    // B029: the percent form is kept as it is. Bytes that are no UTF-8 are read as Latin-1.
    @Test(
        "Raw UTF-8 in a plain name is read, and other bytes make some safe name",
        arguments: [
            (Array("中文 报告.pdf".utf8), "中文 报告.pdf"), (Array("%E4%B8%AD.pdf".utf8), "%E4%B8%AD.pdf"),
            ([0xD6, 0xD0, 0xCE, 0xC4] + Array(".pdf".utf8), "ÖÐÎÄ.pdf"), ([0xFF], "ÿ"),
        ]
    )
    func b029RawBytes(bytes: [UInt8], expected: String) async throws {
        let begin = Array("X-Before: 1\r\nContent-Disposition: attachment; filename=\"".utf8)
        let end = Array("\"\r\nX-After: 2\r\n".utf8)
        #expect(try await savedName("/from-url.bin", begin + bytes + end) == expected)
    }

    // B031
    @Test("A name from a URL leaves out the query, and is cut to what a file system takes")
    func b031LongURL() async throws {
        let query = String(repeating: "a", count: 400)
        #expect(try await savedName("/data.bin?sig=\(query)", []) == "data.bin")
        let long = String(repeating: "%C3%A9", count: 300)
        let expected = String(repeating: "é", count: 125) + ".bin"
        #expect(try await savedName("/\(long).bin", []) == expected)
    }

    // B033
    @Test(
        "Without any name to be had there is one all the same",
        arguments: [
            ("", "127.0.0.1.html"), ("/", "127.0.0.1.html"), ("/dir/", "dir.html"),
            ("/?q=1", "127.0.0.1.html"),
        ]
    )
    func b033NoNameToBeHad(path: String, expected: String) async throws {
        let type = Array("Content-Type: text/html\r\n".utf8)
        #expect(try await savedName(path, type) == expected)
        let bare = Array("Content-Disposition: attachment\r\n".utf8)
        #expect(try await savedName(path, type + bare) == expected)
    }
}
