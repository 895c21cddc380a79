import Foundation
import FoundationNetworking
import Testing

@testable import RunLoopNetworking

@Suite("A cache in a folder", .timeLimit(.minutes(1)))
struct ResponseCacheDiskTests {
    private let folder = FolderPlace()

    private func cache(memory: Int = 0, disk: Int = 1_000_000) -> ResponseCache {
        ResponseCache(memoryCapacity: memory, diskCapacity: disk, directory: folder.url)
    }

    private func request(_ path: String = "f", _ fields: [String: String] = [:]) throws
        -> URLRequest
    {
        var request = URLRequest(url: try #require(URL(string: "http://a.test/\(path)")))
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    private func response(
        _ text: String = "hello",
        _ fields: [String: String] = [:],
        _ policy: URLCache.StoragePolicy = .allowed
    ) throws -> CachedURLResponse {
        let made = HTTPURLResponse(
            url: try #require(URL(string: "http://a.test/f")),
            statusCode: 200,
            httpVersion: "HTTP/1.1",
            headerFields: fields
        )
        return CachedURLResponse(
            response: try #require(made),
            data: Data(text.utf8),
            userInfo: ["k": "v"],
            storagePolicy: policy
        )
    }

    private func text(_ cache: ResponseCache, _ path: String = "f") throws -> String? {
        cache.cachedResponse(for: try request(path)).map {
            String(decoding: $0.data, as: UTF8.self)
        }
    }

    @Test("What one program keeps the next one finds", arguments: [0, 100_000])
    func again(memory: Int) throws {
        let first = cache(memory: memory)
        first.store(try response("one", ["X-A": "1"]), for: try request())
        // Without a wait: it is found even while it is on its way to the disk.
        #expect(try text(first) == "one")
        first.flush()
        let second = cache(memory: memory)
        #expect(second.currentDiskUsage == first.currentDiskUsage)
        let found = try #require(second.cachedResponse(for: try request()))
        #expect(found.data == Data("one".utf8))
        #expect(found.userInfo?["k"] as? String == "v")
        let response = found.response as? HTTPURLResponse
        #expect(response?.value(forHTTPHeaderField: "X-A") == "1")
    }

    @Test("One file for each response, only for the user to read; its size is counted")
    func files() throws {
        let cache = cache()
        cache.store(try response(), for: try request("a"))
        cache.store(try response(), for: try request("b", ["Foo": "1"]))
        cache.store(try response("memory", [:], .allowedInMemoryOnly), for: try request("c"))
        cache.flush()
        let files = try folder.files
        #expect(files.count == 2)
        var sizes = 0
        for file in files {
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            sizes += attributes[.size] as? Int ?? 0
        }
        #expect(cache.currentDiskUsage == sizes)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.url.path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
    }

    @Test("A file that was cut, changed or emptied counts as none, and goes", arguments: 0..<5)
    func damaged(kind: Int) throws {
        let first = cache()
        first.store(try response(), for: try request())
        first.flush()
        let file = try #require(try folder.files.first)
        var bytes = try Data(contentsOf: file)
        switch kind {
        case 0: bytes.removeLast()
        case 1: bytes[bytes.count - 1] ^= 1
        case 2: bytes = Data()
        // The digest: a flip in the head may make it the answer to another request, which nobody asks.
        case 3: bytes[30] ^= 1
        default: bytes.append(0)
        }
        try bytes.write(to: file)
        let second = cache()
        #expect(try text(second) == nil)
        #expect(try folder.names.isEmpty)
        #expect(second.currentDiskUsage == 0)
        second.store(try response("new"), for: try request())
        #expect(try text(second) == "new")
    }

    @Test("What a program that died has left unfinished goes; other files stay")
    func leftOver() throws {
        let first = cache()
        first.store(try response(), for: try request())
        first.flush()
        // No process has such a number (proc(5), pid_max).
        let dead = folder.url.appendingPathComponent("99999999-1.new")
        let living = folder.url.appendingPathComponent(
            "\(ProcessInfo.processInfo.processIdentifier)-1.new"
        )
        let other = folder.url.appendingPathComponent("notes.txt")
        for file in [dead, living, other] { try Data("half".utf8).write(to: file) }
        let second = cache()
        let names = try folder.names
        #expect(!names.contains(dead.lastPathComponent))
        #expect(names.contains(living.lastPathComponent))
        #expect(names.contains(other.lastPathComponent))
        #expect(try text(second) == "hello")
        second.removeAll()
        second.flush()
        #expect(try folder.names == [living.lastPathComponent, other.lastPathComponent].sorted())
    }

    @Test("A writer that gives up leaves nothing")
    func givenUp() throws {
        let files = CacheFolder(folder.url)
        try files.prepare()
        let stored = try StoredResponse.made([], at: Date())
        var writer: CacheFileWriter? = try CacheFileWriter(files, stored)
        try writer?.append([1, 2, 3])
        #expect(try folder.names.count == 1)
        writer = nil
        #expect(try folder.names.isEmpty)
    }

    @Test("What was not used for longest makes room on the disk")
    func evicted() throws {
        let cache = cache(disk: 40_000)
        let text = String(repeating: "x", count: 1_000)
        for number in 0..<40 {
            cache.store(try response(text), for: try request("\(number)"))
            #expect(try self.text(cache, "0") == text)
        }
        cache.flush()
        #expect(cache.currentDiskUsage <= 40_000)
        #expect(try self.text(cache, "1") == nil)
        #expect(try self.text(cache, "39") == text)
        let sizes = try folder.files.map { try Data(contentsOf: $0).count }
        #expect(sizes.reduce(0, +) == cache.currentDiskUsage)
    }

    @Test("A response that is larger than a twentieth of the disk is not kept")
    func largest() throws {
        let cache = cache(disk: 40_000)
        cache.store(try response(String(repeating: "x", count: 2_001)), for: try request())
        #expect(try text(cache) == nil)
    }

    @Test("Two caches with one folder do each other no harm")
    func shared() throws {
        let one = cache()
        let other = cache()
        one.store(try response("one"), for: try request())
        one.flush()
        other.store(try response("two"), for: try request())
        other.flush()
        #expect(try text(one) == "two")
        one.removeAll()
        one.flush()
        #expect(try text(other) == nil)
        #expect(other.currentDiskUsage == 0)
        #expect(try folder.names.isEmpty)
    }

    @Test("Many writers of one response leave one whole file")
    func race() async throws {
        let caches = (0..<4).map { _ in cache() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, cache) in caches.enumerated() {
                group.addTask {
                    for step in 0..<25 {
                        let text = String(repeating: "\(number)", count: 1 + step * 100)
                        cache.store(try response(text), for: try request())
                        if let found = try self.text(cache) { #expect(Set(found).count == 1) }
                    }
                    cache.flush()
                }
            }
            try await group.waitForAll()
        }
        #expect(try folder.names.count == 1)
        let found = try #require(try text(cache()))
        #expect(Set(found).count == 1)
    }

    @Test("A folder that can't be used is told, and the cache works without it")
    func unusable() throws {
        try Data("x".utf8).write(to: folder.url)
        let cache = cache(memory: 100_000)
        #expect(cache.diskError != nil)
        #expect(cache.diskCapacity == 0)
        cache.store(try response(), for: try request())
        #expect(try text(cache) == "hello")
        #expect(try Data(contentsOf: folder.url) == Data("x".utf8))
    }

    @Test("User and password of a URL are not written down, and another user is given nothing")
    func userOfURL() throws {
        func request(_ user: String) throws -> URLRequest {
            URLRequest(url: try #require(URL(string: "http://\(user)a.test/f")))
        }
        let cache = cache()
        cache.store(try response(), for: try request("me:secret@"))
        cache.flush()
        let file = try #require(try folder.files.first)
        #expect(try Data(contentsOf: file).range(of: Data("secret".utf8)) == nil)
        #expect(cache.cachedResponse(for: try request("me:secret@")) != nil)
        #expect(cache.cachedResponse(for: try request("me:other@")) == nil)
        #expect(cache.cachedResponse(for: try request("")) == nil)
    }

    @Test("Values of the request are not written down")
    func secrets() throws {
        let cache = cache()
        let request = try request("f", ["Authorization": "Basic c2VjcmV0", "Foo": "c2VjcmV0"])
        cache.store(try response("hello", ["Vary": "Foo"]), for: request)
        cache.flush()
        let file = try #require(try folder.files.first)
        #expect(try Data(contentsOf: file).range(of: Data("c2VjcmV0".utf8)) == nil)
        #expect(cache.cachedResponse(for: request) != nil)
    }
}
