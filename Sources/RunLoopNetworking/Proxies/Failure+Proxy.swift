internal import CurlTransfers
internal import Foundation
internal import FoundationNetworking

extension Failure {
    /// The failure that lies with a proxy; nil when the proxy has done its part.
    init?(_ outcome: TransferOutcome, of proxy: TransferProxy) {
        let status = outcome.proxy.status
        let name = proxy.url
        switch outcome.code {
        case .couldNotResolveProxy:
            self.init(.cannotFindHost, "The proxy \(name) has no address.", outcome)
        case .couldNotConnect:
            self.init(
                Self.code(forSystemError: outcome),
                "The proxy \(name) can't be reached: \(outcome.message)",
                outcome
            )
        case .receiveError where status == 407:
            self.init(
                .userAuthenticationRequired,
                proxy.user == nil
                    ? "The proxy \(name) asks who uses it: name a user and a password."
                    : "The proxy \(name) does not accept the user and the password.",
                outcome
            )
        case .receiveError where status >= 300:
            self.init(
                .cannotConnectToHost,
                "The proxy \(name) refuses to connect to the server: its status is \(status).",
                outcome
            )
        case .peerFailedVerification where outcome.proxy.verifyResult != 0:
            self.init(
                Self.code(forVerifyResult: outcome.proxy.verifyResult),
                "The certificate of the proxy \(name) is not trusted: \(outcome.message)",
                outcome
            )
        case .proxy:
            self.init(
                Self.codes[SOCKSReply(outcome.proxy.code)] ?? .cannotConnectToHost,
                "The proxy \(name) does not connect to the server: \(outcome.message)",
                outcome
            )
        default:
            return nil
        }
    }

    private init(_ code: URLError.Code, _ sentence: String, _ outcome: TransferOutcome) {
        self.init(code, sentence, curlCode: outcome.code)
    }

    private static let codes: [SOCKSReply: URLError.Code] = [
        .nameIsUnknown: .cannotFindHost,
        .authenticationRequired: .userAuthenticationRequired,
        .networkUnreachable: .notConnectedToInternet,
        .closed: .networkConnectionLost,
    ]
}
