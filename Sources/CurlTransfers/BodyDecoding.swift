internal import ContentCodings

/// A transfer's decoder, and what is held back while its delegate has no room.
///
/// libcurl hands over a piece of at most 16 KiB, which is taken as a whole and may expand to megabytes.
/// So decoding stops where the delegate says so: what is decoded and not taken, the rest of the piece,
/// and libcurl's end of the transfer stay here until it is resumed. Loop affinity.
struct BodyDecoding {
    /// How many bytes are decoded before the delegate is asked again.
    static let step = 16 << 10

    let decoder: ContentDecoder
    var held: Held?
    var failure: CodingError?

    /// How libcurl ended the transfer while bytes were held.
    var ending: TransferOutcome?

    /// What waits for the delegate.
    struct Held {
        /// Decoded already.
        let piece: SlabPiece

        /// Still to be decoded; empty when what is left lies in the decoder.
        let rest: [UInt8]
    }

    init(_ codings: [ContentCoding]) {
        decoder = ContentDecoder(codings)
    }
}
