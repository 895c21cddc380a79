import Foundation
import FoundationNetworking
import NetworkingTestKit
import Testing

extension HTTPBinTests {
    @Suite("Cookies")
    struct Cookies {
        private let bench: HTTPBinBench

        init() throws {
            bench = try HTTPBinBench()
        }

        private func cookies(
            _ path: String,
            configure: (inout URLRequest) -> Void = { _ in }
        ) async throws -> [String: String]? {
            let delegate = try await bench.load(path, configure: configure)
            return try Echo(delegate).cookies
        }

        @Test("A cookie that a redirect sets is sent behind it, and later")
        func set() async throws {
            #expect(try await cookies("cookies/set/one/1") == ["one": "1"])
            #expect(try await cookies("cookies/set?two=2&three=3").map(\.count) == 3)
            #expect(try await cookies("cookies") == ["one": "1", "two": "2", "three": "3"])
            let stored = bench.loading.cookies.cookies
            #expect(Set(stored.map(\.name)) == ["one", "two", "three"])
            #expect(stored.allSatisfy { $0.path == "/" && $0.domain == "127.0.0.1" })
            #expect(stored.allSatisfy { $0.expiresDate == nil })
        }

        @Test("A cookie that is set again has its new value")
        func replace() async throws {
            #expect(try await cookies("cookies/set/one/1") == ["one": "1"])
            #expect(try await cookies("cookies/set/one/2") == ["one": "2"])
        }

        @Test("A cookie that the server takes back is not sent any more")
        func delete() async throws {
            #expect(try await cookies("cookies/set?one=1&two=2").map(\.count) == 2)
            #expect(try await cookies("cookies/delete?one=") == ["two": "2"])
            #expect(bench.loading.cookies.cookies.map(\.name) == ["two"])
        }

        @Test("A value with special characters goes back as it came")
        func quoted() async throws {
            #expect(try await cookies("cookies/set?a=b%20%3B%20%22c%22") == ["a": "b ; \"c\""])
        }

        @Test("Another host has cookies of its own")
        func otherHost() async throws {
            #expect(try await cookies("cookies/set/one/1") == ["one": "1"])
            let other = try bench.server.url("cookies", host: "localhost")
            let delegate = try await bench.loading.load(other)
            #expect(try Echo(delegate).cookies == [:])
        }

        @Test("A request that handles no cookies neither keeps nor sends any")
        func unhandled() async throws {
            #expect(
                try await cookies("cookies/set/one/1") { $0.httpShouldHandleCookies = false } == [:]
            )
            #expect(bench.loading.cookies.cookies.isEmpty)
            #expect(try await cookies("cookies/set/one/1") == ["one": "1"])
            #expect(
                try await cookies("cookies") { $0.httpShouldHandleCookies = false } == [:]
            )
        }

        @Test("A field of the caller's takes the place of what is stored")
        func ownField() async throws {
            #expect(try await cookies("cookies/set/one/1") == ["one": "1"])
            #expect(
                try await cookies("cookies") { $0.setValue("two=2", forHTTPHeaderField: "Cookie") }
                    == ["two": "2"]
            )
        }
    }
}
