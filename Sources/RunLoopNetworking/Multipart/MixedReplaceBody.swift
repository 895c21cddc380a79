internal import CurlTransfers
internal import Foundation

/// Makes responses of the parts of a `multipart/x-mixed-replace` body.
///
/// Each part takes the place of the one before: it is a response of its own, with the status of the
/// whole
/// (https://developer.apple.com/documentation/foundation/nsurlconnectiondatadelegate/connection(_:didreceive:)-7lqj9).
/// A value: it is fed with the body's bytes, and returns what to tell.
struct MixedReplaceBody {
    /// What to tell next.
    enum Output {
        case response(HeaderBlock)
        case data(SlabPiece)
    }

    /// The media type whose parts become responses; others arrive as they are.
    private static let mimeType = "multipart/x-mixed-replace"

    /// What describes the whole, and no part of it.
    private static let wholesFields = [
        "Content-Length", "Content-Type", "Content-Encoding", "Transfer-Encoding", "Content-Range",
    ]

    private let outer: HeaderBlock
    private var parser: MultipartParser
    private let pool = SlabPool()

    /// Takes the head of a response; nil when its body is not of this kind, or names no boundary.
    init?(_ head: HeaderBlock) {
        guard head.mediaType?.mimeType == Self.mimeType,
            let boundary = head.values(for: "Content-Type").lazy
                .compactMap({ HeaderParameters($0).value(of: "boundary") }).last,
            let parser = MultipartParser(boundary: boundary)
        else { return nil }
        outer = head
        self.parser = parser
    }

    /// Takes bytes of the body.
    ///
    /// - Returns: What to tell, and how many bytes more were dropped than held back of this piece.
    /// - Throws: ``HeaderError`` when the head of a part can't be used.
    mutating func receive(
        _ piece: SlabPiece
    ) throws(HeaderError) -> (outputs: [Output], dropped: Int) {
        let heldBefore = parser.heldCount
        let bytes = unsafe piece.slab.bytes(in: piece.range)
        let events = unsafe try parser.parse(UnsafeRawBufferPointer(bytes))
        let outputs = events.compactMap { output(of: $0, in: piece) }
        let told = outputs.reduce(0) { $0 + $1.byteCount }
        return (outputs, piece.count + heldBefore - parser.heldCount - told)
    }

    /// The body is over.
    ///
    /// - Returns: What to tell, and why the body is not whole.
    mutating func end() -> (outputs: [Output], failure: Failure?) {
        let (events, ending) = parser.end()
        let outputs = events.compactMap { event -> Output? in
            guard case .held(let bytes) = event else { return nil }
            return .data(copy(bytes))
        }
        return (outputs, Self.failure(for: ending))
    }

    private static func failure(for ending: MultipartParser.Ending) -> Failure? {
        switch ending {
        case .closed:
            nil
        case .withoutPart:
            Failure(.networkConnectionLost, "The body ended before its first part.")
        case .betweenParts, .insidePart:
            Failure(.networkConnectionLost, "The body ended without its closing delimiter.")
        }
    }

    private func output(of event: MultipartParser.Event, in piece: SlabPiece) -> Output? {
        switch event {
        case .part(let fields): .response(response(with: fields))
        case .data(let range): .data(piece.part(range))
        case .held(let bytes): .data(copy(bytes))
        case .partEnd: nil
        }
    }

    /// The head of a part: its own fields, and those of the whole that say nothing else of it.
    private func response(with fields: [HeaderField]) -> HeaderBlock {
        let outerFields = outer.fields.filter { field in
            !Self.wholesFields.contains(where: field.isNamed)
                && !fields.contains { $0.isNamed(field.name) }
        }
        return HeaderBlock(
            statusCode: outer.statusCode,
            httpVersion: outer.httpVersion,
            reason: outer.reason,
            fields: outerFields + fields
        )
    }

    private func copy(_ bytes: [UInt8]) -> SlabPiece {
        unsafe bytes.withUnsafeBytes { unsafe pool.piece(copying: $0) }
    }
}

extension MixedReplaceBody.Output {
    /// How many bytes are told.
    fileprivate var byteCount: Int {
        if case .data(let piece) = self { piece.count } else { 0 }
    }
}
