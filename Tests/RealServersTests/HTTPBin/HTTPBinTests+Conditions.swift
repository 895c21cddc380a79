import Foundation
import FoundationNetworking
import NetworkingTestKit
import Testing

extension HTTPBinTests {
    @Suite("Conditions and ranges")
    struct Conditions {
        private let bench: HTTPBinBench
        private let letters = Data((0..<100).map { UInt8(ascii: "a") + UInt8($0 % 26) })

        init() throws {
            bench = try HTTPBinBench()
        }

        @Test(
            "The caller's own condition is answered to the caller",
            arguments: [
                ("etag/one", "If-None-Match", "\"one\"", 304),
                ("etag/one", "If-None-Match", "\"two\", \"one\"", 304),
                ("etag/one", "If-None-Match", "*", 304),
                ("etag/one", "If-None-Match", "\"two\"", 200),
                ("etag/one", "If-Match", "\"one\"", 200),
                ("etag/one", "If-Match", "\"two\"", 412),
                ("cache", "If-None-Match", "\"any\"", 304),
                ("cache", "If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT", 304),
            ]
        )
        func condition(path: String, field: String, value: String, status: Int) async throws {
            // What is stored here would answer before the server does.
            let delegate = try await bench.load(path) {
                $0.cachePolicy = .reloadIgnoringLocalCacheData
                $0.setValue(value, forHTTPHeaderField: field)
            }
            #expect(delegate.transcript.first == .response(status))
            #expect(delegate.transcript.last == .finished)
            #expect(delegate.body.isEmpty == (status != 200))
        }

        @Test("What may be kept is not asked for again, and what may not be is")
        func kept() async throws {
            // The echo of an answer that was kept is that of the first request.
            for path in ["cache/60", "get"] {
                let first = try await bench.load(path) {
                    $0.setValue("1", forHTTPHeaderField: "X-N")
                }
                let second = try await bench.load(path) {
                    $0.setValue("2", forHTTPHeaderField: "X-N")
                }
                let isKept = path == "cache/60"
                #expect(try Echo(first).headers?["X-N"] == "1")
                #expect(try Echo(second).headers?["X-N"] == (isKept ? "1" : "2"))
            }
        }

        @Test("A response says how it may be stored")
        func cacheFields() async throws {
            let timed = try await bench.load("cache/60")
            #expect(
                timed.response?.value(forHTTPHeaderField: "Cache-Control") == "public, max-age=60"
            )
            let validated = try await bench.load("cache")
            #expect(validated.response?.value(forHTTPHeaderField: "ETag") != nil)
            #expect(validated.response?.value(forHTTPHeaderField: "Last-Modified") != nil)
        }

        @Test(
            "A range is answered with its bytes, and only they are expected",
            arguments: [
                ("bytes=10-19", 10..<20), ("bytes=90-", 90..<100), ("bytes=-7", 93..<100),
                ("bytes=0-0", 0..<1), ("bytes=99-99", 99..<100), ("bytes=50-98", 50..<99),
            ]
        )
        func range(field: String, bytes: Range<Int>) async throws {
            let delegate = try await bench.load("range/100?chunk_size=7") {
                $0.setValue(field, forHTTPHeaderField: "Range")
            }
            #expect(delegate.transcript == [.response(206), .data(bytes.count), .finished])
            #expect(delegate.body == letters[bytes])
            #expect(delegate.response?.expectedContentLength == Int64(bytes.count))
            #expect(
                delegate.response?.value(forHTTPHeaderField: "Content-Range")
                    == "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/100"
            )
        }

        @Test("A range that holds everything is answered as a whole")
        func wholeRange() async throws {
            let delegate = try await bench.load("range/100") {
                $0.setValue("bytes=0-", forHTTPHeaderField: "Range")
            }
            #expect(delegate.transcript == [.response(200), .data(100), .finished])
            #expect(delegate.body == letters)
        }

        @Test("A range behind the end is refused, and the answer says how much there is")
        func rangeBehindTheEnd() async throws {
            let delegate = try await bench.load("range/100") {
                $0.setValue("bytes=100-", forHTTPHeaderField: "Range")
            }
            #expect(delegate.transcript == [.response(416), .finished])
            #expect(delegate.response?.value(forHTTPHeaderField: "Content-Range") == "bytes */100")
        }
    }
}
