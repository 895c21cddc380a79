import Foundation
import FoundationNetworking
import NetworkingTestKit
import Testing

extension HTTPBinTests {
    @Suite("Requests")
    struct Requests {
        private let bench: HTTPBinBench

        init() throws {
            bench = try HTTPBinBench()
        }

        @Test(
            "A method goes out as it was set",
            arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE"]
        )
        func method(_ method: String) async throws {
            let delegate = try await bench.load("anything/some/path") { $0.httpMethod = method }
            #expect(delegate.transcript.first == .response(200))
            #expect(delegate.transcript.last == .finished)
            #expect(try Echo(delegate).method == method)
        }

        @Test(
            "A route answers its own method and refuses another",
            arguments: ["GET", "POST", "PUT", "PATCH", "DELETE"]
        )
        func route(method: String) async throws {
            let route = method.lowercased()
            let delegate = try await bench.load(route) { $0.httpMethod = method }
            #expect(delegate.response?.statusCode == 200)
            let other = try await bench.load(route) {
                $0.httpMethod = method == "GET" ? "POST" : "GET"
            }
            #expect(other.transcript.first == .response(405))
            #expect(other.transcript.last == .finished)
            #expect(other.response?.value(forHTTPHeaderField: "Allow")?.contains(method) == true)
        }

        @Test("HEAD has the fields of GET and no body")
        func head() async throws {
            let delegate = try await bench.load("bytes/1234") { $0.httpMethod = "HEAD" }
            #expect(delegate.transcript == [.response(200), .finished])
            #expect(delegate.response?.expectedContentLength == 1234)
        }

        @Test("OPTIONS is answered by what is allowed, without a body")
        func options() async throws {
            let delegate = try await bench.load("get") { $0.httpMethod = "OPTIONS" }
            #expect(delegate.transcript == [.response(200), .finished])
            let allowed = delegate.response?.value(forHTTPHeaderField: "Allow")?
                .split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            #expect(Set(allowed ?? []) == ["GET", "HEAD", "OPTIONS"])
        }

        @Test("Fields of the caller's arrive, beside those that every request has")
        func fields() async throws {
            let url = try bench.server.url("headers")
            let delegate = try await bench.load("headers") {
                $0.setValue("a, b; c=\"d\"", forHTTPHeaderField: "X-Mine")
                $0.setValue("", forHTTPHeaderField: "X-Empty")
                $0.setValue("de, en;q=0.5", forHTTPHeaderField: "Accept-Language")
            }
            let headers = try #require(try Echo(delegate).headers)
            #expect(headers["X-Mine"] == "a, b; c=\"d\"")
            #expect(headers["X-Empty"]?.isEmpty == true)
            #expect(headers["Accept-Language"] == "de, en;q=0.5")
            #expect(headers["Accept"] == "*/*")
            #expect(headers["Accept-Encoding"] == "gzip, deflate")
            #expect(headers["Host"] == "127.0.0.1:\(try #require(url.port))")
        }

        @Test("The user agent is the program, or what the caller says")
        func userAgent() async throws {
            let plain = try await bench.load("user-agent")
            let own = try await bench.load("user-agent") {
                $0.setValue("Mine/1.0", forHTTPHeaderField: "User-Agent")
            }
            let agents = try [plain, own].map {
                try JSONDecoder().decode([String: String].self, from: $0.body)["user-agent"]
            }
            let name = ProcessInfo.processInfo.processName
            #expect(agents == ["\(name) RunLoopNetworking", "Mine/1.0"])
        }

        @Test("A query arrives as it was escaped")
        func query() async throws {
            let delegate = try await bench.load("get?a=1&b=%C3%A4%20%26%20+c&empty=")
            #expect(try Echo(delegate).args == ["a": "1", "b": "ä &  c", "empty": ""])
        }

        @Test("A form arrives as one, although nobody said that it is a form")
        func form() async throws {
            let delegate = try await bench.load("post") {
                $0.httpMethod = "POST"
                $0.httpBody = Data("name=M%C3%BCller&town=Bonn+am+Rhein".utf8)
            }
            let echo = try Echo(delegate)
            #expect(echo.form == ["name": "Müller", "town": "Bonn am Rhein"])
            #expect(echo.headers?["Content-Type"] == "application/x-www-form-urlencoded")
        }

        @Test("JSON arrives as it is", arguments: ["POST", "PUT", "PATCH", "DELETE"])
        func json(method: String) async throws {
            let delegate = try await bench.load("anything") {
                $0.httpMethod = method
                $0.httpBody = Data(#"{"a": 1, "b": 2}"#.utf8)
                $0.setValue("application/json", forHTTPHeaderField: "Content-Type")
            }
            let echo = try Echo(delegate)
            #expect(echo.json == ["a": 1, "b": 2])
            #expect(echo.headers?["Content-Length"] == "16")
        }

        @Test("Every byte of a body arrives")
        func bytes() async throws {
            let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
            let delegate = try await bench.load("put") {
                $0.httpMethod = "PUT"
                $0.httpBody = bytes
                $0.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
            }
            let echo = try Echo(delegate)
            let text = try #require(echo.data?.split(separator: ",").last)
            #expect(Data(base64Encoded: String(text)) == bytes)
        }

        @Test("A file in several parts arrives beside the fields")
        func parts() async throws {
            let body = [
                "--border", "Content-Disposition: form-data; name=\"field\"", "", "value",
                "--border", "Content-Disposition: form-data; name=\"file\"; filename=\"a.txt\"",
                "Content-Type: text/plain", "", "what is in it", "--border--", "",
            ]
            let delegate = try await bench.load("post") {
                $0.httpMethod = "POST"
                $0.httpBody = Data(body.joined(separator: "\r\n").utf8)
                let type = "multipart/form-data; boundary=border"
                $0.setValue(type, forHTTPHeaderField: "Content-Type")
            }
            let echo = try Echo(delegate)
            #expect(echo.form == ["field": "value"])
            #expect(echo.files == ["file": "what is in it"])
        }

        @Test(
            "The server chooses by what is accepted",
            arguments: ["image/png", "image/jpeg", "image/webp", "image/svg+xml"]
        )
        func accept(type: String) async throws {
            let delegate = try await bench.load("image") {
                $0.setValue(type, forHTTPHeaderField: "Accept")
            }
            #expect(delegate.response?.statusCode == 200)
            #expect(delegate.response?.mimeType == type)
            #expect(delegate.response?.expectedContentLength == Int64(delegate.body.count))
        }

        @Test("What is not accepted is refused, with a body")
        func notAcceptable() async throws {
            let delegate = try await bench.load("image") {
                $0.setValue("text/plain", forHTTPHeaderField: "Accept")
            }
            #expect(delegate.transcript.first == .response(406))
            #expect(delegate.transcript.last == .finished)
            #expect(!delegate.body.isEmpty)
        }
    }
}
