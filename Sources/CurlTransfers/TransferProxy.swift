/// The proxy that a transfer goes through.
package struct TransferProxy: Sendable, Equatable {
    /// `KIND://HOST:PORT`, without credentials; the kinds are libcurl's.
    package var url: String

    /// Who wants to use it.
    package var user: String?

    /// The password of the user.
    package var password: String?

    /// Header lines that go to the proxy alone (CURLOPT_PROXYHEADER).
    package var headerLines: [String] = []

    /// Whether TLS protects what goes to the proxy.
    var isSecure: Bool { url.hasPrefix("https:") }

    /// Names a proxy.
    package init(url: String, user: String? = nil, password: String? = nil) {
        self.url = url
        self.user = user
        self.password = password
    }
}
