/// An address and a port, as text.
package struct NetworkAddress: Sendable, Equatable {
    /// Numbers; an IPv6 address without brackets.
    package let host: String
    package let port: Int

    /// Makes an address of its parts.
    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }
}
