/// Who a transfer speaks for, and how it proves that.
package struct TransferCredential: Equatable, Sendable {
    /// The one way that is used.
    package var scheme: AuthenticationScheme

    /// The name; without control characters, and for Basic without a colon.
    package var user: String

    /// Without control characters.
    package var password: String

    /// Makes a credential for one scheme.
    package init(scheme: AuthenticationScheme, user: String, password: String) {
        self.scheme = scheme
        self.user = user
        self.password = password
    }
}
