private import Glibc

/// Looks whether a socket can be read without waiting.
enum PendingInput {
    /// Whether bytes, an end or an error wait; nothing is taken from the socket.
    static func isThere(_ socket: Int32) -> Bool {
        var request = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&request, 1, 0) > 0
    }
}
