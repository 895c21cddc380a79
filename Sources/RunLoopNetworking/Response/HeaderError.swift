/// Why the head of a response cannot be used.
///
/// At the public edge this becomes `URLError.badServerResponse`.
struct HeaderError: Error, Equatable {
    /// The kind of defect.
    struct Code: Sendable, Hashable {
        private enum Value {
            case badStatusLine
            case controlByte
            case missingColon
            case emptyName
            case foldWithoutField
            case lineAfterEnd
            case tooLarge
            case tooManyFields
            case tooManyInterimHeads
            case badContentLength
            case conflictingContentLengths
        }

        /// The response does not begin with a status line.
        static let badStatusLine = Self(.badStatusLine)

        /// A NUL or another control byte stands in a line.
        static let controlByte = Self(.controlByte)

        /// A line has no colon.
        static let missingColon = Self(.missingColon)

        /// A line begins with its colon.
        static let emptyName = Self(.emptyName)

        /// A folded line follows the status line.
        static let foldWithoutField = Self(.foldWithoutField)

        /// A line comes after the empty line.
        static let lineAfterEnd = Self(.lineAfterEnd)

        /// The head has too many bytes.
        static let tooLarge = Self(.tooLarge)

        /// The head has too many fields.
        static let tooManyFields = Self(.tooManyFields)

        /// Interim responses come without end.
        static let tooManyInterimHeads = Self(.tooManyInterimHeads)

        /// A Content-Length is no decimal number, or one too great to count with.
        static let badContentLength = Self(.badContentLength)

        /// Two values of Content-Length differ.
        static let conflictingContentLengths = Self(.conflictingContentLengths)

        private let value: Value

        private init(_ value: Value) {
            self.value = value
        }
    }

    /// The kind of defect.
    let code: Code

    /// The defect in a sentence.
    let sentence: String

    init(_ code: Code, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }
}

// MARK: - Description

extension HeaderError: CustomStringConvertible {
    var description: String { sentence }
}
