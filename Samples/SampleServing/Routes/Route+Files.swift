// MARK: - Files

extension Route {
    /// The routes to files that arrive whole and as fast as they are taken.
    static let files: [Route] = [
        Route("/1.mp4", "a file of 700 MiB, with ranges and validators") { request, _ in
            .answer(PatternFile(size: 700 << 20, name: "1.mp4").answer(to: request))
        },
        Route(
            "/file/<size>/<name>",
            "a file of any size; ?name=other.bin offers it under another name",
            arguments: 2...2
        ) { request, arguments throws(Refusal) in
            let file = PatternFile(size: try arguments.size(0), name: arguments.text(1))
            var answer = file.answer(to: request)
            if let name = request.parameter("name") {
                answer.headers.append(Answer.Header("Content-Disposition", attachment(named: name)))
            }
            return .answer(answer)
        },
        Route(
            "/checksum/<size>[/<name>]",
            "the file's SHA-256, as sha256sum writes it",
            arguments: 1...2
        ) { _, arguments throws(Refusal) in
            // sha256sum writes - for what it read from its standard input.
            let name = arguments.count == 2 ? arguments.text(1) : "-"
            return .checksum(size: try arguments.size(0), name: name)
        },
        Route("/chunked/<size>", "a file in chunks, without its length", arguments: 1...1) {
            _,
            arguments throws(Refusal) in
            .answer(chunked(try arguments.size(0)))
        },
        Route("/endless", "chunks without an end") { _, _ in .answer(chunked(.max)) },
    ]

    private static func chunked(_ size: Int64) -> Answer {
        var answer = Answer(
            headers: [Answer.Header("Content-Type", "application/octet-stream")],
            body: .pattern(0..<size)
        )
        answer.framing = .chunked
        return answer
    }

    /// A Content-Disposition (RFC 6266), with the name a second time where it is not ASCII.
    private static func attachment(named name: String) -> String {
        let plain = name.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\" + String(scalar)
            case " "..."~": String(scalar)
            default: "_"
            }
        }
        let attachment = "attachment; filename=\"\(plain.joined())\""
        let isPlain = name.unicodeScalars.allSatisfy { (" "..."~").contains($0) }
        return isPlain
            ? attachment : attachment + "; filename*=UTF-8''" + PercentEncoding.encode(name)
    }
}
