private import EventLoops
public import FoundationNetworking

/// Credentials of the connections of one or several loops, in memory.
///
/// Connections take it from ``ConnectionSettings/credentialStore``, unless their delegate says in
/// `connectionShouldUseCredentialStorage` that they must not. A challenge proposes the default credential
/// of its protection space, and the default handling uses it. What a delegate answers is kept, when
/// the server has taken it and its persistence is not `.none`.
///
/// Protection spaces are compared by what they say: host, port, protocol, realm, method and proxy.
/// Foundation's own store on Linux finds a credential only with the very object that it was stored with.
///
/// Nothing is written down: `.permanent` lives as long as `.forSession`, until the store goes or the
/// credential is removed. Any thread may call every method.
///
/// - SeeAlso: <https://developer.apple.com/documentation/foundation/urlcredentialstorage>
public final class CredentialStore: Sendable {
    private struct Credentials {
        var byUser: [String: URLCredential] = [:]
        var preferred: URLCredential?
    }

    private struct State {
        var spaces: [ProtectionSpaceKey: Credentials] = [:]
        /// The spaces in the order in which they came.
        var order: [ProtectionSpaceKey] = []
    }

    /// Servers make up realms: of more protection spaces than this the oldest is forgotten.
    private static let maximumCount = 1000

    /// What connections use unless their loop's settings name another.
    public static let shared = CredentialStore()

    /// Guarded.
    private let state = Guarded(State())

    /// Makes an empty store.
    public init() {}

    /// All credentials of a protection space, by user.
    public func credentials(for space: URLProtectionSpace) -> [String: URLCredential] {
        let key = ProtectionSpaceKey(space)
        return state.withLock { $0.spaces[key]?.byUser ?? [:] }
    }

    /// Keeps a credential beside those of other users; it is not proposed by itself.
    ///
    /// It replaces one of the same user. One whose persistence is `.none`, or that names no user, is not
    /// kept.
    public func set(_ credential: URLCredential, for space: URLProtectionSpace) {
        put(credential, for: space, isPreferred: false)
    }

    /// The credential that challenges of a protection space propose.
    public func defaultCredential(for space: URLProtectionSpace) -> URLCredential? {
        let key = ProtectionSpaceKey(space)
        return state.withLock { $0.spaces[key]?.preferred }
    }

    /// Keeps a credential, and proposes it from now on.
    ///
    /// One whose persistence is `.none`, or that names no user, is not kept.
    public func setDefaultCredential(_ credential: URLCredential, for space: URLProtectionSpace) {
        put(credential, for: space, isPreferred: true)
    }

    /// Forgets the credential of this user; nothing happens when there is none.
    public func remove(_ credential: URLCredential, for space: URLProtectionSpace) {
        let key = ProtectionSpaceKey(space)
        state.withLock { state in
            guard let user = credential.user, var found = state.spaces[key] else { return }
            found.byUser[user] = nil
            if found.preferred?.user == user { found.preferred = nil }
            state.spaces[key] = found.byUser.isEmpty ? nil : found
            if found.byUser.isEmpty { state.order.removeAll { $0 == key } }
        }
    }

    /// Forgets everything.
    public func removeAll() {
        state.withLock { $0 = State() }
    }

    private func put(
        _ credential: URLCredential,
        for space: URLProtectionSpace,
        isPreferred: Bool
    ) {
        guard credential.persistence != .none, let user = credential.user else { return }
        let key = ProtectionSpaceKey(space)
        state.withLock { state in
            if state.spaces[key] == nil {
                if state.order.count == Self.maximumCount {
                    state.spaces[state.order.removeFirst()] = nil
                }
                state.order.append(key)
            }
            state.spaces[key, default: Credentials()].byUser[user] = credential
            // A new password of the same user counts for the default as well.
            let isSameUser = state.spaces[key]?.preferred?.user == user
            if isPreferred || isSameUser { state.spaces[key]?.preferred = credential }
        }
    }
}

// MARK: - Equality

extension CredentialStore: Equatable {
    /// A store is equal to itself.
    public static func == (one: CredentialStore, other: CredentialStore) -> Bool {
        one === other
    }
}
