import Testing

@testable import ContentCodings

@Suite("Content decoder", .timeLimit(.minutes(1)))
struct ContentDecoderTests {
    @Test("However it is fed, a body is decoded whole", arguments: Coded.all, Feeding.all)
    func decodes(coded: Coded, feeding: Feeding) {
        #expect(Decoded(coded.bytes, through: coded.codings, feeding) == Decoded(coded.plain))
    }

    @Test(
        "What expands comes out whole through little room",
        arguments: Coded.growing,
        [Feeding(), Feeding(inputSize: 1), Feeding(inputSize: 5, outputSize: 1_000)]
    )
    func grows(coded: Coded, feeding: Feeding) {
        let decoded = Decoded(coded.bytes, through: coded.codings, feeding)
        #expect(decoded.failure == nil)
        #expect(decoded.bytes == coded.plain)
    }

    // B071
    @Test("No bytes are no error", arguments: ContentCoding.allCases)
    func empty(coding: ContentCoding) {
        #expect(Decoded([], through: [coding]) == Decoded())
        #expect(Decoded([], through: [coding, .gzip]) == Decoded())
    }

    // B066
    @Test("Cut anywhere, a body is not whole", arguments: Coded.all, Feeding.all)
    func cut(coded: Coded, feeding: Feeding) {
        for count in 1..<coded.bytes.count {
            let body = Array(coded.bytes.prefix(count))
            let decoded = Decoded(body, through: coded.codings, feeding)
            #expect(decoded.failure == .cut, "after \(count) bytes")
            #expect(Array(coded.plain.prefix(decoded.bytes.count)) == decoded.bytes)
        }
    }

    // B065
    @Test("Zero bytes behind a stream are padding", arguments: Coded.all, Feeding.all)
    func padding(coded: Coded, feeding: Feeding) {
        for count in [1, 8, 1_000] {
            let body = coded.bytes + [UInt8](repeating: 0, count: count)
            #expect(Decoded(body, through: coded.codings, feeding) == Decoded(coded.plain))
        }
    }

    // B065
    @Test(
        "What else follows makes a failure, and what came before comes out",
        arguments: [Coded.zlib, .bare, .brotli, .gzipInBrotli],
        Feeding.all
    )
    func trailing(coded: Coded, feeding: Feeding) {
        let expected = Decoded(coded.plain, .trailingBytes)
        for garbage: [UInt8] in [[1], [0, 0, 31, 139, 8, 0], [255, 0]] {
            #expect(Decoded(coded.bytes + garbage, through: coded.codings, feeding) == expected)
        }
    }

