import Foundation
import Testing

@testable import RunLoopNetworking

@Suite("Multipart bodies", .timeLimit(.minutes(1)))
struct MultipartParserTests {
    /// What the parser says, with the data of a part in one piece.
    private enum Told: Equatable, CustomStringConvertible {
        case part([String])
        case data(String)
        case end
        case ending(MultipartParser.Ending)

        var description: String {
            switch self {
            case .part(let fields): "part \(fields)"
            case .data(let text): "data \(text.debugDescription)"
            case .end: "end"
            case .ending(let ending): "\(ending)"
            }
        }
    }

    /// Feeds a body in pieces that begin at these places.
    private static func told(
        _ body: [UInt8],
        boundary: String,
        pieces places: [Int]
    ) throws -> [Told] {
        var parser = try #require(MultipartParser(boundary: boundary))
        var told: [Told] = []
        func tell(_ bytes: [UInt8]) {
            let text = String(decoding: bytes, as: UTF8.self)
            if case .data(let before) = told.last {
                told[told.count - 1] = .data(before + text)
            } else {
                told.append(.data(text))
            }
        }
        func hear(_ events: [MultipartParser.Event], _ piece: [UInt8]) {
            for event in events {
                switch event {
                case .part(let fields): told.append(.part(fields.map { "\($0.name)=\($0.value)" }))
                case .data(let range): tell(Array(piece[range]))
                case .held(let bytes): tell(bytes)
                case .partEnd: told.append(.end)
                }
            }
        }
        for (start, end) in zip([0] + places, places + [body.count]) {
            let piece = Array(body[start..<end])
            hear(try unsafe piece.withUnsafeBytes { try unsafe parser.parse($0) }, piece)
        }
        let (events, ending) = parser.end()
        hear(events, [])
        return told + [.ending(ending)]
    }

