import Testing

@testable import RunLoopNetworking

@Suite("The part that a response carries", .timeLimit(.minutes(1)))
struct ContentRangeTests {
    @Test("The three forms are read")
    func forms() {
        let part = ContentRange("bytes 0-499/1234")
        #expect(part?.offsets == 0...499)
        #expect(part?.total == 1_234)
        #expect(part?.count == 500)
        let open = ContentRange("Bytes 5-9/*")
        #expect(open?.offsets == 5...9)
        #expect(open?.total == nil)
        let none = ContentRange("bytes */1234")
        #expect(none?.offsets == nil)
        #expect(none?.total == 1_234)
        #expect(none?.count == nil)
        #expect(ContentRange("bytes */0")?.total == 0)
    }

    @Test("Offsets reach beyond 4 GiB, to the greatest number there is")
    func great() {
        let part = ContentRange("bytes 5368709120-5368709124/5368709125")
        #expect(part?.offsets == 5_368_709_120...5_368_709_124)
        #expect(part?.total == 5_368_709_125)
        let greatest = ContentRange("bytes 0-9223372036854775806/9223372036854775807")
        #expect(greatest?.count == .max)
    }

    @Test(
        "Anything else is refused",
        arguments: [
            "", "bytes", "bytes ", "bytes 0-499", "bytes 0-499/", "bytes */*", "bytes 0-/5",
            "bytes -5/9", "bytes 9-5/10", "bytes 5-9/9", "bytes 5-9/5", "items 5-9/10",
            "bytes=5-9/10", "bytes: 5-9/10", "bytes 5-9/10, bytes 0-4/10", "bytes 5-9/10/11",
            "bytes  5-9/10", "bytes 5 - 9/10", "bytes +5-9/10", "bytes 5-9/-1", "bytes 0x5-9/10",
            "bytes 0-9223372036854775807/*", "bytes 0-9223372036854775808/*",
            "bytes */9223372036854775808", "bytes 18446744073709551616-18446744073709551617/*",
        ]
    )
    func refused(value: String) {
        #expect(ContentRange(value) == nil)
    }
}
