/// A file that the server makes on the fly: a pattern, a name, and what HTTP says of both.
struct PatternFile: Equatable {
    /// When every file was last modified.
    static let lastModified = "Mon, 01 Jan 2024 00:00:00 GMT"

    private static let boundary = "a-part-of-the-pattern"

    let size: Int64
    let name: String

    /// Names the file; a strong validator, for the bytes depend on the size alone.
    private var etag: String { "\"pattern-\(size)\"" }

    private var validators: [Answer.Header] {
        [
            Answer.Header("ETag", etag),
            Answer.Header("Last-Modified", Self.lastModified),
            Answer.Header("Accept-Ranges", "bytes"),
        ]
    }

    private var typeHeader: Answer.Header {
        Answer.Header("Content-Type", ContentType.ofFile(named: name))
    }

    /// The answer to a request for the file, with its conditions and ranges.
    func answer(to request: Request) -> Answer {
        if isKnown(to: request) { return Answer(status: 304, headers: validators) }
        switch ranges(of: request) {
        case .whole:
            return Answer(headers: [typeHeader] + validators, body: .pattern(0..<size))
        case .unsatisfiable:
            let sentence = "the file ends before the range: it has \(size) bytes"
            var answer = Answer.text(status: 416, sentence)
            answer.headers += validators + [Answer.Header("Content-Range", "bytes */\(size)")]
            return answer
        case .parts(let parts):
            return parts.count == 1 ? single(parts[0]) : multiple(parts)
        }
    }
}

// MARK: - Conditions

extension PatternFile {
    /// Whether the client has the file already (If-None-Match, or else If-Modified-Since).
    private func isKnown(to request: Request) -> Bool {
        guard let list = request.header("If-None-Match") else {
            return request.header("If-Modified-Since") == Self.lastModified
        }
        // Here a weak tag counts as much as a strong one (RFC 9110, 13.1.2).
        return list.split(separator: ",").contains { tag in
            let tag = tag.drop { $0 == " " }
            return tag == "*" || tag == etag || tag == "W/" + etag
        }
    }

    /// What is asked for, once If-Range has been looked at.
    private func ranges(of request: Request) -> ByteRanges {
        // A range means something for GET alone (RFC 9110, 14.2).
        guard request.method == .get else { return .whole }
        if let condition = request.header("If-Range") {
            guard condition == etag || condition == Self.lastModified else { return .whole }
        }
        return ByteRanges(request.header("Range"), size: size)
    }
}

// MARK: - Parts

extension PatternFile {
    private func contentRange(_ range: Range<Int64>) -> String {
        "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
    }

    private func single(_ range: Range<Int64>) -> Answer {
        let place = Answer.Header("Content-Range", contentRange(range))
        return Answer(
            status: 206,
            headers: [typeHeader] + validators + [place],
            body: .pattern(range)
        )
    }

    private func multiple(_ ranges: [Range<Int64>]) -> Answer {
        var body = Body()
        for range in ranges {
            let head = """
                \(body.segments.isEmpty ? "" : "\r\n")--\(Self.boundary)\r
                Content-Type: \(typeHeader.value)\r
                Content-Range: \(contentRange(range))\r
                \r

                """
            body.append(.bytes(Array(head.utf8)))
            body.append(.pattern(range))
        }
        body.append(.bytes(Array("\r\n--\(Self.boundary)--\r\n".utf8)))
        let type = "multipart/byteranges; boundary=\(Self.boundary)"
        return Answer(
            status: 206,
            headers: [Answer.Header("Content-Type", type)] + validators,
            body: body
        )
    }
}
