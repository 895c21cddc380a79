/// What a proxy has said by the time that a transfer ends.
package struct ProxyOutcome: Sendable, Equatable {
    /// The status of its answer to CONNECT (CURLINFO_HTTP_CONNECTCODE), or 0.
    package let status: Int

    /// The lines of the head of that answer, if it refuses.
    package let headLines: [[UInt8]]

    /// What went wrong with a SOCKS proxy (CURLINFO_PROXY_ERROR), or 0.
    package let code: Int

    /// What OpenSSL says of its certificate (CURLINFO_PROXY_SSL_VERIFYRESULT); 0 is in order.
    package let verifyResult: Int

    /// Makes an outcome; without arguments that of a transfer that met no proxy.
    package init(
        status: Int = 0,
        headLines: [[UInt8]] = [],
        code: Int = 0,
        verifyResult: Int = 0
    ) {
        self.status = status
        self.headLines = headLines
        self.code = code
        self.verifyResult = verifyResult
    }
}
