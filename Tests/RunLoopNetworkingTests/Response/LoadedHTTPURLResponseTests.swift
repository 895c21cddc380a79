import Foundation
import FoundationNetworking
import Testing

@testable import RunLoopNetworking

@Suite("Loaded HTTP response", .timeLimit(.minutes(1)))
struct LoadedHTTPURLResponseTests {
    private func response(
        _ lines: [String],
        url: String = "http://example.com/dir/file",
        isDecoded: Bool = false
    ) throws -> LoadedHTTPURLResponse {
        let url = try #require(URL(string: url))
        return try #require(
            try LoadedHTTPURLResponse(
                url: url,
                headers: HeaderBlock(fieldLines: lines),
                isDecoded: isDecoded
            )
        )
    }

    // B003
    @Test("The derived properties are seen through a reference to the superclass")
    func throughSuperclass() throws {
        let response: URLResponse = try response([
            "Content-Type:Text/Plain ; Charset=\"UTF-8\"",
            "Content-Length:13",
            "Content-Disposition: attachment; FileName*=UTF-8''..%2Fna%C3%AFve",
            "X-Tight:v",
        ])
        #expect(response.mimeType == "text/plain")
        #expect(response.textEncodingName == "UTF-8")
        #expect(response.expectedContentLength == 13)
        #expect(response.suggestedFilename == "naïve.txt")
        #expect(response.url?.absoluteString == "http://example.com/dir/file")
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }

    @Test("Without fields the derived properties are nil, unknown, and the name of the URL")
    func noFields() throws {
        let response = try response([])
        #expect(response.mimeType == nil)
        #expect(response.textEncodingName == nil)
        #expect(response.expectedContentLength == -1)
        #expect(response.suggestedFilename == "file")
        #expect(response.allHeaderFields.isEmpty)
    }

    // B005
    @Test("A field is found whatever the letter case, joined, and under one key")
    func lookup() throws {
        let response = try response([
            "X-Tag: one", "x-tag: two", "cache-control: no-cache", "Cache-Control: no-store",
            "ETag: \"v\"",
        ])
        #expect(response.value(forHTTPHeaderField: "X-TAG") == "one, two")
        #expect(response.value(forHTTPHeaderField: "x-tag") == "one, two")
        #expect(response.value(forHTTPHeaderField: "Cache-control") == "no-cache, no-store")
        #expect(response.value(forHTTPHeaderField: "eTaG") == "\"v\"")
        #expect(response.value(forHTTPHeaderField: "X-None") == nil)
        #expect(response.allHeaderFields.count == 3)
        #expect(response.allHeaderFields["X-Tag"] as? String == "one, two")
    }

    // B010, B012, B062
    @Test(
        "The length is unknown where Content-Length does not say it",
        arguments: [
            ["Content-Length: -1"], ["Content-Length: 5, 6"],
            ["Content-Length: 3", "Transfer-Encoding: chunked"],
        ]
    )
    func unknownLength(lines: [String]) throws {
        #expect(try response(lines).expectedContentLength == -1)
    }

    @Test("Cookie lines are kept apart")
    func cookies() throws {
        let response = try response(["Set-Cookie: a=1, still a", "X: y", "set-cookie: b=2"])
        #expect(response.setCookieLines == ["a=1, still a", "b=2"])
        #expect(response.value(forHTTPHeaderField: "Set-Cookie") == "a=1, still a, b=2")
    }

    // B033
    @Test(
        "There is always a name",
        arguments: [
            ("http://127.0.0.1:8080", "127.0.0.1.html"), ("http://127.0.0.1/", "127.0.0.1.html"),
            ("http://127.0.0.1/dir/", "dir.html"), ("http://127.0.0.1/?q=1", "127.0.0.1.html"),
        ]
    )
    func names(url: String, expected: String) throws {
        let lines = ["Content-Type: text/html"]
        #expect(try response(lines, url: url).suggestedFilename == expected)
        let withDisposition = lines + ["Content-Disposition: attachment"]
        #expect(try response(withDisposition, url: url).suggestedFilename == expected)
    }

    @Test("Of several Content-Disposition lines the first counts")
    func severalDispositions() throws {
        let response = try response([
            "Content-Disposition: attachment; filename=a.txt",
            "Content-Disposition: attachment; filename=b.txt",
        ])
        #expect(response.suggestedFilename == "a.txt")
    }

    @Test("A copy behaves like the response")
    func copying() throws {
        let lines = [
            "Content-Type: text/plain", "Content-Encoding: gzip", "Content-Length: 3",
            "Set-Cookie: a=1",
        ]
        let original = try response(lines, isDecoded: true)
        let copy = try #require(original.copy() as? LoadedHTTPURLResponse)
        #expect(copy.headers == original.headers)
        #expect(copy.suggestedFilename == "file.txt")
        #expect(copy.expectedContentLength == -1)
        #expect(copy.setCookieLines == ["a=1"])
        #expect(copy.isEqual(original))
    }

    // B062
    @Test(
        "Whether the body was decoded is kept in an archive",
        arguments: [(true, -1), (false, 3)]
    )
    func archivedLength(isDecoded: Bool, expected: Int64) throws {
        let lines = ["Content-Encoding: gzip", "Content-Length: 3"]
        let original = try response(lines, isDecoded: isDecoded)
        #expect(original.expectedContentLength == expected)
        let archive = try NSKeyedArchiver.archivedData(
            withRootObject: original,
            requiringSecureCoding: true
        )
        let copy = try NSKeyedUnarchiver.unarchivedObject(
            ofClass: LoadedHTTPURLResponse.self,
            from: archive
        )
        #expect(copy?.expectedContentLength == expected)
    }

    @Test("A response comes out of an archive as it went in")
    func archiving() throws {
        let original = try response([
            "Content-Type: text/plain; charset=UTF-8", "Content-Length: 3", "Set-Cookie: a=1",
            "set-cookie: b=2", "ETag: \"é\"",
        ])
        let archive = try NSKeyedArchiver.archivedData(
            withRootObject: original,
            requiringSecureCoding: true
        )
        let copy = try #require(
            try NSKeyedUnarchiver.unarchivedObject(
                ofClass: LoadedHTTPURLResponse.self,
                from: archive
            )
        )
        #expect(copy !== original)
        #expect(copy.headers == original.headers)
        #expect(copy.url == original.url)
        #expect(copy.statusCode == 200)
        #expect(copy.mimeType == "text/plain")
        #expect(copy.textEncodingName == "UTF-8")
        #expect(copy.expectedContentLength == 3)
        #expect(copy.suggestedFilename == "file.txt")
        #expect(copy.setCookieLines == ["a=1", "b=2"])
        #expect(copy.value(forHTTPHeaderField: "etag") == "\"é\"")
    }

    @Test(
        "An archive that holds no response of this kind, or only a part of one, is refused",
        arguments: [
            (nil, nil, nil), (200, nil, nil), (200, ["X"], nil), (200, ["X", "Y"], ["a"]),
        ] as [(Int?, [String]?, [String]?)]
    )
    func foreignArchive(statusCode: Int?, names: [String]?, values: [String]?) throws {
        let url = try #require(URL(string: "http://h/"))
        let plain = HTTPURLResponse(
            url: url,
            statusCode: 200,
            httpVersion: "HTTP/1.1",
            headerFields: [:]
        )
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        plain?.encode(with: archiver)
        if let statusCode {
            archiver.encode(statusCode, forKey: "RunLoopNetworking.statusCode")
            archiver.encode("HTTP/1.1" as NSString, forKey: "RunLoopNetworking.httpVersion")
            archiver.encode("OK" as NSString, forKey: "RunLoopNetworking.reason")
        }
        if let names {
            archiver.encode(names as NSArray, forKey: "RunLoopNetworking.names")
        }
        if let values {
            archiver.encode(values as NSArray, forKey: "RunLoopNetworking.values")
        }
        archiver.finishEncoding()
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        #expect(LoadedHTTPURLResponse(coder: unarchiver) == nil)
    }

    @Test("A response may be read from any thread")
    func sendable() async throws {
        let response = try response(["Content-Length: 3"])
        let length = await Task.detached { response.expectedContentLength }.value
        #expect(length == 3)
    }
}
