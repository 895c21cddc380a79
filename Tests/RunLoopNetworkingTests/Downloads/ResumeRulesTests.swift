import Foundation
import FoundationNetworking
import Testing

@testable import RunLoopNetworking

@Suite("The rules of going on with a download", .timeLimit(.minutes(1)))
struct ResumeRulesTests {
    private let v1 = Validators(entityTag: "\"v1\"")

    /// Five of ten bytes of version 1.
    private var half: ResumeRules { rules(5, of: 10, v1) }

    private func rules(
        _ length: Int64,
        of total: Int64?,
        _ validators: Validators = Validators(),
        needsStrongValidator: Bool = false
    ) -> ResumeRules {
        ResumeRules(
            present: ResumeRules.Present(length: length, total: total, validators: validators),
            needsStrongValidator: needsStrongValidator
        )
    }

    private func head(_ status: Int, _ fieldLines: String...) throws -> HeaderBlock {
        var lines = [Array("HTTP/1.1 \(status) Reason\r\n".utf8)]
        lines += (fieldLines + [""]).map { Array("\($0)\r\n".utf8) }
        return try HeaderBlock(lines: lines)
    }

    private func body(_ start: Int64, _ end: Int64?, _ total: Int64?) -> ExpectedBody {
        ExpectedBody(start: start, end: end, total: total)
    }

    // MARK: - Requests

