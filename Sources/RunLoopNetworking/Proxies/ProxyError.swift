/// Why a text names no proxy.
public struct ProxyError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong with it.
    public struct Code: Sendable, Equatable {
        private enum Value {
            case unknownKind
            case badHost
            case badPort
            case badCredentials
        }

        private let value: Value

        /// The scheme is none of ``ProxyServer/Kind``.
        public static let unknownKind = Code(value: .unknownKind)

        /// There is no host, or one with characters that no host has.
        public static let badHost = Code(value: .badHost)

        /// The port is no number from 1 to 65535.
        public static let badPort = Code(value: .badPort)

        /// User or password hold a percent sign that begins no escape, or a control character.
        public static let badCredentials = Code(value: .badCredentials)
    }

    /// What is wrong with it.
    public let code: Code

    /// A sentence for people; the text itself is not in it, because it may hold a password.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
