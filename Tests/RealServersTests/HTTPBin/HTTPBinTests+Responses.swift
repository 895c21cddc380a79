import Foundation
import FoundationNetworking
import NetworkingTestKit
import Testing

extension HTTPBinTests {
    @Suite("Responses")
    struct Responses {
        private let bench: HTTPBinBench

        init() throws {
            bench = try HTTPBinBench()
        }

        // MARK: - Statuses and fields

        @Test(
            "A status without a body is told, and is no failure",
            arguments: [
                200, 201, 202, 203, 204, 205, 300, 308, 400, 403, 404, 405, 408, 409, 410, 412, 413,
                415, 422, 423, 425, 426, 429, 431, 451, 500, 501, 502, 503, 504, 507, 511, 599, 999,
            ]
        )
        func status(_ status: Int) async throws {
            let delegate = try await bench.load("status/\(status)")
            #expect(delegate.transcript == [.response(status), .finished])
        }

        @Test("A status with a body is told with it", arguments: [406, 418])
        func statusWithBody(_ status: Int) async throws {
            let delegate = try await bench.load("status/\(status)")
            let count = try #require(delegate.response).expectedContentLength
            #expect(delegate.transcript == [.response(status), .data(Int(count)), .finished])
        }

        @Test("Fields that come twice are joined")
        func fields() async throws {
            let delegate = try await bench.load("response-headers?X-One=a&X-Two=b&X-Two=c")
            #expect(delegate.response?.value(forHTTPHeaderField: "x-one") == "a")
            #expect(delegate.response?.value(forHTTPHeaderField: "x-two") == "b, c")
        }

        @Test("The name of the file comes from its field")
        func filename() async throws {
            let field = "attachment;%20filename=%22a%20b.csv%22"
            let delegate = try await bench.load("response-headers?Content-Disposition=\(field)")
            #expect(delegate.response?.suggestedFilename == "a b.csv")
        }

        @Test(
            "The type is what the server says",
            arguments: [
                ("html", "text/html", "utf-8"), ("xml", "application/xml", nil),
                ("robots.txt", "text/plain", nil), ("deny", "text/plain", nil),
                ("ip", "application/json", nil), ("image/png", "image/png", nil),
                ("encoding/utf8", "text/html", "utf-8"),
            ] as [(String, String, String?)]
        )
        func type(path: String, mimeType: String, encoding: String?) async throws {
            let delegate = try await bench.load(path)
            #expect(delegate.response?.mimeType == mimeType)
            #expect(delegate.response?.textEncodingName == encoding)
            #expect(delegate.response?.expectedContentLength == Int64(delegate.body.count))
        }

        // MARK: - Bodies

        @Test(
            "A coded body is decoded, and its length is unknown",
            arguments: [("gzip", "gzipped"), ("deflate", "deflated")]
        )
        func coding(path: String, flag: String) async throws {
            let delegate = try await bench.load(path)
            #expect(delegate.response?.expectedContentLength == -1)
            #expect(delegate.response?.value(forHTTPHeaderField: "Content-Encoding") == path)
            let object = try JSONSerialization.jsonObject(with: delegate.body) as? [String: Any]
            #expect(object?[flag] as? Bool == true)
        }

        @Test("Brotli is decoded for a caller who asks for it")
        func brotli() async throws {
            let delegate = try await bench.load("brotli") {
                $0.setValue("br", forHTTPHeaderField: "Accept-Encoding")
            }
            let object = try JSONSerialization.jsonObject(with: delegate.body) as? [String: Any]
            #expect(object?["brotli"] as? Bool == true)
        }

        @Test("A whole image arrives")
        func image() async throws {
            let delegate = try await bench.load("image/png")
            let count = try #require(delegate.response).expectedContentLength
            #expect(delegate.transcript == [.response(200), .data(Int(count)), .finished])
            #expect(delegate.body.prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
            #expect(delegate.body.suffix(8).prefix(4) == Data("IEND".utf8))
        }

        @Test("A body in chunks has no length, and arrives whole", arguments: [1, 20, 100])
        func stream(count: Int) async throws {
            let delegate = try await bench.load("stream/\(count)")
            #expect(delegate.response?.expectedContentLength == -1)
            let lines = delegate.body.split(separator: UInt8(ascii: "\n"))
            let numbers = try lines.map { line in
                let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
                return object?["id"] as? Int
            }
            #expect(numbers == Array(0..<count))
            #expect(delegate.transcript.last == .finished)
        }

        @Test("The same bytes come with a length, and in chunks of any size")
        func randomBytes() async throws {
            let whole = try await bench.load("bytes/65536?seed=5")
            #expect(whole.transcript == [.response(200), .data(65_536), .finished])
            for size in [1000, 1024, 65_536] {
                let chunked = try await bench.load("stream-bytes/65536?seed=5&chunk_size=\(size)")
                #expect(chunked.transcript == [.response(200), .data(65_536), .finished])
                #expect(chunked.body == whole.body)
            }
        }

        @Test("A body that drips arrives whole, whatever the status", arguments: [200, 500])
        func drip(status: Int) async throws {
            let path = "drip?numbytes=20&duration=0.5&code=\(status)"
            let delegate = try await bench.load(path)
            #expect(delegate.transcript == [.response(status), .data(20), .finished])
            #expect(delegate.body == Data(repeating: UInt8(ascii: "*"), count: 20))
        }

        // MARK: - Time

        @Test("A body that drips is not idle, however long it takes")
        func slowDrip() async throws {
            let delegate = try await bench.load("drip?numbytes=30&duration=3") {
                $0.timeoutInterval = 1.5
            }
            #expect(delegate.transcript == [.response(200), .data(30), .finished])
        }

        @Test("An answer that does not come in time is given up")
        func timeOut() async throws {
            let delegate = try await bench.load("delay/3") { $0.timeoutInterval = 0.5 }
            #expect(delegate.transcript == [.failed(.timedOut)])
        }

        @Test("One slow answer holds nobody else up")
        func delay() async throws {
            let slow = RecordingDelegate()
            let connection = try bench.loading.start(try bench.server.url("delay/5"), slow)
            for _ in 1...10 {
                let quick = try await bench.load("get")
                #expect(quick.response?.statusCode == 200)
            }
            #expect(slow.messages.isEmpty)
            connection.cancel()
        }
    }
}
