@testable import ContentCodings

/// How a decoder is fed, and how much room its output has.
struct Feeding {
    var inputSize = Int.max
    var outputSize = 16 << 10

    static let all = [
        Feeding(), Feeding(inputSize: 1), Feeding(inputSize: 3, outputSize: 7),
        Feeding(outputSize: 1), Feeding(inputSize: 1, outputSize: 1),
    ]
}

/// What came out of a decoder.
struct Decoded: Equatable {
    var bytes: [UInt8] = []
    var failure: CodingError.Code?

    init(_ bytes: [UInt8] = [], _ failure: CodingError.Code? = nil) {
        self.bytes = bytes
        self.failure = failure
    }

    /// Decodes a whole body, as a transfer does it.
    init(_ body: [UInt8], through codings: [ContentCoding], _ feeding: Feeding = Feeding()) {
        let decoder = ContentDecoder(codings)
        var left = body[...]
        do throws(CodingError) {
            while !left.isEmpty {
                let piece = Array(left.prefix(feeding.inputSize))
                left = left.dropFirst(piece.count)
                try take(piece, decoder, feeding.outputSize)
            }
            try decoder.end()
        } catch {
            failure = error.code
        }
    }

    private mutating func take(
        _ piece: [UInt8],
        _ decoder: ContentDecoder,
        _ outputSize: Int
    ) throws(CodingError) {
        var rest = piece
        while true {
            var output = [UInt8](repeating: 0xEE, count: outputSize)
            let result = unsafe rest.withUnsafeBytes { input in
                unsafe output.withUnsafeMutableBytes { output in
                    Result { () throws(CodingError) -> DecodingProgress in
                        try unsafe decoder.decode(input, into: output)
                    }
                }
            }
            let progress = try result.get()
            bytes += output.prefix(progress.written)
            rest.removeFirst(progress.consumed)
            if progress.isDrained {
                precondition(rest.isEmpty, "drained, and there is input left")
                return
            }
            precondition(progress.written == outputSize || progress.consumed + progress.written > 0)
        }
    }
}
