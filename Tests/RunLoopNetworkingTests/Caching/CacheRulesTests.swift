import Foundation
import FoundationNetworking
import Testing

@testable import RunLoopNetworking

@Suite("What a cache may keep and hand out", .timeLimit(.minutes(1)))
struct CacheRulesTests {
    private static let now = Date(timeIntervalSince1970: 1_796_000_000)

    private func request(
        _ fields: [String: String] = [:],
        method: String = "GET",
        _ policy: URLRequest.CachePolicy = .useProtocolCachePolicy
    ) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: "http://a.test/f")))
        request.httpMethod = method
        request.cachePolicy = policy
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    private func head(_ lines: [String], status: Int = 200) throws -> HeaderBlock {
        HeaderBlock(
            statusCode: status,
            httpVersion: "HTTP/1.1",
            reason: "",
            fields: try HeaderBlock(fieldLines: lines).fields
        )
    }

    // MARK: - Keeping

    @Test(
        "Kept is what says how long it lasts, or has a status that may be guessed about",
        arguments: [
            ([], 200, true), ([], 404, true), ([], 501, true), ([], 201, false), ([], 500, false),
            (["Cache-Control: max-age=1"], 500, true), (["Expires: 0"], 599, true),
            (["Cache-Control: public"], 201, true), (["Cache-Control: private"], 201, true),
            (["Cache-Control: no-cache"], 200, true), (["Cache-Control: no-store"], 200, false),
            (["Cache-Control: max-age=9, NO-STORE"], 200, false),
            (["Cache-Control: no-store, must-understand"], 200, true),
            (["Cache-Control: max-age=9, no-store, must-understand"], 599, false),
            (["Vary: Foo"], 200, true), (["Vary: Foo, *"], 200, false),
            (["Cache-Control: max-age=9"], 206, false), (["Cache-Control: max-age=9"], 304, false),
            (["Cache-Control: max-age=9"], 301, false), (["Cache-Control: max-age=9"], 308, false),
            (["Cache-Control: max-age=9"], 401, false), (["Cache-Control: max-age=9"], 407, false),
        ]
    )
    func mayStore(lines: [String], status: Int, isKept: Bool) throws {
        let request = try request()
        let head = try head(lines, status: status)
        #expect(CacheRules.mayStore(head, for: request, RequestFields(request)) == isKept)
    }

    @Test(
        "Only what a plain GET brings is kept; Authorization does not forbid it",
        arguments: [
            ([:], "GET", true), (["Authorization": "x"], "GET", true), ([:], "POST", false),
            ([:], "HEAD", false), (["Range": "bytes=0-1"], "GET", false),
            (["Cache-Control": "no-store"], "GET", false),
            (["If-None-Match": "\"a\""], "GET", true),
        ] as [([String: String], String, Bool)]
    )
    func mayStoreFor(fields: [String: String], method: String, isKept: Bool) throws {
        let request = try request(fields, method: method)
        let head = try head(["Cache-Control: max-age=9"])
        #expect(CacheRules.mayStore(head, for: request, RequestFields(request)) == isKept)
    }

    // MARK: - Handing out

    private func decision(
        _ lines: [String],
        age: Double,
        _ fields: [String: String] = [:],
        _ policy: URLRequest.CachePolicy = .useProtocolCachePolicy
    ) throws -> CacheRules.Decision {
        let request = try request(fields, policy)
        let stored = try StoredResponse.made(lines, at: Self.now)
        let given = RequestFields(request)
        return CacheRules.decide(request, given, stored, at: Self.now + age)
    }

    @Test(
        "What is fresh answers; what is stale is asked about, or loaded where nothing can be asked",
        arguments: [
            (["Cache-Control: max-age=60"], 59.0, .serve),
            (["Cache-Control: max-age=60"], 60, .load),
            (["Cache-Control: max-age=60", "ETag: \"a\""], 60, .validate),
            (
                ["Cache-Control: max-age=60", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"], 60,
                .validate
            ),
            (["Cache-Control: max-age=60", "Last-Modified: yesterday"], 60, .load),
            (["Cache-Control: max-age=60, no-cache", "ETag: \"a\""], 1, .validate),
            (["Cache-Control: max-age=60, no-cache=\"x\"", "ETag: \"a\""], 1, .serve),
            (["Cache-Control: max-age=60, must-revalidate"], 1, .serve), ([], 0, .load),
        ] as [([String], Double, CacheRules.Decision)]
    )
    func byProtocol(lines: [String], age: Double, decision: CacheRules.Decision) throws {
        #expect(try self.decision(lines, age: age) == decision)
    }

    @Test(
        "The request's own Cache-Control counts",
        arguments: [
            ("max-age=10", 10.0, .serve), ("max-age=10", 11, .validate),
            ("max-age=x", 1, .validate),
            ("min-fresh=30", 20, .serve), ("min-fresh=30", 30, .validate),
            ("no-cache", 1, .validate),
            ("max-stale=10", 69, .serve), ("max-stale=10", 70, .validate),
            ("max-stale", 9999, .serve),
            ("max-stale=x", 70, .validate), ("only-if-cached", 1, .serve),
            ("only-if-cached", 70, .fail),
        ] as [(String, Double, CacheRules.Decision)]
    )
    func byRequest(control: String, age: Double, decision: CacheRules.Decision) throws {
        let lines = ["Cache-Control: max-age=60", "ETag: \"a\""]
        #expect(try self.decision(lines, age: age, ["Cache-Control": control]) == decision)
    }

    @Test("must-revalidate forbids what max-stale allows; Pragma counts where it is alone")
    func others() throws {
        let strict = ["Cache-Control: max-age=60, must-revalidate", "ETag: \"a\""]
        #expect(try decision(strict, age: 61, ["Cache-Control": "max-stale"]) == .validate)
        let fresh = ["Cache-Control: max-age=60", "ETag: \"a\""]
        #expect(try decision(fresh, age: 1, ["Pragma": "no-cache"]) == .validate)
        let both = ["Pragma": "no-cache", "Cache-Control": "max-age=60"]
        #expect(try decision(fresh, age: 1, both) == .serve)
    }

    @Test(
        "A policy of the request stands above freshness",
        arguments: [
            (.reloadIgnoringLocalCacheData, .load), (.reloadIgnoringLocalAndRemoteCacheData, .load),
            (.returnCacheDataElseLoad, .serve), (.returnCacheDataDontLoad, .serve),
            (.reloadRevalidatingCacheData, .validate),
        ] as [(URLRequest.CachePolicy, CacheRules.Decision)]
    )
    func byPolicy(policy: URLRequest.CachePolicy, decision: CacheRules.Decision) throws {
        for control in ["max-age=60", "max-age=0", "no-cache"] {
            let lines = ["Cache-Control: \(control)", "ETag: \"a\""]
            #expect(try self.decision(lines, age: 1, [:], policy) == decision)
        }
    }

    @Test("A Range and a condition of the caller's are between the caller and the origin")
    func notAnswered() throws {
        let names = ["Range", "If-None-Match", "If-Modified-Since", "If-Match", "If-Range"]
        for name in names {
            let request = try request([name: "x"])
            #expect(!CacheRules.looksForStored(request, RequestFields(request)))
        }
        let plain = try request()
        #expect(CacheRules.looksForStored(plain, RequestFields(plain)))
        let noStore = try request(["Cache-Control": "no-store"])
        #expect(!CacheRules.looksForStored(noStore, RequestFields(noStore)))
    }

    @Test("stale-if-error is needed for a stale response to stand in, and lasts so long")
    func standIn() throws {
        let fields = RequestFields(try request())
        func mayStandIn(_ control: String, _ age: Double) throws -> Bool {
            let stored = try StoredResponse.made(["Cache-Control: \(control)"], at: Self.now)
            return CacheRules.mayStandIn(stored, for: fields, at: Self.now + age)
        }
        #expect(try mayStandIn("max-age=10, stale-if-error=10", 19))
        #expect(try !mayStandIn("max-age=10, stale-if-error=10", 20))
        #expect(try !mayStandIn("max-age=10", 11))
        #expect(try !mayStandIn("max-age=10, stale-if-error=10, must-revalidate", 11))
        #expect(try !mayStandIn("max-age=10, stale-if-error=10, no-cache", 1))
    }

    // MARK: - Making void

    @Test(
        "A method that is not safe makes its URL void, and those it names on the same origin",
        arguments: [
            ("POST", 200, ["http://a.test/f", "http://a.test/new", "http://a.test/c"]),
            ("DELETE", 204, ["http://a.test/f", "http://a.test/new", "http://a.test/c"]),
            ("WHATEVER", 303, ["http://a.test/f", "http://a.test/new", "http://a.test/c"]),
            ("POST", 404, []), ("PUT", 500, []), ("GET", 200, []), ("HEAD", 200, []),
            ("OPTIONS", 200, []),
        ]
    )
    func invalidated(method: String, status: Int, urls: [String]) throws {
        let head = try head(
            ["Location: /new", "Content-Location: http://a.test:80/c"],
            status: status
        )
        let found = CacheRules.invalidated(by: head, to: try request(method: method))
        #expect(found.map { $0.absoluteString.replacingOccurrences(of: ":80", with: "") } == urls)
    }

    @Test("Another origin's URLs stay")
    func otherOrigin() throws {
        let head = try head(["Location: http://b.test/", "Content-Location: https://a.test/f"])
        let found = CacheRules.invalidated(by: head, to: try request(method: "POST"))
        #expect(found.map(\.absoluteString) == ["http://a.test/f"])
    }

    @Test("A reload tells the caches on the way, unless the caller has told them something")
    func outgoing() throws {
        func sent(_ policy: URLRequest.CachePolicy, _ own: String? = nil) throws -> [String?] {
            let request = CacheRules.outgoing(
                try request(own.map { ["Cache-Control": $0] } ?? [:], policy)
            )
            return ["Cache-Control", "Pragma"].map { request.value(forHTTPHeaderField: $0) }
        }
        #expect(try sent(.useProtocolCachePolicy) == [nil, nil])
        #expect(try sent(.reloadIgnoringLocalCacheData) == [nil, nil])
        #expect(try sent(.reloadIgnoringLocalAndRemoteCacheData) == ["no-cache", "no-cache"])
        #expect(try sent(.reloadRevalidatingCacheData) == ["max-age=0", nil])
        #expect(
            try sent(.reloadIgnoringLocalAndRemoteCacheData, "max-age=5") == ["max-age=5", nil]
        )
    }
}

extension StoredResponse {
    /// A response to a plain GET that has just come.
    static func made(
        _ lines: [String],
        at now: Date,
        isDecoded: Bool = false,
        for fields: [String: String] = [:]
    ) throws -> StoredResponse {
        let url = "http://a.test/f"
        var request = URLRequest(url: try #require(URL(string: url)))
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        let head = try HeaderBlock(fieldLines: lines)
        return StoredResponse(
            url: url,
            head: StorableFields.kept(of: head),
            isDecoded: isDecoded,
            vary: try #require(VarySelection(head, RequestFields(request))),
            requestTime: now,
            responseTime: now
        )
    }
}
