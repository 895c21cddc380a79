import Foundation
import Testing

@testable import SampleServing

@Suite("Redirects, statuses and echoes", .timeLimit(.minutes(1)))
struct TalkRouteTests {
    private let server: SampleServer
    private let root: String

    init() throws {
        server = try SampleServer()
        root = server.start().absoluteString
    }

    @Test("So many hops lead to the last file", arguments: [0, 1, 5])
    func redirects(hops: Int) async throws {
        let report = "%{num_redirects} %{url_effective} %{http_code}"
        let program = try await Program.run(
            "curl",
            ["-sSL", "-o", "/dev/null", "-w", report, root + "/redirect/\(hops)"]
        )
        let end = hops == 0 ? "/redirect/0" : "/file/10/end.txt"
        #expect(String(decoding: program.output, as: UTF8.self) == "\(hops) \(root)\(end) 200")
    }

    @Test("A redirect leads to any URL, with any status of its class")
    func redirectTo() async throws {
        let encoded = "http%3A%2F%2Fa.example%2F%3Fq%3D1%262"
        let plain = try await Fetched.get(root + "/redirect-to?url=" + encoded)
        #expect(plain.status == 302)
        #expect(plain.headers["location"] == "http://a.example/?q=1&2")
        let echo = root + "/redirect-to?status=307&url=/echo"
        let kept = try await Fetched.get(echo, "-L", "-d", "kept")
        #expect(kept.text == "kept")
        #expect(kept.headers["echo-method"] == "POST")
    }

    @Test(
        "Any status is given, and a body where the status has one",
        arguments: [200, 204, 304, 418, 503]
    )
    func statuses(status: Int) async throws {
        let fetched = try await Fetched.get(root + "/status/\(status)")
        #expect(fetched.status == status)
        #expect(fetched.text == ([204, 304].contains(status) ? "" : "status \(status)\n"))
    }

    @Test("The refusing routes refuse as HTTP has it")
    func refusals() async throws {
        let challenge = try await Fetched.get(root + "/401", "-u", "name:password")
        #expect(challenge.status == 401)
        #expect(challenge.headers["www-authenticate"] == "Basic realm=\"sample\"")
        #expect(try await Fetched.get(root + "/404").status == 404)
        let range = try await Fetched.get(root + "/416")
        #expect(range.status == 416)
        #expect(range.headers["content-range"] == "bytes */10")
        #expect(try await Fetched.get(root + "/file/9223372036854775808/a").status == 400)
        #expect(try await Fetched.get(root + "/").status == 200)
    }

    @Test("An echo has the body and the method", arguments: ["POST", "PUT"])
    func echo(method: String) async throws {
        let file = try TemporaryFile()
        // More than curl sends without asking first (Expect: 100-continue).
        let body = Pattern(size: 2_000_000).bytes(in: 0..<2_000_000)
        try Data(body).write(to: file.url)
        let fetched = try await Fetched.get(
            root + "/echo",
            "-X",
            method,
            "-H",
            "Content-Type: a/b",
            "--data-binary",
            "@" + file.url.path
        )
        #expect(fetched.body == body)
        #expect(fetched.headers["echo-method"] == method)
        #expect(fetched.headers["content-type"] == "a/b")
    }

    @Test("The header fields come back as they were sent")
    func headers() async throws {
        let fields = ["-A", "x", "-H", "X-Two: b  c", "-H", "x-two: d"]
        let fetched = try await Fetched.get(root + "/headers", fields)
        let host = root.dropFirst("http://".count)
        #expect(
            fetched.text == """
                Host: \(host)
                User-Agent: x
                Accept: */*
                X-Two: b  c
                x-two: d

                """
        )
    }

    @Test("One network connection serves many requests, and one that comes too early waits")
    func keepAlive() {
        let connection = RawConnection(port: server.port)
        for _ in 0..<3 {
            connection.get("/slow/1/1")
            #expect(connection.read(until: "\r\n\r\n\0") != nil)
        }
        connection.send("GET /slow/20/1 HTTP/1.1\r\n\r\nGET /status/418 HTTP/1.1\r\n\r\n")
        #expect(connection.read(until: "status 418\n") != nil)
        connection.get("/slow/1000/1")
        // Once another client has its answer, the server has seen the request before it.
        let witness = RawConnection(port: server.port)
        witness.get("/status/200")
        #expect(witness.read(until: "status 200\n") != nil)
        connection.get("/status/419")
        #expect(connection.read(until: "status 419\n") != nil)
    }
}
