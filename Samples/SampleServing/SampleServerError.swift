private import Glibc

/// The server can't listen.
public struct SampleServerError: Error, Equatable, CustomStringConvertible {
    /// What kind of obstacle it was.
    public struct Code: Hashable, Sendable {
        private enum Value {
            case portTaken
            case refused
        }

        private let value: Value

        /// Another program listens on the port.
        public static let portTaken = Self(value: .portTaken)
        /// The system refused for another reason.
        public static let refused = Self(value: .refused)
    }

    /// What kind of obstacle it was.
    public let code: Code

    /// The port that was asked for.
    public let port: UInt16

    /// The system's own number for it, errno(3).
    public let systemCode: Int32

    init(port: UInt16, systemCode: Int32) {
        code = systemCode == EADDRINUSE ? .portTaken : .refused
        self.port = port
        self.systemCode = systemCode
    }

    /// What happened and what to do, as a sentence.
    public var description: String {
        switch code {
        case .portTaken:
            "port \(port) is taken: end the program that listens there (ss -ltnp names it), or use "
                + "another port; port 0 stands for any free one"
        default:
            "the system let nobody listen on 127.0.0.1:\(port) (errno \(systemCode)); ports below "
                + "1024 need root, port 0 stands for any free one"
        }
    }
}
