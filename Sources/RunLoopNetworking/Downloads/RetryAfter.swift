internal import Foundation

/// When a server wants to be asked again.
///
/// - SeeAlso: RFC 9110 section 10.2.3.
enum RetryAfter: Equatable, Sendable {
    case delay(Duration)
    case moment(Date)

    /// Reads the value of Retry-After: a number of seconds, or a date; nil if it is neither.
    init?(_ value: String) {
        if let seconds = DecimalNumber.parse(value.utf8) {
            // Beyond what a duration can hold, and longer than anybody waits.
            self = .delay(.seconds(min(seconds, 1 << 40)))
        } else if let moment = HTTPDate.parse(value, now: Date()) {
            self = .moment(moment)
        } else {
            return nil
        }
    }

    /// How long that is from `now`; zero for a moment that is over.
    func delay(from now: Date) -> Duration {
        switch self {
        case .delay(let delay): delay
        case .moment(let moment): .seconds(max(0, moment.timeIntervalSince(now)))
        }
    }
}
