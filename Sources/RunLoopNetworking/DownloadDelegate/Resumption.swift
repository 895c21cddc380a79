internal import Foundation
internal import FoundationNetworking

/// Decides whether a download whose network connection was lost goes on, and from where.
///
/// What a response means for the file is decided by ``ResumeRules``; this adds how often it is tried.
struct Resumption {
    /// How often in a row the server is asked again although no new byte has come.
    static let limit = 3

    /// What to do after a loss.
    enum Next: Equatable {
        case fail(Failure)
        /// Ask again, after so much time.
        case ask(after: Duration)
    }

    /// What the request at hand asks for and how its response is judged; nil for the first one.
    private(set) var rules: ResumeRules?

    /// What the load fails with if it does not go on.
    private(set) var loss: Failure?

    /// The length of the whole file, as far as a response has said it.
    private(set) var total: Int64?

    /// Whether the file is put together from several responses.
    private(set) var hasGoneOn = false

    private var validators: Validators?
    /// The greatest number of bytes that the file ever had: who begins again makes no progress before.
    private var greatestLength: Int64 = 0
    private var fruitless = 0

    init() {}

    /// A response has come whose body is the file from its beginning.
    ///
    /// `expected` is the number of bytes that will be written, -1 when it is not known.
    mutating func begins(with head: HeaderBlock, to request: URLRequest, expected: Int64) {
        let found = Validators(head)
        let codings = head.contentCodings.filter { !$0.isEmpty && $0 != "identity" }
        let refusesRanges = head.values(for: "Accept-Ranges").first == "none"
        let canGoOn =
            head.statusCode == 200 && found.ifRange != nil && codings.isEmpty && !refusesRanges
            && Self.asksForWhole(request)
        rules = nil
        validators = canGoOn ? found : nil
        total = expected >= 0 ? expected : nil
        hasGoneOn = false
    }

    /// A response has come whose body goes on where the file ends.
    mutating func goesOn(total: Int64?) {
        rules = nil
        hasGoneOn = true
        self.total = total ?? self.total
    }

    /// The network connection was lost when the file had `length` bytes.
    mutating func lost(_ failure: Failure, at length: Int64) -> Next {
        guard let validators, Self.isLoss(failure, whileAskingAgain: rules != nil) else {
            return .fail(rules == nil ? failure : loss ?? failure)
        }
        fruitless = length > greatestLength ? 0 : fruitless + 1
        loss = failure
        greatestLength = max(length, greatestLength)
        guard fruitless <= Self.limit else { return .fail(failure) }
        let present = ResumeRules.Present(length: length, total: total, validators: validators)
        rules = ResumeRules(present: present, needsStrongValidator: true)
        return .ask(after: .milliseconds(250 * fruitless))
    }

    /// What is on the disk is of no use: the whole is asked for.
    mutating func startsOver() -> Next {
        fruitless += 1
        let loss = loss ?? .unaskedPart
        guard fruitless <= Self.limit else { return .fail(loss) }
        rules = nil
        validators = nil
        return .ask(after: .zero)
    }

    private static func isLoss(_ failure: Failure, whileAskingAgain: Bool) -> Bool {
        switch failure.code {
        case .networkConnectionLost, .zeroByteResource: true
        case .cannotConnectToHost, .cannotFindHost, .notConnectedToInternet: whileAskingAgain
        default: false
        }
    }

    /// Whether nothing but the whole file was asked for, whatever its version.
    private static func asksForWhole(_ request: URLRequest) -> Bool {
        let conditions = [
            "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since",
            "If-Unmodified-Since",
        ]
        let names = request.allHTTPHeaderFields.map { Array($0.keys) } ?? []
        return (request.httpMethod ?? "GET") == "GET"
            && !names.contains { name in
                conditions.contains { WireText.isSameName($0, name) }
            }
    }
}
