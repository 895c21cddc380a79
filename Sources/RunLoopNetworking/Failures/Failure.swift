internal import CurlTransfers
internal import Foundation
internal import FoundationNetworking

/// Why a load failed, before it becomes the `URLError` that a delegate is told.
struct Failure: Error, Equatable {
    let code: URLError.Code

    /// What happened and, where something can be done about it, what to do.
    let sentence: String

    /// libcurl's code, where libcurl has one.
    let curlCode: CurlCode?

    /// What the system said (errno), where a file is the reason.
    let systemError: Int32?

    /// What others have found, where the failure is theirs.
    let underlying: NSError?

    init(
        _ code: URLError.Code,
        _ sentence: String,
        curlCode: CurlCode? = nil,
        systemError: Int32? = nil,
        underlying: NSError? = nil
    ) {
        self.code = code
        self.sentence = sentence
        self.curlCode = curlCode
        self.systemError = systemError
        self.underlying = underlying
    }

    /// The error as a delegate gets it.
    ///
    /// Foundation's integer constants for TLS errors are off by one on Linux, and an NSError can't be
    /// cast to a URLError there: so it is always made of a `URLError.Code`.
    func error(for url: URL?) -> URLError {
        var information: [String: Any] = [NSLocalizedDescriptionKey: sentence]
        if let url {
            information[NSURLErrorFailingURLErrorKey] = url
            information["NSErrorFailingURLStringKey"] = url.absoluteString
        }
        if let curlCode {
            information[NSUnderlyingErrorKey] = NSError(
                domain: curlErrorDomain,
                code: Int(curlCode.rawValue),
                userInfo: [NSLocalizedDescriptionKey: curlCode.description]
            )
        }
        if let underlying { information[NSUnderlyingErrorKey] = underlying }
        if let systemError {
            information[NSUnderlyingErrorKey] = NSError(
                domain: NSPOSIXErrorDomain,
                code: Int(systemError)
            )
        }
        return URLError(code, userInfo: information)
    }
}

// MARK: - From a response's head

extension Failure {
    /// The failure that a head amounts to which can't be used.
    init(_ error: HeaderError) {
        let isFraming = [.badContentLength, .conflictingContentLengths].contains(error.code)
        self.init(isFraming ? .badServerResponse : .cannotParseResponse, error.sentence)
    }
}

// MARK: - From libcurl

extension Failure {
    /// The failure that libcurl's outcome amounts to, for a body that announced its length or not.
    ///
    /// With a proxy that the transfer went through it may be that proxy's.
    init(
        _ outcome: TransferOutcome,
        announcedLength: Int64? = nil,
        proxy: TransferProxy? = nil
    ) {
        if let proxy, let failure = Failure(outcome, of: proxy) {
            self = failure
            return
        }
        if let failure = Failure(tls: outcome) {
            self = failure
            return
        }
        let code = Self.code(for: outcome, announcedLength: announcedLength)
        let sentence =
            outcome.code == .outOfMemory
            ? "A header line of the response is too long, or no memory is left." : outcome.message
        self.init(code, sentence, curlCode: outcome.code)
    }

    private static func code(
        for outcome: TransferOutcome,
        announcedLength: Int64?
    ) -> URLError.Code {
        switch outcome.code {
        case .couldNotConnect, .sendError, .receiveError:
            code(forSystemError: outcome)
        case .partialFile:
            // Nothing came of a body that was announced.
            outcome.bytesReceived == 0 && announcedLength != nil
                ? .zeroByteResource : .networkConnectionLost
        case .peerFailedVerification:
            code(forVerifyResult: outcome.verifyResult)
        default:
            codes[outcome.code] ?? .unknown
        }
    }

    static func code(forSystemError outcome: TransferOutcome) -> URLError.Code {
        switch Int32(truncatingIfNeeded: outcome.systemError) {
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN: .notConnectedToInternet
        case ETIMEDOUT: .timedOut
        default: codes[outcome.code] ?? .cannotConnectToHost
        }
    }

    /// OpenSSL's verdict on the certificate: X509_verify_cert_error_string(3).
    static func code(forVerifyResult result: Int) -> URLError.Code {
        switch result {
        case 9: .serverCertificateNotYetValid
        case 10: .serverCertificateHasBadDate
        case 19, 20: .serverCertificateHasUnknownRoot
        default: .serverCertificateUntrusted
        }
    }

    /// Codes that always mean the same.
    private static let codes: [CurlCode: URLError.Code] = [
        .abortedByCallback: .cancelled,
        // What libcurl means is a header line that it can't keep: a NUL, or no colon.
        .badArgument: .cannotParseResponse,
        .badContentEncoding: .cannotDecodeContentData,
        .certificateAuthorityFileUnusable: .secureConnectionFailed,
        .clientCertificateProblem: .clientCertificateRejected,
        .clientCertificateRequired: .clientCertificateRequired,
        .couldNotConnect: .cannotConnectToHost,
        .couldNotResolveHost: .cannotFindHost,
        .couldNotResolveProxy: .cannotFindHost,
        .gotNothing: .networkConnectionLost,
        .http2: .networkConnectionLost,
        .http2Stream: .networkConnectionLost,
        .invalidCertificateStatus: .serverCertificateUntrusted,
        .invalidTLSPin: .serverCertificateUntrusted,
        .malformedURL: .badURL,
        .operationTimedOut: .timedOut,
        // libcurl's word for a header line of more than 100 KiB, as well.
        .outOfMemory: .cannotParseResponse,
        .proxy: .cannotConnectToHost,
        .readError: .requestBodyStreamExhausted,
        .receiveError: .networkConnectionLost,
        .sendError: .networkConnectionLost,
        .sendFailedToRewind: .requestBodyStreamExhausted,
        .tlsCipher: .secureConnectionFailed,
        .tlsConnectError: .secureConnectionFailed,
        .tlsEngineNotFound: .secureConnectionFailed,
        .tlsShutDownFailed: .networkConnectionLost,
        // The scheme was looked at before: what libcurl means is an answer that is no HTTP.
        .unsupportedProtocol: .cannotParseResponse,
        .weirdServerReply: .badServerResponse,
        // What is not caused by this library is a transfer coding with something behind its end.
        .writeError: .cannotDecodeContentData,
    ]
}
