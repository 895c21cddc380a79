private import Glibc

/// Which thread this is, as a number that two threads alive at once never share.
struct ThreadIdentity: Equatable, Sendable {
    let rawValue: UInt

    /// The calling thread.
    static var current: ThreadIdentity {
        ThreadIdentity(rawValue: UInt(pthread_self()))
    }
}
