import CurlTransfers
import Foundation
import FoundationNetworking
import Testing

@testable import RunLoopNetworking

@Suite("Failures", .timeLimit(.minutes(1)))
struct FailureTests {
    @Test(
        "Each of libcurl's codes has its code in NSURLErrorDomain",
        arguments: [
            (.unsupportedProtocol, .cannotParseResponse),
            (.malformedURL, .badURL),
            (.couldNotResolveProxy, .cannotFindHost),
            (.couldNotResolveHost, .cannotFindHost),
            (.couldNotConnect, .cannotConnectToHost),
            (.weirdServerReply, .badServerResponse),
            (.http2, .networkConnectionLost),
            (.http2Stream, .networkConnectionLost),
            (.writeError, .cannotDecodeContentData),
            (.badArgument, .cannotParseResponse),
            (.readError, .requestBodyStreamExhausted),
            (.outOfMemory, .cannotParseResponse),
            (.operationTimedOut, .timedOut),
            (.tlsConnectError, .secureConnectionFailed),
            (.abortedByCallback, .cancelled),
            (.gotNothing, .networkConnectionLost),
            (.sendError, .networkConnectionLost),
            (.receiveError, .networkConnectionLost),
            (.clientCertificateProblem, .clientCertificateRejected),
            (.clientCertificateRequired, .clientCertificateRequired),
            (.tlsCipher, .secureConnectionFailed),
            (.badContentEncoding, .cannotDecodeContentData),
            (.sendFailedToRewind, .requestBodyStreamExhausted),
            (CurlCode(rawValue: 9_999), .unknown),
        ] as [(CurlCode, URLError.Code)]
    )
    func code(curl: CurlCode, code: URLError.Code) {
        let failure = Failure(TransferOutcome(code: curl))
        #expect(failure.code == code)
        #expect(failure.curlCode == curl)
        #expect(!failure.sentence.isEmpty)
    }

    @Test(
        "A connect that fails is told apart by the system's error",
        arguments: [
            (ECONNREFUSED, .cannotConnectToHost), (ENETUNREACH, .notConnectedToInternet),
            (EHOSTUNREACH, .notConnectedToInternet), (ETIMEDOUT, .timedOut),
        ] as [(Int32, URLError.Code)]
    )
    func connect(systemError: Int32, code: URLError.Code) {
        let outcome = TransferOutcome(code: .couldNotConnect, systemError: Int(systemError))
        #expect(Failure(outcome).code == code)
    }

    @Test(
        "A certificate that is refused is told apart by OpenSSL's verdict",
        arguments: [
            (9, .serverCertificateNotYetValid), (10, .serverCertificateHasBadDate),
            (18, .serverCertificateUntrusted), (19, .serverCertificateHasUnknownRoot),
            (20, .serverCertificateHasUnknownRoot), (62, .serverCertificateUntrusted),
        ] as [(Int, URLError.Code)]
    )
    func certificate(result: Int, code: URLError.Code) {
        let outcome = TransferOutcome(code: .peerFailedVerification, verifyResult: result)
        #expect(Failure(outcome).code == code)
    }

    @Test("A cut body is a lost connection, and one of which nothing came an empty resource")
    func partial() {
        let some = TransferOutcome(code: .partialFile, bytesReceived: 1)
        let none = TransferOutcome(code: .partialFile, bytesReceived: 0)
        #expect(Failure(some, announcedLength: 2).code == .networkConnectionLost)
        #expect(Failure(none, announcedLength: 2).code == .zeroByteResource)
        #expect(Failure(none).code == .networkConnectionLost)
    }

    @Test("The error that a delegate gets carries the URL, the sentence and libcurl's code")
    func information() throws {
        let url = try #require(URL(string: "http://h/x?y"))
        let outcome = TransferOutcome(code: .gotNothing, message: "Nothing came.")
        let error = Failure(outcome).error(for: url)
        #expect(error.failingURL == url)
        #expect(error.userInfo["NSErrorFailingURLStringKey"] as? String == "http://h/x?y")
        #expect(error.localizedDescription == "Nothing came.")
        let underlying = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
        #expect(underlying.domain == curlErrorDomain)
        #expect(underlying.code == 52)
    }

    @Test("TLS errors have the numbers that they have on Apple's systems")
    func numbers() {
        #expect(Failure(.secureConnectionFailed, "").error(for: nil).errorCode == -1200)
        #expect(Failure(.serverCertificateUntrusted, "").error(for: nil).errorCode == -1202)
    }
}