    @Test("The rest is asked for with a range, and with If-Range where a validator is strong")
    func requests() {
        let identity = ["Accept-Encoding": "identity"]
        func fields(_ more: [String: String]) -> [String: String] {
            identity.merging(more) { $1 }
        }
        #expect(ResumeRules().requestFields == identity)
        #expect(half.requestFields == fields(["Range": "bytes=5-", "If-Range": "\"v1\""]))
        let weak = Validators(entityTag: "W/\"v1\"")
        #expect(rules(5, of: nil, weak).requestFields == fields(["Range": "bytes=5-"]))
        #expect(rules(5, of: nil, weak, needsStrongValidator: true).requestFields == identity)
        #expect(rules(5, of: nil, v1, needsStrongValidator: true).offset == 5)
        #expect(rules(0, of: 10, v1).requestFields == identity)
        #expect(
            rules(5_368_709_120, of: nil).requestFields == fields(["Range": "bytes=5368709120-"])
        )
        let wanted = ResumeRules(present: half.present, wanted: ByteRangeSet("0-4"))
        #expect(wanted.requestFields == fields(["Range": "bytes=0-4"]))
        #expect(wanted.offset == nil)
    }

    // MARK: - The whole file

    @Test("The whole file is written from its beginning, with or without a length")
    func whole() throws {
        for rules in [ResumeRules(), half] {
            for status in [200, 203] {
                let known = try head(status, "Content-Length: 10", "Accept-Ranges: bytes")
                #expect(rules.action(for: known) == .startAgain(body(0, 10, 10)))
                #expect(rules.action(for: try head(status)) == .startAgain(body(0, nil, nil)))
            }
            let great = try head(200, "Content-Length: 6442450944")
            #expect(
                rules.action(for: great) == .startAgain(body(0, 6_442_450_944, 6_442_450_944))
            )
        }
    }

    @Test("No content is an empty file where the whole was asked for, and nothing to go on with")
    func noContent() throws {
        #expect(ResumeRules().action(for: try head(204)) == .startAgain(body(0, 0, 0)))
        #expect(half.action(for: try head(204)) == .fail(Failure(status: 204)))
        #expect(half.action(for: try head(205)) == .fail(Failure(status: 205)))
    }

    @Test("A length that can't be read fails")
    func badLength() throws {
        let action = ResumeRules().action(for: try head(200, "Content-Length: -5"))
        guard case .fail(let failure) = action else {
            Issue.record("\(action)")
            return
        }
        #expect(failure.code == .badServerResponse)
    }

    // MARK: - Parts

    @Test("The part that was asked for is appended")
    func append() throws {
        let part = try head(206, "Content-Range: bytes 5-9/10", "Content-Length: 5")
        for rules in [half, rules(5, of: nil), rules(5, of: 10)] {
            #expect(rules.action(for: part) == .append(body(5, 10, 10)))
        }
        let same = try head(206, "ETag: \"v1\"", "Content-Range: bytes 5-9/10")
        #expect(half.action(for: same) == .append(body(5, 10, 10)))
    }

    @Test("A part that begins earlier is written where it begins; less than asked for as well")
    func otherParts() throws {
        let earlier = try head(206, "Content-Range: bytes 3-9/10")
        #expect(half.action(for: earlier) == .append(body(3, 10, 10)))
        let fromStart = try head(206, "Content-Range: bytes 0-9/10")
        #expect(half.action(for: fromStart) == .append(body(0, 10, 10)))
        let less = try head(206, "Content-Range: bytes 5-6/10", "Content-Length: 2")
        #expect(half.action(for: less) == .append(body(5, 7, 10)))
    }

    @Test("A total that is not said again is the one that is known, and never 0")
    func unknownTotal() throws {
        let part = try head(206, "Content-Range: bytes 5-9/*", "Content-Length: 5")
        #expect(half.action(for: part) == .append(body(5, 10, 10)))
        #expect(rules(5, of: nil).action(for: part) == .append(body(5, 10, nil)))
        let beyond = try head(206, "Content-Range: bytes 5-11/*")
        #expect(half.action(for: beyond) == .askForWhole)
    }

    @Test(
        "What does not fit to what is there is not put together with it",
        arguments: [
            ["Content-Range: bytes 7-9/10"],
            ["Content-Range: bytes 5-9/12"],
            ["Content-Range: bytes 9-5/10"],
            ["Content-Range: items 5-9/10"],
            ["Content-Range: bytes */10"],
            ["Content-Range: 5-9/10"],
            ["Content-Range: bytes 5-9/10", "Content-Range: bytes 5-9/10"],
            [],
            ["Content-Type: multipart/byteranges; boundary=B"],
            ["Content-Type: multipart/byteranges; boundary=B", "Content-Range: bytes 5-9/10"],
            ["Content-Range: bytes 5-9/10", "Content-Length: 3"],
            ["Content-Range: bytes 5-9/10", "Content-Length: 10"],
            ["Content-Range: bytes 5-9/10", "Content-Length: x"],
            ["Content-Range: bytes 5-9/10", "Content-Encoding: gzip"],
            ["Content-Range: bytes 5-9/10", "ETag: \"v2\""],
            ["Content-Range: bytes 5-9/10", "ETag: W/\"v1\""],
        ]
    )
    func notPutTogether(fieldLines: [String]) throws {
        var lines = [Array("HTTP/1.1 206 Partial Content\r\n".utf8)]
        lines += (fieldLines + [""]).map { Array("\($0)\r\n".utf8) }
        let head = try HeaderBlock(lines: lines)
        #expect(half.action(for: head) == .askForWhole)
    }

    @Test("The coding identity is none")
    func identity() throws {
        let part = try head(206, "Content-Range: bytes 5-9/10", "Content-Encoding: identity")
        #expect(half.action(for: part) == .append(body(5, 10, 10)))
    }

    @Test("A part that nobody asked for is the beginning of the file, or fails")
    func unasked() throws {
        let beginning = try head(206, "Content-Range: bytes 0-4/10", "Content-Length: 5")
        #expect(ResumeRules().action(for: beginning) == .startAgain(body(0, 5, 10)))
        #expect(rules(0, of: nil).action(for: beginning) == .startAgain(body(0, 5, 10)))
        for range in ["bytes 1-4/10", "bytes 0-4/*", "bytes */10", "nonsense"] {
            let part = try head(206, "Content-Range: \(range)")
            #expect(ResumeRules().action(for: part) == .fail(.unaskedPart))
        }
        #expect(ResumeRules().action(for: try head(206)) == .fail(.unaskedPart))
    }

    @Test("A part that the caller asked for is a file of its own, and no other part is")
    func wanted() throws {
        func action(_ wanted: String, _ range: String) throws -> ResumeRules.Action {
            let rules = ResumeRules(present: half.present, wanted: ByteRangeSet(wanted))
            return rules.action(for: try head(206, "Content-Range: \(range)"))
        }
        #expect(try action("2-4", "bytes 2-4/10") == .startAgain(body(0, 3, 3)))
        #expect(try action("2-", "bytes 2-9/10") == .startAgain(body(0, 8, 8)))
        #expect(try action("-3", "bytes 7-9/10") == .startAgain(body(0, 3, 3)))
        #expect(try action("2-40", "bytes 2-9/10") == .startAgain(body(0, 8, 8)))
        #expect(try action("2-4", "bytes 2-4/*") == .startAgain(body(0, 3, 3)))
        for (wanted, range) in [
            ("2-4", "bytes 2-5/10"), ("2-4", "bytes 2-3/10"), ("2-4", "bytes 1-4/10"),
            ("2-4", "bytes 2-5/*"), ("2-", "bytes 3-9/*"), ("-3", "bytes 6-9/*"),
            ("2-4", "bytes */10"), ("2-4", "x"),
        ] {
            #expect(try action(wanted, range) == .fail(.otherPart), "\(wanted) \(range)")
        }
        let rules = ResumeRules(wanted: ByteRangeSet("0-0,-1"))
        let several = try head(
            206,
            "Content-Type: multipart/byteranges; boundary=B",
            "Content-Length: 99"
        )
        #expect(rules.action(for: several) == .startAgain(body(0, 99, 99)))
        #expect(rules.action(for: try head(200)) == .startAgain(body(0, nil, nil)))
        #expect(rules.action(for: try head(416)) == .fail(Failure(status: 416)))
    }

    // MARK: - No file at all

    @Test("416 with the length that is there means that the file is whole")
    func alreadyWhole() throws {
        let answer = try head(416, "Content-Range: bytes */10", "Content-Length: 12")
        for rules in [rules(10, of: nil), rules(10, of: 10), rules(10, of: nil, v1)] {
            #expect(rules.action(for: answer) == .complete(length: 10))
        }
        let other = try head(416, "Content-Range: bytes */10", "ETag: \"v2\"")
        #expect(rules(10, of: 10, v1).action(for: other) == .askForWhole)
    }

    @Test(
        "416 otherwise means that what is there is of no use",
        arguments: [
            ["Content-Range: bytes */10", "Content-Type: text/html", "Content-Length: 20"],
            ["Content-Range: bytes */20"], ["Content-Range: bytes 0-14/15"],
            ["Content-Range: */15"], [],
        ]
    )
    func notSatisfiable(fieldLines: [String]) throws {
        var lines = [Array("HTTP/1.1 416 Range Not Satisfiable\r\n".utf8)]
        lines += (fieldLines + [""]).map { Array("\($0)\r\n".utf8) }
        let head = try HeaderBlock(lines: lines)
        #expect(rules(15, of: nil, v1).action(for: head) == .askForWhole)
    }

    @Test("416 with the length that is there, but another than the file had, is of no use")
    func otherTotal() throws {
        let answer = try head(416, "Content-Range: bytes */5")
        #expect(half.action(for: answer) == .askForWhole)
    }

    @Test(
        "A condition that fails means that what is there is of no use; without one it is a failure"
    )
    func conditions() throws {
        for status in [304, 412] {
            #expect(half.action(for: try head(status)) == .askForWhole)
            #expect(
                ResumeRules().action(for: try head(status)) == .fail(Failure(status: status))
            )
        }
    }

    @Test(
        "The page of an error reaches no file, and what is there is kept",
        arguments: [
            (300, URLError.Code.badServerResponse), (302, .badServerResponse),
            (400, .badServerResponse), (401, .userAuthenticationRequired),
            (403, .noPermissionsToReadFile), (404, .fileDoesNotExist),
            (407, .userAuthenticationRequired), (408, .timedOut), (410, .fileDoesNotExist),
            (429, .badServerResponse), (500, .badServerResponse), (503, .badServerResponse),
            (504, .timedOut), (999, .badServerResponse),
        ]
    )
    func errors(status: Int, code: URLError.Code) throws {
        let page = try head(
            status,
            "Content-Type: text/html",
            "Content-Length: 20",
            "Content-Range: bytes 5-9/10"
        )
        for rules in [ResumeRules(), half] {
            let failure = Failure(status: status)
            #expect(rules.action(for: page) == .fail(failure))
            #expect(failure.code == code)
            #expect(failure.sentence.contains("\(status)"))
        }
    }
}
