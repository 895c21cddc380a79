import Foundation
import FoundationNetworking
import Testing

@testable import RunLoopNetworking

@Suite("Kept responses", .timeLimit(.minutes(1)))
struct StoredResponseTests {
    private let now = Date(timeIntervalSince1970: 1_796_000_000)

    private func answers(
        _ lines: [String],
        _ first: [String: String],
        _ second: [String: String],
        isDecoded: Bool = false
    ) throws -> Bool {
        let stored = try StoredResponse.made(lines, at: now, isDecoded: isDecoded, for: first)
        var request = URLRequest(url: try #require(URL(string: stored.url)))
        for (name, value) in second { request.setValue(value, forHTTPHeaderField: name) }
        return stored.answers(RequestFields(request), AcceptedCodings(request))
    }

    @Test(
        "Vary chooses by the values of the fields that it names",
        arguments: [
            (["Foo": "1"], ["Foo": "1"], true), (["Foo": "1"], ["Foo": "2"], false),
            ([:], ["Foo": "1"], false), (["Foo": "1"], [:], false), ([:], [:], true),
            (["Foo": "1", "Other": "2"], ["Foo": "1", "Other": "3"], true),
            (["Foo": "1, 2"], ["Foo": "1,2"], true), (["Foo": "1 2"], ["Foo": "12"], false),
            (["Foo": "a"], ["Foo": "A"], false), (["Foo": ""], [:], false),
            (["Accept-Language": "en, de"], ["Accept-Language": "EN,de"], true),
            (["Accept-Language": "en"], ["Accept-Language": "de"], false),
        ] as [([String: String], [String: String], Bool)]
    )
    func vary(first: [String: String], second: [String: String], isAnswer: Bool) throws {
        let lines = ["Vary: Foo", "Vary: accept-language"]
        #expect(try answers(lines, first, second) == isAnswer)
    }

    @Test("What one user was given is not another's, without Vary as well")
    func authorization() throws {
        #expect(try answers([], ["Authorization": "a"], ["Authorization": "a"]))
        #expect(try !answers([], ["Authorization": "a"], ["Authorization": "b"]))
        #expect(try !answers([], ["Authorization": "a"], [:]))
        #expect(try !answers([], [:], ["Authorization": "a"]))
    }

    @Test("A body that was decoded is for those who want it decoded")
    func codings() throws {
        let lines = ["Content-Encoding: gzip"]
        let identity = ["Accept-Encoding": "identity"]
        #expect(try answers(lines, [:], [:], isDecoded: true))
        #expect(try !answers(lines, [:], identity, isDecoded: true))
        #expect(try answers(lines, [:], identity, isDecoded: false))
        #expect(try answers([], [:], identity, isDecoded: false))
    }

    @Test("Fields of one hop, and those that may not be used again, are not kept")
    func keptFields() throws {
        let head = try HeaderBlock(fieldLines: [
            "Connection: keep-alive, A", "A: 1", "B: 2", "Keep-Alive: x",
            "Transfer-Encoding: chunked",
            "Content-Length: 5", "Upgrade: x", "Set-Cookie: a=b", "Cache-Control: no-cache=\"C\"",
            "c: 3", "Trailer: x", "Proxy-Connection: x",
        ])
        let kept = StorableFields.kept(of: head)
        #expect(kept.fields.map(\.name) == ["B", "Set-Cookie", "Cache-Control"])
    }

    @Test("It is handed out with its age in the place of the one that it came with")
    func age() throws {
        let stored = try StoredResponse.made(["Age: 30", "A: 1"], at: now)
        let head = stored.head(at: now + 12.9)
        #expect(head.fields.map { "\($0.name): \($0.value)" } == ["A: 1", "Age: 42"])
    }

    @Test("A 304 brings newer fields, and leaves those of the body")
    func freshened() throws {
        let stored = try StoredResponse.made(
            ["ETag: \"a\"", "Content-Length: 5", "Content-Type: a/b", "Age: 9", "A: 1", "B: 2"],
            at: now
        )
        let head = try HeaderBlock(fieldLines: [
            "ETag: W/\"a\"", "Content-Length: 0", "Content-Encoding: gzip", "A: 3", "A: 4",
            "Cache-Control: max-age=60", "Connection: X", "X: 1",
        ])
        let fresh = stored.freshened(by: head, requestTime: now + 99, responseTime: now + 100)
        #expect(
            fresh.head.fields.map { "\($0.name): \($0.value)" } == [
                "Content-Length: 5", "Content-Type: a/b", "B: 2", "ETag: W/\"a\"", "A: 3", "A: 4",
                "Cache-Control: max-age=60",
            ]
        )
        #expect(fresh.freshness.remaining(at: now + 101) == 58)
    }

    @Test("A 304 with another entity tag speaks of something else")
    func otherTag() throws {
        let stored = try StoredResponse.made(["ETag: \"a\"", "A: 1"], at: now)
        let head = try HeaderBlock(fieldLines: ["ETag: \"b\"", "A: 2"])
        #expect(stored.freshened(by: head, requestTime: now, responseTime: now + 9) == stored)
    }

    @Test("HEAD brings newer fields for the same body, and says when it is another one")
    func headUpdate() throws {
        let stored = try StoredResponse.made(["ETag: \"a\"", "Content-Length: 5"], at: now)
        func updated(_ lines: [String]) throws -> HeaderBlock? {
            stored.updated(
                byHead: try HeaderBlock(fieldLines: lines),
                requestTime: now,
                responseTime: now
            )?.head
        }
        #expect(try updated(["A: 1"])?.value(for: "A") == "1")
        #expect(try updated(["ETag: \"a\"", "Content-Length: 5"]) != nil)
        #expect(try updated(["ETag: \"b\""]) == nil)
        #expect(try updated(["Content-Length: 6"]) == nil)
    }

    @Test("The question about it has its entity tag and its last change")
    func question() throws {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let request = URLRequest(url: try #require(URL(string: "http://a.test/")))
        func asked(_ lines: [String]) throws -> [String?]? {
            let question = ConditionalRequest(try StoredResponse.made(lines, at: now))
            let asked = question?.applied(to: request)
            return asked.map { asked in
                ["If-None-Match", "If-Modified-Since"].map { asked.value(forHTTPHeaderField: $0) }
            }
        }
        #expect(try asked(["ETag: W/\"a\"", "Last-Modified: \(date)"]) == ["W/\"a\"", date])
        #expect(try asked(["ETag: \"a\""]) == ["\"a\"", nil])
        #expect(try asked(["Last-Modified: \(date)"]) == [nil, date])
        #expect(try asked(["Last-Modified: yesterday"]) == nil)
    }

    @Test("What stands in a file is what was written")
    func file() throws {
        var stored = try StoredResponse.made(
            ["A: é\"", "a: 2", "Vary: X"],
            at: now,
            isDecoded: true
        )
        stored.userInfo = Data([1, 2])
        stored.requestTime -= 0.25
        #expect(StoredHead.decode(StoredHead.encode(stored)) == stored)
        #expect(StoredHead.decode([]) == nil)
    }
}