    @Test(
        "Of gzip and zstd several streams may follow one another, the last one whole",
        arguments: [Coded.gzip, .zstd],
        Feeding.all
    )
    func members(coded: Coded, feeding: Feeding) {
        let twice = coded.bytes + coded.bytes
        let plain = coded.plain + coded.plain
        #expect(Decoded(twice, through: coded.codings, feeding) == Decoded(plain))
        #expect(Decoded(twice + [0, 0], through: coded.codings, feeding) == Decoded(plain))
        let cut = Array(twice.dropLast())
        #expect(Decoded(cut, through: coded.codings, feeding).failure == .cut)
        let cutEarly = coded.bytes + coded.bytes.prefix(4)
        #expect(Decoded(cutEarly, through: coded.codings, feeding) == Decoded(coded.plain, .cut))
        let other = coded.bytes + [99, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        #expect(
            Decoded(other, through: coded.codings, feeding) == Decoded(coded.plain, .corrupt)
        )
        let behindPadding = coded.bytes + [0] + coded.bytes
        #expect(
            Decoded(behindPadding, through: coded.codings, feeding)
                == Decoded(coded.plain, .trailingBytes)
        )
    }

    @Test("A frame of zstd that is to be skipped is skipped", arguments: Feeding.all)
    func skippable(feeding: Feeding) {
        let frame: [UInt8] = [80, 42, 77, 24, 3, 0, 0, 0, 97, 98, 99]
        let body = frame + Coded.zstd.bytes + frame
        #expect(Decoded(body, through: [.zstd], feeding) == Decoded(Coded.hello))
    }

    // B066
    @Test(
        "A checksum that is wrong makes a failure, and the bytes come out before it",
        arguments: [(Coded.gzip, 18), (.gzip, 24), (.zlib, 12)],
        Feeding.all
    )
    func checksum(place: (coded: Coded, index: Int), feeding: Feeding) {
        var body = place.coded.bytes
        body[place.index] ^= 1
        #expect(
            Decoded(body, through: place.coded.codings, feeding)
                == Decoded(place.coded.plain, .corrupt)
        )
    }

    @Test(
        "What is not coded at all makes a failure",
        arguments: ContentCoding.allCases,
        Feeding.all
    )
    func notCoded(coding: ContentCoding, feeding: Feeding) {
        let decoded = Decoded(Array("not coded at all".utf8), through: [coding], feeding)
        #expect(decoded == Decoded([], decoded.failure))
        #expect(decoded.failure != nil)
    }

    @Test(
        "Noise ends in a failure or in bytes, however it is fed",
        arguments: ContentCoding.allCases
    )
    func noise(coding: ContentCoding) {
        var state: UInt64 = 42
        for _ in 0..<500 {
            let noise = (0..<64).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 33)
            }
            let whole = Decoded(noise, through: [coding])
            #expect(whole == Decoded(noise, through: [coding], Feeding(inputSize: 1)))
        }
    }

    @Test("A window of zstd is at most 8 MiB")
    func window() {
        let small: [UInt8] = [40, 181, 47, 253, 0, 104, 41, 0, 0, 104, 101, 108, 108, 111]
        #expect(Decoded(small, through: [.zstd]) == Decoded(Coded.hello))
        var large = small
        large[5] = 112
        #expect(Decoded(large, through: [.zstd]) == Decoded([], .corrupt))
    }

    // B069: 24 MiB of a file's name, in a header of gzip.
    @Test("Codings that expand inside one another without a byte of body are given up")
    func silentBomb() {
        let body: [UInt8] =
            [203, 255, 255, 63, 248, 5, 54, 224, 194, 196, 38, 222, 121, 80, 184, 84, 185, 172, 0]
            + [64, 64, 166, 252, 122, 255, 247, 226, 255, 255, 31, 252, 18, 0, 113, 88, 4, 160]
            + [123, 255, 199, 255, 255, 63, 248, 37, 0, 226, 176, 0, 64, 247, 254, 47, 18, 0]
            + [240, 75, 0, 4, 16, 1, 0]
        #expect(Decoded(body, through: [.brotli, .gzip]) == Decoded([], .silentBomb))
    }

    @Test("A second stage is patient while the first brings nothing")
    func patience() {
        // The name of a file in the header of a second member: a byte at a time, nothing comes out.
        let header: [UInt8] = [31, 139, 8, 8, 0, 0, 0, 0, 2, 3]
        let name = [UInt8](repeating: 65, count: 100) + [0]
        let empty: [UInt8] = [3, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        let frame = Coded.zstd.bytes
        let stored = Self.gzip(stored: Array(frame.prefix(10)), frame)
        let body = stored.first + header + name + empty + stored.second
        #expect(
            Decoded(body, through: [.gzip, .zstd], Feeding(inputSize: 1)) == Decoded(Coded.hello)
        )
    }

    /// Two members without compression: the first bytes, and the rest of the whole.
    private static func gzip(stored: [UInt8], _ whole: [UInt8]) -> (first: [UInt8], second: [UInt8])
    {
        func member(_ bytes: [UInt8]) -> [UInt8] {
            let count = UInt8(bytes.count)
            let checksum = bytes.reduce(UInt32.max) { sum, byte in
                (0..<8).reduce(sum ^ UInt32(byte)) { rest, _ in
                    rest >> 1 ^ (rest & 1 == 1 ? 0xEDB8_8320 : 0)
                }
            }
            let trailer = (0..<4).map { UInt8(truncatingIfNeeded: ~checksum >> (8 * $0)) }
            return [31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 1, count, 0, ~count, 255] + bytes + trailer
                + [count, 0, 0, 0]
        }
        return (member(stored), member(Array(whole.dropFirst(stored.count))))
    }
}
