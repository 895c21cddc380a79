import ContentCodings
import Foundation
import FoundationNetworking
import Testing

@testable import RunLoopNetworking

@Suite("Accepted codings", .timeLimit(.minutes(1)))
struct AcceptedCodingsTests {
    private func accepted(
        _ fields: [String: String] = [:],
        url: String = "http://h/"
    ) throws -> AcceptedCodings {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.allHTTPHeaderFields = fields
        return AcceptedCodings(request)
    }

    @Test(
        "What is asked for depends on the scheme and the caller",
        arguments: [
            ("http://h/", [:], "gzip, deflate"), ("https://h/", [:], "gzip, deflate, br"),
            ("HTTPS://h/", [:], "gzip, deflate, br"),
            ("http://h/", ["Range": "bytes=0-"], nil),
            ("https://h/", ["range": "bytes=0-"], nil),
            ("http://h/", ["accept-encoding": "br"], nil),
        ] as [(String, [String: String], String?)]
    )
    func asked(url: String, fields: [String: String], expected: String?) throws {
        #expect(try accepted(fields, url: url).fieldValue == expected)
    }

    @Test(
        "Codings are taken off in reverse; with one that is not known none is",
        arguments: [
            ([], []), ([""], []), (["identity"], []), (["gzip"], [.gzip]), (["x-gzip"], [.gzip]),
            (["deflate"], [.deflate]), (["br"], [.brotli]), (["zstd"], [.zstd]),
            (["gzip", "br"], [.brotli, .gzip]), (["identity", "gzip", ""], [.gzip]),
            (["utf-8"], []), (["gzip", "utf-8"], []), (["compress", "gzip"], []),
            ([String](repeating: "gzip", count: 5), [ContentCoding](repeating: .gzip, count: 5)),
            ([String](repeating: "gzip", count: 6), []),
        ] as [([String], [ContentCoding])]
    )
    func steps(names: [String], expected: [ContentCoding]) throws {
        #expect(try accepted().steps(for: names) == expected)
        #expect(try accepted(["Range": "bytes=0-"]).steps(for: names) == [])
        #expect(try accepted(["Accept-Encoding": "identity"]).steps(for: names) == [])
        #expect(try accepted(["Accept-Encoding": "*"]).steps(for: names) == expected)
    }

    @Test(
        "A caller who names codings gets these decoded",
        arguments: [
            ("gzip", "gzip", true), ("gzip", "x-gzip", true), ("x-gzip", "gzip", true),
            ("GZIP;q=0.5 , br", "gzip", true), ("br", "gzip", false), ("gzip;q=0", "gzip", false),
            ("gzip; q=0.000, br", "gzip", false), ("", "gzip", false), ("identity", "gzip", false),
        ]
    )
    func callers(value: String, name: String, isDecoded: Bool) throws {
        let steps = try accepted(["accept-Encoding": value]).steps(for: [name])
        #expect(steps == (isDecoded ? [.gzip] : []))
    }
}