    private struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: String
        let told: [Told]
        var boundary = "B"
    }

    private static let cases = [
        Case(
            testDescription: "two parts",
            body:
                "--B\r\nContent-Type: text/plain\r\n\r\none\r\n--B\r\nX: y\r\n\r\ntwo\r\n--B--\r\n",
            told: [
                .part(["Content-Type=text/plain"]), .data("one"), .end,
                .part(["X=y"]), .data("two"), .end, .ending(.closed),
            ]
        ),
        Case(
            testDescription: "preamble and epilogue",
            body: "to old readers\r\n--Beware\r\n--B\r\n\r\none\r\n--B--\r\n--B\r\n\r\nthe end",
            told: [.part([]), .data("one"), .end, .ending(.closed)]
        ),
        Case(
            testDescription: "lone LF",
            body: "\n--B\nX: y\n\none\ntwo\n\n--B\n\n\n--B--",
            told: [
                .part(["X=y"]), .data("one\ntwo\n"), .end, .part([]), .end, .ending(.closed),
            ]
        ),
        Case(
            testDescription: "blanks behind the boundary",
            body: "--B \t\r\n\r\none\r\n--B \r\n\r\ntwo\r\n--B--",
            told: [
                .part([]), .data("one"), .end, .part([]), .data("two"), .end, .ending(.closed),
            ]
        ),
        Case(
            testDescription: "parts without data",
            body: "--B\r\nX: y\r\n\r\n--B\r\n\r\n\r\n--B--",
            told: [.part(["X=y"]), .end, .part([]), .end, .ending(.closed)]
        ),
        Case(
            testDescription: "what only looks like a delimiter",
            body:
                "--B\r\n\r\n--A\r\n--\r\n-\r\n--BB\r\n--B -\r\n--B-x\r\n --B\r\n\r\r\n\n--B \r\r\r\n--B--",
            told: [
                .part([]),
                .data("--A\r\n--\r\n-\r\n--BB\r\n--B -\r\n--B-x\r\n --B\r\n\r\r\n\n--B \r\r"), .end,
                .ending(.closed),
            ]
        ),
        Case(
            testDescription: "a delimiter right behind a mistaken one",
            body: "--B\r\n\r\n\r\r\n\r\n--\r\n--B\r\n--B--",
            told: [.part([]), .data("\r\r\n\r\n--"), .end, .ending(.insidePart)]
        ),
        Case(
            testDescription: "a folded field",
            body: "--B\r\nX: one\r\n two\r\n\r\n1\r\n--B--",
            told: [.part(["X=one two"]), .data("1"), .end, .ending(.closed)]
        ),
        Case(
            testDescription: "nested",
            body: "--B\r\n\r\n--C\r\n\r\none\r\n--C--\r\n--B--",
            told: [.part([]), .data("--C\r\n\r\none\r\n--C--"), .end, .ending(.closed)]
        ),
        Case(
            testDescription: "announced with its hyphens",
            body: "--my\r\n\r\none\r\n----my\r\n--my\r\n\r\ntwo\r\n--my--",
            told: [
                .part([]), .data("one\r\n----my"), .end, .part([]), .data("two"), .end,
                .ending(.closed),
            ],
            boundary: "--my"
        ),
        Case(
            testDescription: "that begins with hyphens",
            body: "----my\r\n\r\none\r\n--my\r\n----my\r\n\r\ntwo\r\n----my--",
            told: [
                .part([]), .data("one\r\n--my"), .end, .part([]), .data("two"), .end,
                .ending(.closed),
            ],
            boundary: "--my"
        ),
        Case(
            testDescription: "of hyphens only",
            body: "-----\r\n\r\none\r\n-------",
            told: [.part([]), .data("one"), .end, .ending(.closed)],
            boundary: "---"
        ),
        Case(testDescription: "empty", body: "", told: [.ending(.withoutPart)]),
        Case(testDescription: "no delimiter", body: "one\r\ntwo", told: [.ending(.withoutPart)]),
        Case(
            testDescription: "cut in the data",
            body: "--B\r\n\r\none\r\n--",
            told: [.part([]), .data("one\r\n--"), .ending(.insidePart)]
        ),
        Case(
            testDescription: "cut in a head",
            body: "--B\r\n\r\none\r\n--B\r\nX: ",
            told: [.part([]), .data("one"), .end, .ending(.insidePart)]
        ),
        Case(
            testDescription: "cut behind a delimiter",
            body: "--B\r\n\r\none\r\n--B\r\n",
            told: [.part([]), .data("one"), .end, .ending(.betweenParts)]
        ),
        Case(
            testDescription: "cut in the line end of a delimiter",
            body: "--B\r\n\r\none\r\n--B\r",
            told: [.part([]), .data("one"), .end, .ending(.betweenParts)]
        ),
    ]

    @Test("A body is taken apart, wherever one piece ends and the next begins", arguments: cases)
    private func splitting(_ example: Case) throws {
        let body = Array(example.body.utf8)
        func told(_ places: [Int]) throws -> [Told] {
            try Self.told(body, boundary: example.boundary, pieces: places)
        }
        #expect(try told([]) == example.told)
        #expect(try told(Array(body.indices.dropFirst())) == example.told, "byte by byte")
        for first in body.indices.dropFirst() {
            #expect(try told([first]) == example.told, "split at \(first)")
            for second in body.indices.dropFirst(first) {
                #expect(try told([first, second]) == example.told, "split at \(first), \(second)")
            }
        }
    }

    @Test("Whatever comes, little is held back")
    func bounded() throws {
        var parser = try #require(MultipartParser(boundary: "B"))
        let start = Array("--B\r\n\r\n\r\n--B".utf8)
        _ = try unsafe start.withUnsafeBytes { try unsafe parser.parse($0) }
        #expect(parser.heldCount == 5)
        let blanks = [UInt8](repeating: UInt8(ascii: " "), count: 10_000)
        let events = try unsafe blanks.withUnsafeBytes { try unsafe parser.parse($0) }
        #expect(events == [.held(Array("\r\n--B".utf8)), .data(0..<10_000)])
        #expect(parser.heldCount == 0)
    }

    @Test(
        "The head of a part is looked at as that of a response",
        arguments: [
            ("no field\r\n", HeaderError.Code.missingColon), ("X: \0\r\n", .controlByte),
            (": x\r\n", .emptyName), (" x\r\n", .foldWithoutField),
        ]
    )
    func badHead(line: String, code: HeaderError.Code) throws {
        #expect(try Self.error(inHead: line) == code)
    }

    @Test("The head of a part has a bound")
    func boundedHead() throws {
        let room = MultipartParser.maximumHeadByteCount
        #expect(try Self.error(inHead: "X:" + String(repeating: "x", count: room - 2)) == nil)
        #expect(try Self.error(inHead: "X:" + String(repeating: "x", count: room - 1)) == .tooLarge)
        #expect(try Self.error(inHead: String(repeating: "X:\n", count: room)) == .tooManyFields)
    }

    private static func error(inHead line: String) throws -> HeaderError.Code? {
        var parser = try #require(MultipartParser(boundary: "B"))
        let bytes = Array("--B\r\n\(line)".utf8)
        do {
            _ = try unsafe bytes.withUnsafeBytes { try unsafe parser.parse($0) }
            return nil
        } catch let error as HeaderError {
            return error.code
        }
    }

    @Test(
        "What can't be a boundary makes no parser",
        arguments: ["", "a\r\nb", String(repeating: "b", count: 257)]
    )
    func badBoundary(text: String) {
        #expect(MultipartParser(boundary: text) == nil)
    }
}
