/// One challenge of a WWW-Authenticate or Proxy-Authenticate field.
///
/// - SeeAlso: RFC 9110 section 11.
struct OfferedChallenge: Equatable, Sendable {
    /// The name of the scheme as it was written.
    let scheme: String

    /// What stands behind the scheme in place of parameters.
    var token68: String?

    /// Names in lower case, in order of arrival.
    var parameters: [HeaderParameters.Parameter] = []

    /// Returns the value of the first parameter of a name, which is given in lower case.
    func value(of name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }
}

// MARK: - From a head

extension OfferedChallenge {
    /// More challenges than anybody offers are not looked at.
    private static let maximumCount = 32

    /// The challenges of a field, of one line or of several, in order of arrival.
    static func all(in head: HeaderBlock, field: String) -> [OfferedChallenge] {
        // A scheme begins each line: what a line leaves open must not reach into the next.
        let challenges = head.values(for: field).lazy.flatMap { ChallengeReader.read($0) }
        return Array(challenges.prefix(maximumCount))
    }
}
