/// The network connections on which an owner was asked for its trust.
///
/// libcurl keeps them apart from all others, but not by owner: before a request goes out on one that
/// is open, it is looked up here whether the transfer's owner may use it.
///
/// Loop affinity.
final class SeenConnections {
    /// This end of a network connection.
    struct End: Hashable {
        let address: String
        let port: Int
    }

    private struct Entry {
        let owner: TrustOwner
        let isShared: Bool
    }

    private var entries: [End: Entry] = [:]
    private static let limit = 4096

    /// An owner agreed; `isShared` says that it left the decision to OpenSSL.
    func enter(_ end: End, owner: TrustOwner, isShared: Bool) {
        // Who is not in is asked again.
        if entries.count >= Self.limit { entries = [:] }
        entries[end] = Entry(owner: owner, isShared: isShared)
    }

    /// Whether a request of the owner may go out without asking it.
    func mayUse(_ end: End, _ owner: TrustOwner) -> Bool {
        guard let entry = entries[end] else { return false }
        return entry.owner.isSame(as: owner) || (entry.isShared && entry.owner.isOfKind(of: owner))
    }
}
