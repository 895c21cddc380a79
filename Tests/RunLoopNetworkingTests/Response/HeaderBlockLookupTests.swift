import Testing

@testable import RunLoopNetworking

@Suite("Looking up header fields", .timeLimit(.minutes(1)))
struct HeaderBlockLookupTests {
    // B005
    @Test("Values of the same name are joined in order of arrival, whatever the letter case")
    func joining() throws {
        let block = try HeaderBlock(fieldLines: [
            "X-Tag: one", "Content-Length: 2", "x-tag: two", "Cache-Control: no-cache",
            "Cache-Control: no-store", "X-TAG:",
        ])
        #expect(block.value(for: "X-TAG") == "one, two, ")
        #expect(block.value(for: "cache-control") == "no-cache, no-store")
        #expect(
            block.joined == [
                "X-Tag": "one, two, ",
                "Content-Length": "2",
                "Cache-Control": "no-cache, no-store",
            ]
        )
    }

    @Test("Values can be had apart")
    func apart() throws {
        let block = try HeaderBlock(fieldLines: [
            "Set-Cookie: a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT", "set-cookie: b=2",
        ])
        #expect(
            block.values(for: "Set-Cookie") == [
                "a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT", "b=2",
            ]
        )
    }

    @Test("A name that did not come has no value, and an empty value is one")
    func absence() throws {
        let block = try HeaderBlock(fieldLines: ["X-Empty:"])
        #expect(block.value(for: "X-Other") == nil)
        #expect(block.values(for: "X-Other").isEmpty)
        #expect(block.value(for: "X-Empty")?.isEmpty == true)
    }

    @Test("Heads that say the same are equal")
    func equality() throws {
        let one = try HeaderBlock(fieldLines: ["X: a", "Y: b"])
        #expect(try one == HeaderBlock(fieldLines: ["X:   a", "Y:b"], lineEnd: "\n"))
        #expect(try one != HeaderBlock(fieldLines: ["Y: b", "X: a"]))
        #expect(try one != HeaderBlock(fieldLines: ["x: a", "Y: b"]))
    }
}
