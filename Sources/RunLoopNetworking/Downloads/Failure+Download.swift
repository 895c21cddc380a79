internal import Digests
internal import Foundation
internal import FoundationNetworking

// MARK: - Of a download

extension Failure {
    /// The failure that a status amounts to whose body is not the file.
    init(status: Int) {
        let (code, reason): (URLError.Code, String) =
            switch status {
            case 401: (.userAuthenticationRequired, "it wants to know who asks; give a credential")
            case 403: (.noPermissionsToReadFile, "it does not give the file to this user")
            case 404, 410: (.fileDoesNotExist, "it has no such file; look at the URL")
            case 407:
                (.userAuthenticationRequired, "the proxy wants to know who asks; give a credential")
            case 408, 504: (.timedOut, "it waited for too long; try again")
            case 416: (.badServerResponse, "the file has no bytes in the range that was asked for")
            case 429: (.badServerResponse, "it was asked too often; try again later")
            case 500...599: (.badServerResponse, "it can't answer at this time; try again later")
            default: (.badServerResponse, "its answer is not the file")
            }
        self.init(code, "The server answered with status \(status): \(reason).")
    }

    /// A part of a file came where the whole was asked for.
    static let unaskedPart = Failure(
        .badServerResponse,
        "The server sent a part of the file (206) though the whole was asked for."
    )

    /// More came than was announced: nothing of it can be trusted.
    static let tooMuch = Failure(
        .badServerResponse,
        "The server sent more bytes than it announced; what came was removed."
    )

    /// There was no answer that a file could be made of.
    static let noBody = Failure(.badServerResponse, "The server sent nothing to make a file of.")

    /// The file is longer than the caller allows.
    static func tooLong(_ maximum: Int64) -> Failure {
        Failure(
            .dataLengthExceedsMaximum,
            "The file has more than \(maximum) bytes; allow more, or do without it."
        )
    }

    /// The file is not the one that was meant.
    static func wrongDigest(_ found: Digest, _ wanted: Digest) -> Failure {
        Failure(
            .badServerResponse,
            "The file has the wrong digest, and was removed: \(found), not \(wanted.hexadecimal)."
        )
    }

    /// Another part of a file came than was asked for.
    static let otherPart = Failure(
        .badServerResponse,
        "The server sent another part of the file (206) than was asked for."
    )
}
