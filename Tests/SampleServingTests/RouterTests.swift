import Testing

@testable import SampleServing

@Suite("Router", .timeLimit(.minutes(1)))
struct RouterTests {
    private func answer(
        _ path: String,
        _ method: Request.Method = .get,
        query: String = ""
    ) -> Answer? {
        let plan = Router().plan(for: Request(method: method, path: path, query: query))
        guard case .answer(let answer) = plan else { return nil }
        return answer
    }

    private func text(_ answer: Answer?) -> String? {
        guard case .bytes(let bytes)? = answer?.body.segments.first else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "A malformed path is not found, and the answer names the right form",
        arguments: [
            ("/file", "/file/<size>/<name>"),
            ("/file/10", "/file/<size>/<name>"),
            ("/file/10/", "/file/<size>/<name>"),
            ("/file/10/a/b", "/file/<size>/<name>"),
            ("/file/ten/a", "10MB"),
            ("/file/-1/a", "10MB"),
            ("/file/10Mb/a", "10MB"),
            ("/checksum", "/checksum/<size>[/<name>]"),
            ("/slow/10", "/slow/<milliseconds>/<size>"),
            ("/slow/x/10", "/slow/<milliseconds>/<size>"),
            ("/paced/10", "/paced/<bytesPerSecond>/<size>"),
            ("/redirect", "/redirect/<n>"),
            ("/redirect/x", "/redirect/<n>"),
            ("/redirect-to", "/redirect-to?url="),
            ("/status/ok", "/status/<code>"),
            ("/reset/10", "/reset/<size>/<after>"),
            ("/short/10", "/short/<announced>/<sent>"),
            ("/long/10", "/long/<announced>/<sent>"),
            ("/1.mp4/x", "/1.mp4"),
            ("/no-such-route", "GET / lists the routes"),
        ]
    )
    func malformed(path: String, sentence: String) {
        let answer = answer(path)
        #expect(answer?.status == 404)
        #expect(text(answer)?.contains(sentence) == true, "\(text(answer) ?? "")")
    }

    @Test(
        "A value that no route can take is refused with 400",
        arguments: [
            "/file/9223372036854775808/a", "/file/9000000TiB/a", "/chunked/99999999999999999999",
            "/checksum/10000000000GB", "/paced/0/10", "/slow/86400001/10", "/status/199",
            "/status/1000", "/redirect/1000001", "/long/10/10",
        ]
    )
    func outOfRange(path: String) {
        #expect(answer(path)?.status == 400)
    }

    @Test("The largest file has Int64.max bytes")
    func largest() {
        #expect(answer("/file/9223372036854775807/a")?.framing == .length(.max))
        #expect(answer("/file/0/a")?.framing == .length(0))
        #expect(answer("/file/700MiB/a")?.framing == .length(734_003_200))
        #expect(answer("/file/5kB/a")?.framing == .length(5_000))
        #expect(answer("/1.mp4")?.framing == .length(734_003_200))
    }

    @Test("A method that a route does not answer gets 405 and the list of those it does")
    func methods() {
        let answer = answer("/file/10/a", .post)
        #expect(answer?.status == 405)
        #expect(answer?.headers.contains(Answer.Header("Allow", "GET, HEAD")) == true)
        #expect(self.answer("/echo")?.status == 405)
        #expect(self.answer("/status/204", .delete)?.status == 204)
    }

    @Test("A redirect to a URL with a line break is refused")
    func injection() {
        #expect(answer("/redirect-to", query: "url=http://a/%0d%0aX:%20y")?.status == 404)
        #expect(answer("/redirect-to", query: "url=/a&status=200")?.status == 400)
    }

    @Test("The list of routes names every route")
    func list() {
        let list = text(answer("/")) ?? ""
        for name in [
            "/1.mp4", "/file/", "/checksum/", "/chunked/", "/endless", "/slow/", "/paced/",
            "/silent", "/reset/", "/short/", "/long/", "/redirect/", "/redirect-to", "/status/",
            "/401", "/404", "/416", "/echo", "/headers",
        ] {
            #expect(list.contains("\n\(name)"), "\(name)")
        }
    }
}
