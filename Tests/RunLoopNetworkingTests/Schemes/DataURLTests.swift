import Foundation
import Testing

@testable import RunLoopNetworking

@Suite("data: URLs", .timeLimit(.minutes(1)))
struct DataURLTests {
    private struct Row: Sendable, CustomTestStringConvertible {
        let url: String
        let type: String?
        let bytes: [UInt8]

        var testDescription: String { url }

        init(_ url: String, _ type: String? = nil, _ bytes: [UInt8] = []) {
            self.url = url
            self.type = type
            self.bytes = bytes
        }
    }

    /// The cases that browsers are tested with, as facts.
    ///
    /// They are those of the web platform tests: what the URL holds, or that it holds nothing. What is
    /// escaped in a URL is escaped.
    private static let rows = [
        Row("data://test/,X", "text/plain;charset=US-ASCII", [88]),
        Row("data:,X", "text/plain;charset=US-ASCII", [88]),
        Row("data:"),
        Row("data:text/html"),
        Row("data:text/html    ;charset=x   "),
        Row("data:,", "text/plain;charset=US-ASCII", []),
        Row("data:,X#X", "text/plain;charset=US-ASCII", [88]),
        Row("data:,%FF", "text/plain;charset=US-ASCII", [255]),
        Row("data:text/plain,X", "text/plain", [88]),
        Row("data:text/plain ,X", "text/plain", [88]),
        Row("data:text/plain%20,X", "text/plain%20", [88]),
        Row("data:text/plain%0C,X", "text/plain%0c", [88]),
        Row("data:text/plain%0C,X", "text/plain%0c", [88]),
        Row("data:text/plain;,X", "text/plain", [88]),
        Row("data:;x=x;charset=x,X", "text/plain;x=x;charset=x", [88]),
        Row("data:;x=x,X", "text/plain;x=x", [88]),
        Row(
            "data:text/plain;charset=windows-1252,%C2%B1",
            "text/plain;charset=windows-1252",
            [194, 177]
        ),
        Row("data:text/plain;Charset=UTF-8,%C2%B1", "text/plain;charset=UTF-8", [194, 177]),
        Row(
            "data:text/plain;charset=windows-1252,%C3%A1%C3%B1%C3%A7%C9%99%F0%9F%92%A9",
            "text/plain;charset=windows-1252",
            [195, 161, 195, 177, 195, 167, 201, 153, 240, 159, 146, 169]
        ),
        Row(
            "data:text/plain;charset=UTF-8,%C3%A1%C3%B1%C3%A7%C9%99%F0%9F%92%A9",
            "text/plain;charset=UTF-8",
            [195, 161, 195, 177, 195, 167, 201, 153, 240, 159, 146, 169]
        ),
        Row("data:image/gif,%C2%B1", "image/gif", [194, 177]),
        Row("data:IMAGE/gif,%C2%B1", "image/gif", [194, 177]),
        Row("data:IMAGE/gif;hi=x,%C2%B1", "image/gif;hi=x", [194, 177]),
        Row("data:IMAGE/gif;CHARSET=x,%C2%B1", "image/gif;charset=x", [194, 177]),
        Row("data: ,%FF", "text/plain;charset=US-ASCII", [255]),
        Row("data:%20,%FF", "text/plain;charset=US-ASCII", [255]),
        Row("data:%0C,%FF", "text/plain;charset=US-ASCII", [255]),
        Row("data:%1F,%FF", "text/plain;charset=US-ASCII", [255]),
        Row("data:%00,%FF", "text/plain;charset=US-ASCII", [255]),
        Row("data:%00,%FF", "text/plain;charset=US-ASCII", [255]),
        Row("data:text/html  ,X", "text/html", [88]),
        Row("data:text / html,X", "text/plain;charset=US-ASCII", [88]),
        Row("data:%E2%80%A0,X", "text/plain;charset=US-ASCII", [88]),
        Row("data:%E2%80%A0/%E2%80%A0,X", "%e2%80%a0/%e2%80%a0", [88]),
        Row("data:X,X", "text/plain;charset=US-ASCII", [88]),
        Row("data:image/png,X X", "image/png", [88, 32, 88]),
        Row("data:application/javascript,X X", "application/javascript", [88, 32, 88]),
        Row("data:application/xml,X X", "application/xml", [88, 32, 88]),
        Row("data:text/javascript,X X", "text/javascript", [88, 32, 88]),
        Row("data:text/plain,X X", "text/plain", [88, 32, 88]),
        Row("data:unknown/unknown,X X", "unknown/unknown", [88, 32, 88]),
        Row("data:text/plain;a=\",\",X", "text/plain;a=\"\"", [34, 44, 88]),
        Row("data:text/plain;a=%2C,X", "text/plain;a=%2C", [88]),
        Row("data:;base64;base64,WA", "text/plain", [88]),
        Row("data:x/x;base64;base64,WA", "x/x", [88]),
        Row("data:x/x;base64;charset=x,WA", "x/x;charset=x", [87, 65]),
        Row("data:x/x;base64;charset=x;base64,WA", "x/x;charset=x", [88]),
        Row("data:x/x;base64;base64x,WA", "x/x", [87, 65]),
        Row("data:;base64,W%20A", "text/plain;charset=US-ASCII", [88]),
        Row("data:;base64,W%0CA", "text/plain;charset=US-ASCII", [88]),
        Row("data:x;base64x,WA", "text/plain;charset=US-ASCII", [87, 65]),
        Row("data:x;base64;x,WA", "text/plain;charset=US-ASCII", [87, 65]),
        Row("data:x;base64=x,WA", "text/plain;charset=US-ASCII", [87, 65]),
        Row("data:; base64,WA", "text/plain;charset=US-ASCII", [88]),
        Row("data:;  base64,WA", "text/plain;charset=US-ASCII", [88]),
        Row("data:  ;charset=x   ;  base64,WA", "text/plain;charset=x", [88]),
        Row("data:;base64;,WA", "text/plain", [87, 65]),
        Row("data:;base64 ,WA", "text/plain;charset=US-ASCII", [88]),
        Row("data:;base64   ,WA", "text/plain;charset=US-ASCII", [88]),
        Row("data:;base 64,WA", "text/plain", [87, 65]),
        Row("data:;BASe64,WA", "text/plain;charset=US-ASCII", [88]),
        Row("data:;%62ase64,WA", "text/plain", [87, 65]),
        Row("data:%3Bbase64,WA", "text/plain;charset=US-ASCII", [87, 65]),
        Row("data:;charset=x,X", "text/plain;charset=x", [88]),
        Row("data:; charset=x,X", "text/plain;charset=x", [88]),
        Row("data:;charset =x,X", "text/plain", [88]),
        Row("data:;charset= x,X", "text/plain;charset=\" x\"", [88]),
        Row("data:;charset=,X", "text/plain", [88]),
        Row("data:;charset,X", "text/plain", [88]),
        Row("data:;charset=\"x\",X", "text/plain;charset=x", [88]),
        Row("data:;CHARSET=\"X\",X", "text/plain;charset=X", [88]),
    ]

