import Foundation
import FoundationNetworking
import Testing

@testable import RunLoopNetworking

@Suite("The cookie file", .timeLimit(.minutes(1)))
final class CookieFileTests {
    private let folder: URL
    private let file: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("cookies-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        file = folder.appendingPathComponent("cookies.json")
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    private func cookie(
        _ name: String,
        domain: String = ".example.org",
        expires: Date? = Date(timeIntervalSince1970: 4_000_000_000)
    ) throws -> HTTPCookie {
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: name, .value: "é\"/\\", .domain: domain, .path: "/p",
        ]
        properties[.expires] = expires
        return try #require(HTTPCookie(properties: properties))
    }

    @Test("What is saved is there again in the next store, in the same order")
    func roundTrip() throws {
        let store = try CookieStore(file: file)
        #expect(try names.isEmpty)
        for name in ["b", "a", "c"] { store.setCookie(try cookie(name)) }
        store.setCookie(try cookie("h", domain: "h.example.org"))
        try store.save()
        let again = try CookieStore(file: file)
        #expect(again.cookies.map(\.name) == ["b", "a", "c", "h"])
        #expect(again.cookies.map(\.value) == store.cookies.map(\.value))
        #expect(again.cookies.map(\.domain) == store.cookies.map(\.domain))
        #expect(again.cookies.map(\.expiresDate) == store.cookies.map(\.expiresDate))
        #expect(try names == ["cookies.json"])
    }

    @Test("Only the user may read the file")
    func mode() throws {
        try Data("{\"version\":1,\"cookies\":[]}".utf8).write(to: file)
        let store = try CookieStore(file: file)
        store.setCookie(try cookie("a"))
        try store.save()
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("Cookies that end with the program are not written")
    func sessionCookies() throws {
        let store = try CookieStore(file: file)
        store.setCookie(try cookie("a"))
        store.setCookie(try cookie("session", expires: nil))
        try store.save()
        #expect(store.cookies.map(\.name) == ["a", "session"])
        #expect(try CookieStore(file: file).cookies.map(\.name) == ["a"])
    }

    @Test("Each change is written without being asked for, and nothing is where nothing changes")
    func byItself() throws {
        let writer = DispatchQueue(label: "test")
        let store = CookieStore(
            CookieJar(),
            file: CookieFile(file),
            now: { Date() },
            writer: writer
        )
        #expect(store.cookies(for: try #require(URL(string: "http://example.org/p"))).isEmpty)
        #expect(!store.deleteCookie(try cookie("a")))
        writer.sync {}
        #expect(try names.isEmpty)
        store.setCookie(try cookie("a"))
        writer.sync {}
        #expect(try CookieStore(file: file).cookies.map(\.name) == ["a"])
        store.removeAll()
        writer.sync {}
        #expect(try CookieStore(file: file).cookies.isEmpty)
        #expect(store.saveError == nil)
    }

    @Test(
        "A file that can't be understood is kept aside, and the store is empty",
        arguments: [
            "", "{", "[]", "{\"version\":2,\"cookies\":[]}",
            """
            {"version":1,"cookies":[{"name":"a","value":"b\\r\\nX: y","domain":"h.org","path":"/",\
            "isHostOnly":true,"isSecure":false,"isHTTPOnly":false}]}
            """,
            """
            {"version":1,"cookies":[{"name":"a","value":"b","domain":"org","path":"/",\
            "isHostOnly":false,"isSecure":false,"isHTTPOnly":false}]}
            """,
        ]
    )
    func damaged(text: String) throws {
        try Data(text.utf8).write(to: file)
        let store = try CookieStore(file: file)
        #expect(store.cookies.isEmpty)
        #expect(try names == ["cookies.json.damaged"])
        #expect(try String(contentsOfFile: file.path + ".damaged", encoding: .utf8) == text)
        store.setCookie(try cookie("a"))
        try store.save()
        #expect(try CookieStore(file: file).cookies.map(\.name) == ["a"])
    }

    @Test("What is no file is not put aside")
    func noFile() throws {
        #expect(throws: CookieStoreError(.cannotRead, errno: EISDIR, path: folder.path)) {
            try CookieStore(file: folder)
        }
        #expect(FileManager.default.fileExists(atPath: folder.path))
    }

    @Test("A file that can't be written is told, and written when it can be")
    func notWritable() throws {
        let store = try CookieStore(file: file)
        try FileManager.default.removeItem(at: folder)
        store.setCookie(try cookie("a"))
        let error = CookieStoreError(.cannotWrite, errno: ENOENT, path: file.path)
        #expect(throws: error) { try store.save() }
        #expect(store.saveError == error)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try store.save()
        #expect(store.saveError == nil)
        #expect(try CookieStore(file: file).cookies.map(\.name) == ["a"])
    }

    @Test("A file that can't take the place of what is there leaves nothing behind")
    func notReplaceable() throws {
        let store = try CookieStore(file: file)
        let inside = file.appendingPathComponent("inside")
        try FileManager.default.createDirectory(at: inside, withIntermediateDirectories: true)
        store.setCookie(try cookie("a"))
        #expect(throws: CookieStoreError.self) { try store.save() }
        #expect(try names == ["cookies.json"])
        #expect(FileManager.default.fileExists(atPath: inside.path))
    }

    @Test("A link stays one; what it leads to is replaced")
    func link() throws {
        let link = folder.appendingPathComponent("link")
        try Data("{\"version\":1,\"cookies\":[]}".utf8).write(to: file)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        let store = try CookieStore(file: link)
        store.setCookie(try cookie("a"))
        try store.save()
        #expect(try CookieStore(file: file).cookies.map(\.name) == ["a"])
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: link.path)
        #expect(target == file.path)
    }

    @Test("Threads that change a store at once lose nothing")
    func threads() throws {
        let store = try CookieStore(file: file)
        let made = try (0..<100).map { try cookie("\($0)") }
        DispatchQueue.concurrentPerform(iterations: made.count) { index in
            store.setCookie(made[index])
            _ = store.cookies
        }
        try store.save()
        let names = try CookieStore(file: file).cookies.map(\.name)
        #expect(names == store.cookies.map(\.name))
        #expect(Set(names).count == made.count)
    }

    @Test("A store in memory has nothing to save")
    func inMemory() throws {
        let store = CookieStore()
        store.setCookie(try cookie("a"))
        try store.save()
        #expect(store.saveError == nil)
    }
}
