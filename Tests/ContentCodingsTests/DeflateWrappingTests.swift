import Testing

@testable import ContentCodings

@Suite("What stands round deflate", .timeLimit(.minutes(1)))
struct DeflateWrappingTests {
    @Test(
        "The first bytes tell",
        arguments: [
            ([], nil), ([0x78], nil), ([0x78, 0x9C], .zlib), ([0x78, 0x01], .zlib),
            ([0x08, 0x1D], .zlib), ([0x78, 0x9D], .bare), ([0x88], .bare), ([0xCB], .bare),
            ([0x01], .bare), ([0x00], .bare),
        ] as [([UInt8], DeflateWrapping?)]
    )
    func tells(prefix: [UInt8], expected: DeflateWrapping?) {
        #expect(DeflateWrapping.of(prefix) == expected)
    }
}
