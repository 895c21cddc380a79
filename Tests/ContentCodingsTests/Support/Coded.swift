import Testing

@testable import ContentCodings

/// A coded body with what it stands for.
struct Coded: CustomTestStringConvertible {
    let name: String
    let codings: [ContentCoding]
    let bytes: [UInt8]
    let plain: [UInt8]

    init(
        _ name: String,
        _ codings: [ContentCoding],
        _ bytes: [UInt8],
        _ plain: [UInt8] = hello
    ) {
        self.name = name
        self.codings = codings
        self.bytes = bytes
        self.plain = plain
    }

    var testDescription: String { name }
}

// MARK: - hello

extension Coded {
    static let hello = Array("hello".utf8)

    static let gzip = Coded(
        "gzip",
        [.gzip],
        [
            31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 72, 205, 201, 201, 7, 0, 134, 166, 16, 54, 5, 0,
            0, 0,
        ]
    )
    static let zlib = Coded(
        "deflate in zlib's format",
        [.deflate],
        [120, 156, 203, 72, 205, 201, 201, 7, 0, 6, 44, 2, 21]
    )
    static let bare = Coded("bare deflate", [.deflate], [203, 72, 205, 201, 201, 7, 0])
    static let brotli = Coded("br", [.brotli], [11, 2, 128, 104, 101, 108, 108, 111, 3])
    static let zstd = Coded(
        "zstd",
        [.zstd],
        [40, 181, 47, 253, 36, 5, 41, 0, 0, 104, 101, 108, 108, 111, 163, 109, 159, 136]
    )
    static let gzipInBrotli = Coded(
        "gzip in br",
        [.brotli, .gzip],
        [11, 12, 128] + gzip.bytes + [3]
    )

    static let all = [gzip, zlib, bare, brotli, zstd, gzipInBrotli]
}

// MARK: - Much in few bytes

extension Coded {
    private static let many = [UInt8](repeating: 65, count: 100_000)
    static let manyZeros = 4 << 20

    static let growing = [
        Coded(
            "gzip of many",
            [.gzip],
            [31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 237, 193, 49, 1, 0, 0, 0, 194, 160, 108, 235, 95]
                + [202, 26, 30, 64, 1] + [UInt8](repeating: 0, count: 96)
                + [175, 6, 215, 159, 138, 5, 160, 134, 1, 0],
            many
        ),
        Coded(
            "br of many",
            [.brotli],
            [91, 159, 134, 129, 95, 34, 40, 30, 11, 4, 178, 252, 2, 0],
            many
        ),
        Coded(
            "zstd of many",
            [.zstd],
            [40, 181, 47, 253, 164, 160, 134, 1, 0, 77, 0, 0, 8, 65, 1, 0, 156, 134, 57, 16, 2]
                + [246, 239, 62, 230],
            many
        ),
        Coded(
            "gzip of gzip of 4 MiB of zeros",
            [.gzip, .gzip],
            [31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 147, 239, 230, 96, 0, 1, 38, 230, 183, 7, 25, 25]
                + [129, 140, 38, 133, 255, 235, 243, 60, 28, 24, 25, 70, 193, 40, 24, 5, 163, 96]
                + [20, 140, 130, 81, 48, 10, 70, 193, 40, 24, 5, 163, 96, 20, 140, 130, 81, 48]
                + [212, 65, 141, 116, 150, 131, 187, 32, 3, 131, 3, 3, 0, 89, 100, 20, 91, 2, 16]
                + [0, 0],
            [UInt8](repeating: 0, count: manyZeros)
        ),
    ]
}
