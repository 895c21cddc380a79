import Foundation
import Testing

@testable import RunLoopNetworking

@Suite("Suggested file name", .timeLimit(.minutes(1)))
struct SuggestedFilenameTests {
    private func name(
        _ filename: String?,
        url: String = "http://example.com/from-url.bin",
        mimeType: String? = nil
    ) -> String {
        let quoted = filename?.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return SuggestedFilename.name(
            disposition: quoted.map { "attachment; filename=\"\($0)\"" },
            url: URL(string: url),
            mimeType: mimeType
        )
    }

    @Test(
        "The sources are the disposition, the last path component, the host, and a last resort",
        arguments: [
            ("given.txt", "http://example.com/dir/file.bin", "given.txt"),
            (nil, "http://example.com/dir/file.bin?sig=a/b#c", "file.bin"),
            (nil, "http://example.com/dir/", "dir"),
            (nil, "http://example.com/na%C3%AFve%20x.txt", "naïve x.txt"),
            (nil, "http://example.com/caf%E9.txt", "café.txt"),
            (nil, "http://example.com/", "example.com"),
            (nil, "http://example.com//", "example.com"),
            (nil, "http://example.com", "example.com"),
            (nil, "http://127.0.0.1:8080/?q=1", "127.0.0.1"),
            (nil, "http://[::1]:8080/", "::1"),
            (nil, "file:///tmp/x.txt", "x.txt"),
            (nil, "data:text/plain,hello", "unknown"),
            (nil, "mailto:a/b@example.com", "unknown"),
            (nil, "file:///", "unknown"),
        ] as [(String?, String, String)]
    )
    func sources(filename: String?, url: String, expected: String) {
        #expect(name(filename, url: url) == expected)
    }

    @Test("Without a URL the name is unknown")
    func noURL() {
        #expect(SuggestedFilename.name(disposition: nil, url: nil, mimeType: nil) == "unknown")
    }

    // B027
    @Test(
        "A name from the server cannot leave the folder",
        arguments: [
            ("../../../../tmp/pwned", "pwned"),
            ("/etc/passwd", "passwd"),
            ("..\\..\\x", "x"),
            ("C:\\dir/sub\\y.txt", "y.txt"),
            ("a/b", "b"),
            ("/\u{301}x", "\u{301}x"),
            ("a/\u{301}b/c", "c"),
            ("x\u{0}y", "xy"),
            ("one\ntwo\r\u{7F}\u{85}.txt", "onetwo.txt"),
            ("exe.\u{202E}txt\u{2028}", "exe.txt"),
            ("  report.pdf\t ", "report.pdf"),
            ("-rf", "-rf"), ("~/x", "x"), ("~x", "~x"), (".bashrc", ".bashrc"), ("...a", "...a"),
            ("a..", "a.."),
        ]
    )
    func traversal(filename: String, expected: String) {
        #expect(name(filename) == expected)
    }

    // B027
    @Test(
        "A name of which nothing remains makes way for the URL",
        arguments: [
            "..", ".", "...", "", " ", ". .", "\u{0}", ".\u{0}.", "a/", "a/..", "..\\", "\u{3000}.",
            "." + String(repeating: " ", count: 300) + "a",
        ]
    )
    func nothingRemains(filename: String) {
        #expect(name(filename) == "from-url.bin")
    }

    // B027 (no header), B028 (the last variant)
    @Test(
        "A path component is split before it is decoded, and decoded before it is made safe",
        arguments: [
            ("http://example.com/%2e%2e%2fevil", "evil"),
            ("http://example.com/a%2Fb", "b"),
            ("http://example.com/a%5Cb", "b"),
            ("http://example.com/a%00b%0A", "ab"),
            ("http://example.com/..", "example.com"),
            ("http://example.com/%2e%2e", "example.com"),
            ("http://example.com/a%2F", "example.com"),
            ("http://example.com/x%252Fy", "x%2Fy"),
        ]
    )
    func escapedPath(url: String, expected: String) {
        #expect(name(nil, url: url) == expected)
    }

    // B027, B028
    @Test("An escaped path in a starred name is dropped")
    func starredPath() {
        let name = SuggestedFilename.name(
            disposition: "attachment; filename*=UTF-8''..%2F..%2Fx.txt",
            url: nil,
            mimeType: nil
        )
        #expect(name == "x.txt")
    }

