public import Foundation

/// Why a certificate and its key could not be read.
public struct ClientIdentityError: Error, Sendable, Equatable, CustomStringConvertible,
    LocalizedError
{
    /// What is wrong.
    public struct Code: Sendable, Equatable {
        private enum Value {
            case unreadableFile
            case damaged
            case wrongPassword
            case noCertificate
            case noKey
            case otherKey
        }

        private let value: Value

        /// There is no such file, or it can't be read.
        public static let unreadableFile = Code(value: .unreadableFile)

        /// The bytes are not what they should be, or are protected in a way that OpenSSL refuses.
        public static let damaged = Code(value: .damaged)

        /// The password is another one, or none was given where one is needed.
        public static let wrongPassword = Code(value: .wrongPassword)

        /// No certificate was found.
        public static let noCertificate = Code(value: .noCertificate)

        /// No key was found.
        public static let noKey = Code(value: .noKey)

        /// The key is not that of the first certificate.
        public static let otherKey = Code(value: .otherKey)
    }

    /// What is wrong.
    public let code: Code

    /// A sentence for people: what is wrong, and what to do.
    public let description: String

    /// The same sentence.
    public var errorDescription: String? { description }

    init(_ code: Code, _ sentence: String) {
        self.code = code
        description = sentence
    }
}
