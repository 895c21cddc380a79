import Testing

@testable import SampleServing

@Suite("Files", .timeLimit(.minutes(1)))
struct FileRouteTests {
    private let server: SampleServer
    private let root: String

    init() throws {
        server = try SampleServer()
        root = server.start().absoluteString
    }

    @Test("A file arrives whole, with its length, type and validators")
    func whole() async throws {
        let fetched = try await Fetched.get(root + "/file/3145733/a.bin")
        #expect(fetched.status == 200)
        #expect(fetched.body == Pattern(size: 3_145_733).bytes(in: 0..<3_145_733))
        #expect(fetched.headers["content-length"] == "3145733")
        #expect(fetched.headers["etag"] == "\"pattern-3145733\"")
        #expect(fetched.headers["last-modified"] == "Mon, 01 Jan 2024 00:00:00 GMT")
        #expect(fetched.headers["accept-ranges"] == "bytes")
        #expect(fetched.headers["transfer-encoding"] == nil)
    }

    @Test("HEAD says the same as GET, without the body, of a file of any size")
    func head() async throws {
        let fetched = try await Fetched.get(root + "/file/8TiB/a.mp4", "-I")
        #expect(fetched.status == 200)
        #expect(fetched.headers["content-length"] == "8796093022208")
        #expect(fetched.headers["content-type"] == "video/mp4")
        #expect(fetched.body.isEmpty)
        #expect(try await Fetched.get(root + "/file/0/a.txt").headers["content-length"] == "0")
    }

    @Test(
        "A range comes with its place, also at the borders of blocks and beyond 4 GiB",
        arguments: [
            ("0-0", Int64(0)..<1),
            ("1048570-1048590", 1_048_570..<1_048_591),
            ("4294967290-4294967310", 4_294_967_290..<4_294_967_311),
            ("5000000000001-5000001000000", 5_000_000_000_001..<5_000_001_000_001),
            ("-5", 9_999_999_999_995..<10_000_000_000_000),
            ("9999999999990-", 9_999_999_999_990..<10_000_000_000_000),
        ]
    )
    func range(form: String, bytes: Range<Int64>) async throws {
        let fetched = try await Fetched.get(root + "/file/10TB/a.bin", "-r", form)
        #expect(fetched.status == 206)
        #expect(fetched.body == Pattern(size: 10_000_000_000_000).bytes(in: bytes))
        #expect(
            fetched.headers["content-range"]
                == "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/10000000000000"
        )
        #expect(fetched.headers["content-length"] == String(bytes.count))
        #expect(fetched.headers["etag"] == "\"pattern-10000000000000\"")
    }

    @Test("Several ranges come as the parts of a multipart body whose length is true")
    func multipart() async throws {
        let ranges = "0-0,1048575-1048577,-1"
        let fetched = try await Fetched.get(root + "/file/2MiB/a.txt", "-r", ranges)
        #expect(fetched.status == 206)
        let type = try #require(fetched.headers["content-type"])
        #expect(type.hasPrefix("multipart/byteranges; boundary="))
        let boundary = type.dropFirst("multipart/byteranges; boundary=".count)
        let parts = [("0-0", "\0"), ("1048575-1048577", "\0\u{1}\0"), ("2097151-2097151", "\0")]
        let expected = parts.map { place, bytes in
            """
            --\(boundary)\r
            Content-Type: text/plain; charset=utf-8\r
            Content-Range: bytes \(place)/2097152\r
            \r
            \(bytes)\r

            """
        }
        #expect(fetched.text == expected.joined() + "--\(boundary)--\r\n")
        #expect(fetched.headers["content-length"] == String(fetched.body.count))
        #expect(fetched.headers["content-range"] == nil)
    }

    @Test("A range beyond the end gets 416 and the size; a malformed one gets the whole file")
    func unsatisfiable() async throws {
        let beyond = try await Fetched.get(root + "/file/10/a.bin", "-r", "10-")
        #expect(beyond.status == 416)
        #expect(beyond.headers["content-range"] == "bytes */10")
        let malformed = try await Fetched.get(root + "/file/10/a.bin", "-H", "Range: bytes=5-2")
        #expect(malformed.status == 200)
        #expect(malformed.body.count == 10)
    }

    @Test(
        "If-Range lets the range through for the strong tag or the exact date alone",
        arguments: [
            ("\"pattern-10\"", 206), ("Mon, 01 Jan 2024 00:00:00 GMT", 206),
            ("W/\"pattern-10\"", 200), ("\"pattern-11\"", 200),
            ("Tue, 02 Jan 2024 00:00:00 GMT", 200),
        ]
    )
    func ifRange(condition: String, status: Int) async throws {
        let fetched = try await Fetched.get(
            root + "/file/10/a.bin",
            "-r",
            "5-",
            "-H",
            "If-Range: \(condition)"
        )
        #expect(fetched.status == status)
        #expect(fetched.body.count == (status == 206 ? 5 : 10))
    }

    @Test(
        "Who has the file already gets 304 without a body",
        arguments: [
            ("If-None-Match: \"pattern-10\"", 304), ("If-None-Match: \"x\", W/\"pattern-10\"", 304),
            ("If-None-Match: *", 304), ("If-None-Match: \"pattern-11\"", 200),
            ("If-Modified-Since: Mon, 01 Jan 2024 00:00:00 GMT", 304),
            ("If-Modified-Since: Sun, 31 Dec 2023 00:00:00 GMT", 200),
        ]
    )
    func notModified(condition: String, status: Int) async throws {
        let fetched = try await Fetched.get(root + "/file/10/a.bin", "-r", "1-", "-H", condition)
        #expect(fetched.status == (status == 304 ? 304 : 206))
        #expect(fetched.body.count == (status == 304 ? 0 : 9))
        #expect(fetched.headers["etag"] == "\"pattern-10\"")
    }

    @Test("The end of the name makes the type, and ?name= another name for the download")
    func names() async throws {
        let json = try await Fetched.get(root + "/file/1/a.b.JSON", "-I")
        #expect(json.headers["content-type"] == "application/json")
        #expect(json.headers["content-disposition"] == nil)
        let named = try await Fetched.get(root + "/file/1/plain?name=two%20words%22.bin", "-I")
        #expect(named.headers["content-type"] == "application/octet-stream")
        #expect(
            named.headers["content-disposition"] == "attachment; filename=\"two words\\\".bin\""
        )
        let umlaut = try await Fetched.get(root + "/file/1/a?name=%C3%BCber%0A.txt", "-I")
        #expect(
            umlaut.headers["content-disposition"]
                == "attachment; filename=\"_ber_.txt\"; filename*=UTF-8''%C3%BCber%0A.txt"
        )
    }

    @Test("The file of the tutorials has 700 MiB")
    func tutorialFile() async throws {
        let fetched = try await Fetched.get(root + "/1.mp4", "-r", "734003196-")
        #expect(fetched.headers["content-range"] == "bytes 734003196-734003199/734003200")
        #expect(fetched.headers["content-type"] == "video/mp4")
        #expect(fetched.body == Pattern(size: 734_003_200).bytes(in: 734_003_196..<734_003_200))
    }
}
