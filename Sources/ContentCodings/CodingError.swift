/// Why a coded body can't be decoded.
package struct CodingError: Error, Equatable {
    /// The kind of defect.
    package struct Code: Sendable, Hashable {
        private enum Value {
            case cut
            case corrupt
            case trailingBytes
            case silentBomb
        }

        /// The body ends inside a stream.
        package static let cut = Self(.cut)

        /// The bytes are no such stream, or its checksum is another.
        package static let corrupt = Self(.corrupt)

        /// Something else than padding follows the stream.
        package static let trailingBytes = Self(.trailingBytes)

        /// Codings within codings expand, and nothing comes out of them.
        package static let silentBomb = Self(.silentBomb)

        private let value: Value

        private init(_ value: Value) {
            self.value = value
        }
    }

    /// The kind of defect.
    package let code: Code

    /// The defect in a sentence.
    package let sentence: String

    init(_ code: Code, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }
}
