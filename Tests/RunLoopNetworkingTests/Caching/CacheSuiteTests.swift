import Foundation
import FoundationNetworking
import NetworkingTestKit
import Testing

@testable import RunLoopNetworking

// Some of the cases of http-tests/cache-tests, with a clock that is moved in the place of their pause of
// three seconds; Tests/Conformance/Cache.md tells of all.
@Suite("Cases of the cache suite", .timeLimit(.minutes(1)))
struct CacheSuiteTests {
    enum Expectation: Sendable {
        case cached
        case notCached
        case validated
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let fields: [String]
        var first: [String: String] = [:]
        var second: [String: String] = [:]
        var status = 200
        let expected: Expectation

        var testDescription: String { name }
    }

    private static let clock = MovableClock()

    private static let freshness: [Case] = [
        Case(name: "freshness-none", fields: [], expected: .notCached),
        Case(name: "freshness-max-age", fields: ["Cache-Control: max-age=3600"], expected: .cached),
        Case(
            name: "freshness-max-age-stale",
            fields: ["Cache-Control: max-age=2"],
            expected: .notCached
        ),
        Case(
            name: "freshness-max-age-age",
            fields: ["Cache-Control: max-age=3600", "Age: 7200"],
            expected: .notCached
        ),
        Case(
            name: "freshness-max-age-s-maxage-private-multiple",
            fields: ["Cache-Control: s-maxage=3600", "Cache-Control: max-age=1"],
            expected: .notCached
        ),
        Case(
            name: "freshness-max-age-ignore-quoted",
            fields: ["Cache-Control: extension=\"max-age=3600\", max-age=1"],
            expected: .notCached
        ),
        Case(
            name: "freshness-max-age-single-quoted",
            fields: ["Cache-Control: max-age='3600'"],
            expected: .notCached
        ),
        Case(
            name: "freshness-max-age-expires-invalid",
            fields: ["Cache-Control: max-age=3600", "Expires: 0"],
            expected: .cached
        ),
        Case(
            name: "freshness-expires-ansi-c",
            fields: ["Expires: Thu Aug  8 02:01:18 2050"],
            expected: .cached
        ),
        Case(
            name: "freshness-expires-invalid-utc",
            fields: ["Expires: Thu, 18 Aug 2050 02:01:18 UTC"],
            expected: .notCached
        ),
        Case(
            name: "heuristic-404-cached",
            fields: ["Last-Modified: \(clock.date(-86_400))"],
            status: 404,
            expected: .cached
        ),
        Case(
            name: "heuristic-201-not_cached",
            fields: ["Last-Modified: \(clock.date(-86_400))"],
            status: 201,
            expected: .notCached
        ),
        Case(
            name: "status-599-fresh",
            fields: ["Cache-Control: max-age=100000"],
            status: 599,
            expected: .cached
        ),
    ]

    private static let directives: [Case] = [
        Case(
            name: "cc-resp-no-store-fresh",
            fields: ["Cache-Control: max-age=10000, no-store"],
            expected: .notCached
        ),
        Case(
            name: "cc-resp-no-cache-revalidate-fresh",
            fields: ["Cache-Control: max-age=10000, no-cache", "ETag: \"abcd\""],
            expected: .validated
        ),
        Case(
            name: "cc-resp-must-revalidate-fresh",
            fields: ["Cache-Control: max-age=10000, must-revalidate", "ETag: \"abcd\""],
            expected: .cached
        ),
        Case(
            name: "ccreq-ma1",
            fields: ["Cache-Control: max-age=100000"],
            second: ["Cache-Control": "max-age=1"],
            expected: .notCached
        ),
        Case(
            name: "ccreq-max-stale",
            fields: ["Cache-Control: max-age=2"],
            second: ["Cache-Control": "max-stale=1000"],
            expected: .cached
        ),
        Case(
            name: "ccreq-min-fresh",
            fields: ["Cache-Control: max-age=1500"],
            second: ["Cache-Control": "min-fresh=2000"],
            expected: .notCached
        ),
        Case(
            name: "ccreq-no-cache-etag",
            fields: ["Cache-Control: max-age=3600", "ETag: \"abcd\""],
            second: ["Cache-Control": "no-cache"],
            expected: .validated
        ),
        Case(
            name: "ccreq-no-store",
            fields: ["Cache-Control: max-age=100000"],
            second: ["Cache-Control": "no-store"],
            expected: .notCached
        ),
        Case(
            name: "vary-3-order",
            fields: ["Cache-Control: max-age=5000", "Vary: Foo, Bar, Baz"],
            first: ["Foo": "1", "Bar": "abc", "Baz": "789"],
            second: ["Foo": "1", "Baz": "789", "Bar": "abcde"],
            expected: .notCached
        ),
        Case(
            name: "vary-normalise-space",
            fields: ["Cache-Control: max-age=5000", "Vary: Foo"],
            first: ["Foo": "1,2"],
            second: ["Foo": "1 , 2"],
            expected: .cached
        ),
        Case(
            name: "vary-syntax-empty-star",
            fields: ["Cache-Control: max-age=5000", "Vary: , *"],
            expected: .notCached
        ),
        Case(
            name: "conditional-etag-weak-generate-weak",
            fields: ["Cache-Control: max-age=2", "ETag: W/\"abcd\""],
            expected: .validated
        ),
    ]

    @Test(
        "The second load comes from the cache, asks, or goes out as it is",
        arguments: freshness + directives
    )
    func cases(one: Case) async throws {
        let bench = CacheBench()
        let server = try ScriptedServer([
            .waitForRequest, .respond(one.status, one.fields, body: "first"), .waitForRequest,
            one.expected == .validated
                ? .send("HTTP/1.1 304 X\r\n\r\n")
                : .respond(one.status, one.fields, body: "second"),
        ])
        let first = try await bench.load(server.request(fields: one.first))
        #expect(first.transcript == [.response(one.status), .data(5), .finished])
        bench.clock.advance(by: 3)
        let second = try await bench.load(server.request(fields: one.second))
        let length = one.expected == .notCached ? 6 : 5
        #expect(second.transcript == [.response(one.status), .data(length), .finished])
        #expect(server.requests.count == (one.expected == .cached ? 1 : 2))
        let isConditional = server.requests.last?["If-None-Match"] != nil
        #expect(isConditional == (one.expected == .validated))
    }
}
