/// Why the file of a ``CookieStore`` could not be read or written.
public struct CookieStoreError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What was tried.
    public struct Code: Sendable, Equatable {
        private enum Value {
            case cannotRead
            case cannotWrite
        }

        private let value: Value

        /// There is a file, but it can't be read, or not be put aside.
        public static let cannotRead = Code(value: .cannotRead)

        /// The new file could not be written; the old one is as it was.
        public static let cannotWrite = Code(value: .cannotWrite)
    }

    /// What was tried.
    public let code: Code

    /// What the system said (errno).
    public let systemError: Int32

    /// A sentence for people.
    public let description: String

    init(_ code: Code, errno: Int32, path: String) {
        self.code = code
        systemError = errno
        let verb = code == .cannotRead ? "read" : "written"
        description = "The cookies in \(path) can't be \(verb) (errno \(errno))."
    }
}