    @Test("A URL holds what browsers read in it", arguments: rows)
    private func platform(row: Row) {
        let read = DataURL(row.url)
        #expect(read.map { Self.written($0.mediaType) } == row.type)
        #expect(read.map(\.bytes) == row.type.map { _ in row.bytes })
    }

    /// A media type as the standard writes it.
    private static func written(_ type: DataMediaType) -> String {
        type.parameters.reduce(into: type.mimeType) { text, parameter in
            let isToken = WireText.isToken(parameter.value)
            let value = parameter.value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            text += ";\(parameter.name)=" + (isToken ? value : "\"\(value)\"")
        }
    }

    @Test(
        "What Foundation has escaped in the media type is read as it was written",
        arguments: [
            ("data:text/plain ,a b", "text/plain", "a b"),
            ("data:;charset=\"x y\",<p>", "text/plain;charset=\"x y\"", "<p>"),
            ("data:; base64,SGk", "text/plain;charset=US-ASCII", "Hi"),
            (
                "data:text/html;charset=utf-8,%3Cp%3E100%25#part", "text/html;charset=utf-8",
                "<p>100%"
            ),
            ("DATA:,\u{e4}", "text/plain;charset=US-ASCII", "\u{e4}"),
            ("data:,a,b?c=%zz", "text/plain;charset=US-ASCII", "a,b?c=%zz"),
            ("data:a%41/b,", "a%41/b", ""),
        ]
    )
    func foundation(url: String, type: String, text: String) throws {
        let parsed = try #require(URL(string: url))
        let read = try #require(DataURL(parsed))
        #expect(Self.written(read.mediaType) == type)
        #expect(String(decoding: read.bytes, as: UTF8.self) == text)
    }

    @Test(
        "A charset is handed on as it is written",
        arguments: [
            ("data:,", "US-ASCII"), ("data:text/plain,", nil), ("data:;charset=Latin1,", "Latin1"),
            ("data:text/html;Charset=\"UTF-8\",", "UTF-8"),
        ]
    )
    func charset(url: String, charset: String?) {
        #expect(DataURL(url)?.mediaType.charset == charset)
    }
}
