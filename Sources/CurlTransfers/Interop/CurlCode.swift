internal import CLibcurl

/// What libcurl says of one transfer: its CURLcode.
///
/// - SeeAlso: <https://curl.se/libcurl/c/libcurl-errors.html>
package struct CurlCode: Equatable, Hashable, Sendable, RawRepresentable {
    /// libcurl's number, `CURLE_…`.
    package let rawValue: UInt32

    /// Wraps libcurl's number.
    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    init(_ code: CURLcode) {
        rawValue = code.rawValue
    }

    /// libcurl's own short sentence for the code.
    package var description: String {
        unsafe String(cString: curl_easy_strerror(CURLcode(rawValue)))
    }
}

// MARK: - The codes that have a meaning of their own here

extension CurlCode {
    package static let ok = CurlCode(CURLE_OK)
    package static let unsupportedProtocol = CurlCode(CURLE_UNSUPPORTED_PROTOCOL)
    package static let malformedURL = CurlCode(CURLE_URL_MALFORMAT)
    package static let couldNotResolveProxy = CurlCode(CURLE_COULDNT_RESOLVE_PROXY)
    package static let couldNotResolveHost = CurlCode(CURLE_COULDNT_RESOLVE_HOST)
    package static let couldNotConnect = CurlCode(CURLE_COULDNT_CONNECT)
    package static let weirdServerReply = CurlCode(CURLE_WEIRD_SERVER_REPLY)
    package static let http2 = CurlCode(CURLE_HTTP2)
    package static let partialFile = CurlCode(CURLE_PARTIAL_FILE)
    package static let writeError = CurlCode(CURLE_WRITE_ERROR)
    package static let readError = CurlCode(CURLE_READ_ERROR)
    package static let outOfMemory = CurlCode(CURLE_OUT_OF_MEMORY)
    package static let operationTimedOut = CurlCode(CURLE_OPERATION_TIMEDOUT)
    package static let tlsConnectError = CurlCode(CURLE_SSL_CONNECT_ERROR)
    package static let abortedByCallback = CurlCode(CURLE_ABORTED_BY_CALLBACK)
    package static let badArgument = CurlCode(CURLE_BAD_FUNCTION_ARGUMENT)
    package static let gotNothing = CurlCode(CURLE_GOT_NOTHING)
    package static let tlsEngineNotFound = CurlCode(CURLE_SSL_ENGINE_NOTFOUND)
    package static let sendError = CurlCode(CURLE_SEND_ERROR)
    package static let receiveError = CurlCode(CURLE_RECV_ERROR)
    package static let clientCertificateProblem = CurlCode(CURLE_SSL_CERTPROBLEM)
    package static let tlsCipher = CurlCode(CURLE_SSL_CIPHER)
    package static let peerFailedVerification = CurlCode(CURLE_PEER_FAILED_VERIFICATION)
    package static let badContentEncoding = CurlCode(CURLE_BAD_CONTENT_ENCODING)
    package static let sendFailedToRewind = CurlCode(CURLE_SEND_FAIL_REWIND)
    package static let certificateAuthorityFileUnusable = CurlCode(CURLE_SSL_CACERT_BADFILE)
    package static let tlsShutDownFailed = CurlCode(CURLE_SSL_SHUTDOWN_FAILED)
    package static let invalidTLSPin = CurlCode(CURLE_SSL_PINNEDPUBKEYNOTMATCH)
    package static let invalidCertificateStatus = CurlCode(CURLE_SSL_INVALIDCERTSTATUS)
    package static let http2Stream = CurlCode(CURLE_HTTP2_STREAM)
    package static let proxy = CurlCode(CURLE_PROXY)
    package static let clientCertificateRequired = CurlCode(CURLE_SSL_CLIENTCERT)
}

// MARK: - What only a bug can cause

/// Stops the program when libcurl refuses an option: only a mistake in this library can cause it.
func expectOK(_ code: CURLcode, _ what: StaticString) {
    precondition(
        code == CURLE_OK,
        "libcurl refused \(what): \(CurlCode(code).description)"
    )
}

/// Stops the program when libcurl refuses a call on the multi handle.
func expectOK(_ code: CURLMcode, _ what: StaticString) {
    guard code != CURLM_OK else { return }
    let reason = unsafe String(cString: curl_multi_strerror(code))
    preconditionFailure("libcurl refused \(what): \(reason)")
}
