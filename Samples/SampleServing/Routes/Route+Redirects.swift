// MARK: - Redirects and statuses

extension Route {
    /// The routes that send the client elsewhere, or give it a status and little more.
    static let redirects: [Route] = [
        Route(
            "/redirect/<n>",
            "n hops (302), then /file/10/end.txt",
            methods: .all,
            arguments: 1...1
        ) { request, arguments throws(Refusal) in
            let hops = try arguments.number(0, in: 0...1_000_000)
            guard hops > 0 else {
                return .answer(PatternFile(size: 10, name: "end.txt").answer(to: request))
            }
            return .answer(
                redirect(to: hops == 1 ? "/file/10/end.txt" : "/redirect/\(hops - 1)", status: 302)
            )
        },
        Route(
            "/redirect-to?url=<percent-encoded>&status=302",
            "one hop, to any URL, with any status from 300 to 399",
            methods: .all
        ) { request, _ throws(Refusal) in
            let form = "the form is /redirect-to?url=<percent-encoded>&status=302"
            guard let url = request.parameter("url"), !url.isEmpty,
                !url.unicodeScalars.contains(where: { $0.value < 32 })
            else { throw Refusal(status: 404, sentence: form) }
            guard let status = Int(request.parameter("status") ?? "302"),
                (300...399).contains(status)
            else { throw Refusal(status: 400, sentence: form + ", with a status from 300 to 399") }
            return .answer(redirect(to: url, status: status))
        },
        Route(
            "/status/<code>",
            "any status from 200 to 999",
            methods: .all,
            arguments: 1...1
        ) { _, arguments throws(Refusal) in
            let status = Int(try arguments.number(0, in: 200...999))
            guard ![204, 304].contains(status) else { return .answer(Answer(status: status)) }
            return .answer(.text(status: status, "status \(status)"))
        },
        Route("/401", "asks for a name and a password (Basic), and takes none", methods: .all) {
            _,
            _ in
            let challenge = Answer.Header("WWW-Authenticate", "Basic realm=\"sample\"")
            return .answer(.text(status: 401, headers: [challenge], "no name opens this"))
        },
        Route("/404", "not found", methods: .all) { _, _ in
            .answer(.text(status: 404, "there is nothing here, as you asked"))
        },
        Route("/416", "range not satisfiable", methods: .all) { _, _ in
            let place = Answer.Header("Content-Range", "bytes */10")
            return .answer(.text(status: 416, headers: [place], "the file ends before the range"))
        },
    ]

    private static func redirect(to location: String, status: Int) -> Answer {
        .text(
            status: status,
            headers: [Answer.Header("Location", location)],
            "it is at \(location)"
        )
    }
}
