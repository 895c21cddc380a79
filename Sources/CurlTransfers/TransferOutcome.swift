/// How a transfer ended, in libcurl's words.
package struct TransferOutcome: Sendable, Equatable {
    /// libcurl's code; ``CurlCode/ok`` when it saw nothing wrong.
    package let code: CurlCode

    /// What libcurl says of this very failure, or its general sentence for the code.
    package let message: String

    /// The errno of the last connect that failed (CURLINFO_OS_ERRNO), or 0.
    package let systemError: Int

    /// What OpenSSL says of the server's certificate (CURLINFO_SSL_VERIFYRESULT); 0 is in order.
    package let verifyResult: Int

    /// How many bytes of body came, before decoding (CURLINFO_SIZE_DOWNLOAD_T).
    package let bytesReceived: Int64

    /// How many bytes the server has announced (CURLINFO_CONTENT_LENGTH_DOWNLOAD_T); nil if none.
    package let announcedLength: Int64?

    /// What the proxy has said.
    package let proxy: ProxyOutcome

    /// What was seen of the last TLS handshake that was made for it.
    package let handshake: HandshakeRecord?

    /// What was measured, if the transfer is observed.
    package let figures: TransferFigures?

    /// Whether the request is worth another transfer.
    ///
    /// No byte of an answer came over a network connection that was kept, and twice is not more than
    /// once.
    package let isWorthAnother: Bool

    /// Makes an outcome without details.
    package init(
        code: CurlCode,
        message: String? = nil,
        systemError: Int = 0,
        verifyResult: Int = 0,
        bytesReceived: Int64 = 0,
        announcedLength: Int64? = nil,
        proxy: ProxyOutcome = ProxyOutcome(),
        handshake: HandshakeRecord? = nil,
        figures: TransferFigures? = nil,
        isWorthAnother: Bool = false
    ) {
        self.code = code
        self.message = message ?? code.description
        self.systemError = systemError
        self.verifyResult = verifyResult
        self.bytesReceived = bytesReceived
        self.announcedLength = announcedLength
        self.proxy = proxy
        self.handshake = handshake
        self.figures = figures
        self.isWorthAnother = isWorthAnother
    }

    /// The same transfer's outcome when its body could not be decoded.
    func failed(_ sentence: String) -> TransferOutcome {
        TransferOutcome(
            code: .badContentEncoding,
            message: sentence,
            systemError: systemError,
            verifyResult: verifyResult,
            bytesReceived: bytesReceived,
            announcedLength: announcedLength,
            proxy: proxy,
            handshake: handshake,
            figures: figures
        )
    }
}
