import Foundation
import Testing

@testable import RunLoopNetworking

@Suite("file: URLs", .timeLimit(.minutes(1)))
struct FileURLTests {
    @Test(
        "A URL leads to a path of this machine",
        arguments: [
            ("file:///a/b.txt", "/a/b.txt"), ("file:/a/b.txt", "/a/b.txt"),
            ("file://localhost/a", "/a"), ("FILE://LocalHost/a", "/a"),
            ("file:///a%20b%2Fc?query#fragment", "/a b/c"), ("file:///a?", "/a"),
            ("file:///folder/", "/folder/"), ("file:///a/../b", "/a/../b"),
        ]
    )
    func path(text: String, path: String) throws {
        let url = try #require(URL(string: text))
        #expect(try FileURL(url).path == Array(path.utf8))
    }

    @Test("Bytes that are no UTF-8 name files, too")
    func bytes() throws {
        let url = try #require(URL(string: "file:///%ff"))
        #expect(try FileURL(url).path == [0x2F, 0xFF])
    }

    @Test(
        "Another machine, a relative path and a NUL are refused",
        arguments: [
            "file://example.com/a", "file:a/b", "file:///a%00b", "file://user@example.com/a",
            "file:",
        ]
    )
    func refused(text: String) throws {
        let url = try #require(URL(string: text))
        let failure = #expect(throws: Failure.self) { try FileURL(url) }
        #expect(failure?.code == .badURL)
    }

    @Test(
        "What the system says becomes the error that Apple has for it",
        arguments: [
            (ENOENT, URLError.Code.fileDoesNotExist), (ENOTDIR, .fileDoesNotExist),
            (ENAMETOOLONG, .fileDoesNotExist), (ELOOP, .fileDoesNotExist),
            (EISDIR, .fileIsDirectory), (EACCES, .noPermissionsToReadFile),
            (EPERM, .noPermissionsToReadFile), (EIO, .cannotOpenFile), (EMFILE, .cannotOpenFile),
        ]
    )
    func codes(number: Int32, code: URLError.Code) {
        #expect(Failure(LocalFile.Refusal.system(number)).code == code)
    }

    @Test(
        "The extension tells the media type",
        arguments: [
            ("txt", "text/plain"), ("TXT", "text/plain"), ("jpeg", "image/jpeg"),
            ("jpg", "image/jpeg"), ("js", "text/javascript"), ("gz", "application/gzip"),
            ("xml", "application/xml"), ("mp4", "video/mp4"), ("htm", "text/html"),
            ("", "application/octet-stream"), ("nobody", "application/octet-stream"),
        ]
    )
    func types(fileExtension: String, type: String) {
        #expect(FilenameExtension.mimeType(for: fileExtension) == type)
    }
}
