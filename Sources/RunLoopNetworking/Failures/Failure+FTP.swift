internal import CurlTransfers
internal import Foundation
internal import FoundationNetworking

extension Failure {
    /// The failure that libcurl's outcome of a load by FTP amounts to.
    init(ftp outcome: TransferOutcome, through proxy: TransferProxy?) {
        if let failure = proxy.flatMap({ Failure(outcome, of: $0) }) {
            self = failure
        } else if let code = Self.ftpCodes[outcome.code] {
            self.init(code, outcome.message, curlCode: outcome.code)
        } else {
            self.init(outcome)
        }
    }

    private static let ftpCodes: [CurlCode: URLError.Code] = [
        .ftpCouldNotRetrieve: .resourceUnavailable,
        .ftpCouldNotSetType: .badServerResponse,
        .ftpWeird227Format: .badServerResponse,
        .ftpWeirdPassiveReply: .badServerResponse,
        .ftpWeirdPasswordReply: .badServerResponse,
        .loginDenied: .userAuthenticationRequired,
        .remoteAccessDenied: .fileDoesNotExist,
        .remoteFileNotFound: .fileDoesNotExist,
    ]
}