    // B033
    @Test(
        "The usual extension is added to a name that has none",
        arguments: [
            (nil, "http://127.0.0.1:8080", "text/html", "127.0.0.1.html"),
            (nil, "http://example.com/", "text/html", "example.com.html"),
            (nil, "http://example.com./", "TEXT/HTML", "example.com.html"),
            (nil, "http://example.com/dir/", "text/html", "dir.html"),
            (nil, "data:text/plain,hello", "text/plain", "unknown.txt"),
            ("report", "http://h/", "application/pdf", "report.pdf"),
            ("report.", "http://h/", "application/pdf", "report.pdf"),
            ("report.txt", "http://h/", "application/pdf", "report.txt"),
            ("v1.2 final", "http://h/", "application/pdf", "v1.2 final.pdf"),
            (".hidden", "http://h/", "text/plain", ".hidden.txt"),
            ("x.aaaaaaaaaaaaaaaaa", "http://h/", "text/plain", "x.aaaaaaaaaaaaaaaaa.txt"),
            ("report", "http://h/", "application/octet-stream", "report"),
            ("report", "http://h/", "made/up", "report"),
            (nil, "http://example.com/", "application/octet-stream", "example.com"),
        ] as [(String?, String, String, String)]
    )
    func extensions(filename: String?, url: String, mimeType: String, expected: String) {
        #expect(name(filename, url: url, mimeType: mimeType) == expected)
    }

    // B031
    @Test("A long query is no part of the name")
    func longQuery() {
        let url = "http://h/data.bin?sig=" + String(repeating: "a", count: 400)
        #expect(name(nil, url: url) == "data.bin")
    }

    // B031
    @Test(
        "A name is cut to 255 bytes between characters, and the extension is kept",
        arguments: [
            (
                String(repeating: "é", count: 300) + ".bin",
                String(repeating: "é", count: 125) + ".bin"
            ),
            (
                String(repeating: "a", count: 251) + ".bin",
                String(repeating: "a", count: 251) + ".bin"
            ),
            (
                String(repeating: "a", count: 252) + ".bin",
                String(repeating: "a", count: 251) + ".bin"
            ),
            (String(repeating: "👨‍👩‍👧", count: 20), String(repeating: "👨‍👩‍👧", count: 14)),
            (
                "e" + String(repeating: "\u{301}", count: 200) + ".bin",
                "e" + String(repeating: "\u{301}", count: 125) + ".bin"
            ),
        ]
    )
    func cutting(filename: String, expected: String) {
        #expect(name(filename) == expected)
        #expect(name(filename).utf8.count <= 255)
    }

    @Test("Room is made for the extension that is added")
    func cuttingForAddedExtension() {
        let long = String(repeating: "a", count: 255)
        #expect(name(long, mimeType: "text/html") == String(long.dropLast(5)) + ".html")
    }

    // B031: the URL of the bug bank
    @Test("A long component of a URL is cut like any other name")
    func longComponent() {
        let url = "http://h/" + String(repeating: "%C3%A9", count: 300) + ".bin"
        #expect(name(nil, url: url) == String(repeating: "é", count: 125) + ".bin")
    }

    // B027, B031, B033
    @Test("Whatever the server says, the file lies directly in the folder")
    func alwaysCreatable() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "suggested-filename-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        var generator = SplitMix(state: 31)
        let alphabet = Array("/\\.. %2e\u{0}\n\"';=*~-aé\u{301}\u{202E}👩‍🚀\u{FF}".unicodeScalars)
        for _ in 0..<500 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...320, using: &generator) {
                text.append(alphabet[Int.random(in: 0..<alphabet.count, using: &generator)])
            }
            let name = SuggestedFilename.name(
                disposition: "attachment; filename=" + String(text),
                url: URL(string: "http://h/" + String(text)),
                mimeType: Bool.random(using: &generator) ? "text/html" : nil
            )
            let file = folder.appending(path: name, directoryHint: .notDirectory)
            try Data("x".utf8).write(to: file)
            let found = try FileManager.default.contentsOfDirectory(atPath: folder.path())
            try #require(found.map { Array($0.utf8) } == [Array(name.utf8)])
            try FileManager.default.removeItem(at: file)
        }
    }
}

/// A generator with a seed, so that a failure comes again.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
