import Foundation
import FoundationNetworking
import Testing

@testable import RunLoopNetworking

@Suite("A cache in memory", .timeLimit(.minutes(1)))
struct ResponseCacheTests {
    private let cache = ResponseCache(memoryCapacity: 200_000)

    private func request(_ path: String = "f", _ fields: [String: String] = [:]) throws
        -> URLRequest
    {
        var request = URLRequest(url: try #require(URL(string: "http://a.test/\(path)")))
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    private func response(
        _ size: Int = 5,
        status: Int = 200,
        _ fields: [String: String] = [:],
        userInfo: [AnyHashable: Any]? = nil,
        _ policy: URLCache.StoragePolicy = .allowed
    ) throws -> CachedURLResponse {
        let made = HTTPURLResponse(
            url: try #require(URL(string: "http://a.test/f")),
            statusCode: status,
            httpVersion: "HTTP/1.1",
            headerFields: fields
        )
        return CachedURLResponse(
            response: try #require(made),
            data: Data(repeating: 7, count: size),
            userInfo: userInfo,
            storagePolicy: policy
        )
    }

    @Test("What is stored is there, with response, data and user info")
    func stored() throws {
        let proposed = try response(5, ["X-A": "1"], userInfo: ["k": ["v", 1]])
        cache.store(proposed, for: try request())
        let found = try #require(cache.cachedResponse(for: try request()))
        let response = try #require(found.response as? HTTPURLResponse)
        #expect(response.statusCode == 200)
        #expect(response.value(forHTTPHeaderField: "x-a") == "1")
        #expect(response.url?.absoluteString == "http://a.test/f")
        #expect(found.data == Data(repeating: 7, count: 5))
        #expect(found.userInfo?["k"] as? NSArray == ["v", 1])
        #expect(cache.currentMemoryUsage > 5)
        #expect(cache.currentDiskUsage == 0)
    }

    @Test(
        "The key is the whole URL but for its fragment",
        arguments: [
            ("f", true), ("f#x", true), ("f?q", false), ("F", false), ("", false),
        ]
    )
    func key(path: String, isThere: Bool) throws {
        cache.store(try response(), for: try request())
        #expect((cache.cachedResponse(for: try request(path)) != nil) == isThere)
    }

    @Test("Scheme, port and method are other keys; the host's letter case is not")
    func otherKeys() throws {
        cache.store(try response(), for: try request())
        for text in ["https://a.test/f", "http://a.test:81/f", "http://b.test/f", "ftp://a.test/f"]
        {
            let request = URLRequest(url: try #require(URL(string: text)))
            #expect(cache.cachedResponse(for: request) == nil)
        }
        var post = try request()
        post.httpMethod = "POST"
        #expect(cache.cachedResponse(for: post) == nil)
        let same = URLRequest(url: try #require(URL(string: "HTTP://A.test/f")))
        #expect(cache.cachedResponse(for: same) != nil)
    }

    @Test("Variants of one URL lie beside each other, and are removed together")
    func variants() throws {
        for value in ["1", "2"] {
            let request = try request("f", ["Foo": value])
            cache.store(try response(Int(value) ?? 0, ["Vary": "Foo"]), for: request)
        }
        #expect(cache.cachedResponse(for: try request("f", ["Foo": "1"]))?.data.count == 1)
        #expect(cache.cachedResponse(for: try request("f", ["Foo": "2"]))?.data.count == 2)
        #expect(cache.cachedResponse(for: try request("f")) == nil)
        cache.removeCachedResponse(for: try request("f"))
        #expect(cache.cachedResponse(for: try request("f", ["Foo": "1"])) == nil)
        #expect(cache.currentMemoryUsage == 0)
    }

    @Test("A newer one takes the place of an older one; removeAll leaves nothing")
    func replaced() throws {
        cache.store(try response(5), for: try request())
        let usage = cache.currentMemoryUsage
        cache.store(try response(6), for: try request())
        #expect(cache.cachedResponse(for: try request())?.data.count == 6)
        #expect(cache.currentMemoryUsage == usage + 1)
        cache.store(try response(), for: try request("g"))
        cache.removeAll()
        #expect(cache.cachedResponse(for: try request()) == nil)
        #expect(cache.cachedResponse(for: try request("g")) == nil)
        #expect(cache.currentMemoryUsage == 0)
    }

    @Test("A response may take a twentieth, and no more; it takes out what it would have replaced")
    func largest() throws {
        cache.store(try response(9_000), for: try request())
        #expect(cache.cachedResponse(for: try request()) != nil)
        cache.store(try response(10_001), for: try request())
        #expect(cache.cachedResponse(for: try request()) == nil)
    }

    @Test("What was used last stays")
    func evicted() throws {
        for number in 0..<22 {
            cache.store(try response(9_000), for: try request("\(number)"))
            _ = cache.cachedResponse(for: try request("0"))
        }
        #expect(cache.currentMemoryUsage <= 200_000)
        #expect(cache.cachedResponse(for: try request("0")) != nil)
        #expect(cache.cachedResponse(for: try request("1")) == nil)
        #expect(cache.cachedResponse(for: try request("2")) == nil)
        #expect(cache.cachedResponse(for: try request("21")) != nil)
    }

    @Test("Not kept is what may not be kept")
    func refused() throws {
        cache.store(try response(5, userInfo: nil, .notAllowed), for: try request())
        for status in [206, 301, 304] {
            cache.store(try response(status: status), for: try request())
        }
        cache.store(try response(5, ["Vary": "*"]), for: try request())
        var post = try request()
        post.httpMethod = "POST"
        cache.store(try response(), for: post)
        #expect(cache.currentMemoryUsage == 0)
        #expect(ResponseCache(memoryCapacity: 0).currentMemoryUsage == 0)
    }

    @Test("User info that can be no property list is left out")
    func userInfo() throws {
        cache.store(
            try response(5, userInfo: ["k": Date.distantPast.self, 5: 6]),
            for: try request()
        )
        let found = try #require(cache.cachedResponse(for: try request()))
        #expect(found.userInfo == nil)
    }

    @Test("Threads may use one cache at once")
    func threads() async throws {
        let cache = cache
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    for step in 0..<50 {
                        let request = try request("\((number + step) % 5)")
                        cache.store(try response(3_000 + step), for: request)
                        _ = cache.cachedResponse(for: request)
                        if step % 9 == 0 { cache.removeCachedResponse(for: request) }
                        if step % 25 == 24 { cache.removeAll() }
                    }
                }
            }
            try await group.waitForAll()
        }
        cache.removeAll()
        #expect(cache.currentMemoryUsage == 0)
    }
}
