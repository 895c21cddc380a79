private import EventLoops
public import Foundation
public import FoundationNetworking

/// The cookies of the connections of one or several loops, in memory or in a file.
///
/// Connections take it from ``ConnectionSettings/cookieStore``. A request whose
/// `httpShouldHandleCookies` is true carries the cookies that fit its URL, and what each response sets
/// is kept, that of a redirect before the next request is made. A request that has a `Cookie` field of
/// its own carries that one and no others.
///
/// Cookies follow RFC 6265. Those that are `Secure` are neither taken from plain http nor sent over
/// it, also not to this machine. A `Domain` that is a public suffix is refused. Any thread may call
/// every method.
///
/// ```swift
/// EventLoop.shared.connectionSettings.cookieStore = try CookieStore(file: file)
/// ```
///
/// - SeeAlso: <https://www.rfc-editor.org/rfc/rfc6265>
public final class CookieStore: Sendable {
    private struct State {
        var jar: CookieJar
        var acceptPolicy = HTTPCookie.AcceptPolicy.always
        /// Whether the file does not hold what the store has.
        var isDirty = false
        var isSaveQueued = false
        var saveError: CookieStoreError?
    }

    /// What connections use unless their loop's settings name another; in memory alone.
    public static let shared = CookieStore()

    /// Guarded.
    private let state: Guarded<State>
    private let file: CookieFile?
    private let now: @Sendable () -> Date

    /// Serial: one version of the file is written after another.
    private let writer: DispatchQueue

    /// Makes an empty store that is never written down.
    public convenience init() {
        self.init(CookieJar(), file: nil, now: { Date() })
    }

    /// Makes a store that is kept in a file, and reads what is there.
    ///
    /// Cookies that end with the program are not written. The file is only for the user to read, and
    /// is replaced as a whole, on a queue of the store's, soon after each change; ``save()`` waits for
    /// it. A file that can't be understood is renamed, with `.damaged` behind its name in the place of
    /// an older one, and the store is empty. Of two programs with one file, the last to write wins.
    ///
    /// - Throws: ``CookieStoreError`` when there is a file that can't be read or put aside.
    public convenience init(file: URL) throws(CookieStoreError) {
        let file = CookieFile(file)
        var jar = CookieJar()
        let now = Date()
        for cookie in try file.read() { _ = jar.store(cookie, at: now) }
        self.init(jar, file: file, now: { Date() })
    }

    /// Makes a store whose clock and queue are the caller's.
    init(
        _ jar: CookieJar,
        file: CookieFile?,
        now: @escaping @Sendable () -> Date,
        writer: DispatchQueue = DispatchQueue(label: "RunLoopNetworking.CookieStore")
    ) {
        state = Guarded(State(jar: jar))
        self.file = file
        self.now = now
        self.writer = writer
    }

    /// Which cookies are taken from now on; those that are there stay, and are sent.
    ///
    /// With `onlyFromMainDocumentDomain` a response may set cookies when its host and the host of the
    /// request's `mainDocumentURL` belong to one registrable domain, or when there is none.
    public var acceptPolicy: HTTPCookie.AcceptPolicy {
        get { state.withLock { $0.acceptPolicy } }
        set { state.withLock { $0.acceptPolicy = newValue } }
    }
}

// MARK: - What is in it

extension CookieStore {
    /// Every cookie that is not over, in the order in which they were made.
    ///
    /// The domain of one that is sent to one host alone has no dot at its beginning.
    public var cookies: [HTTPCookie] {
        let now = now()
        return state.withLock { $0.jar.all(at: now) }.compactMap(HTTPCookie.init)
    }

    /// Returns what a request for a URL carries, in that order.
    public func cookies(for url: URL) -> [HTTPCookie] {
        stored(for: url).compactMap(HTTPCookie.init)
    }

    /// Keeps a cookie, in the place of one with the same name, domain and path; says whether it did.
    ///
    /// A cookie that is over takes out the one that is there. It is refused when the accept policy is
    /// `never`, or when no server could have set it.
    @discardableResult
    public func setCookie(_ cookie: HTTPCookie) -> Bool {
        let now = now()
        guard let stored = StoredCookie(cookie, now: now) else { return false }
        let isKept = change { state in
            guard state.acceptPolicy != .never else { return (false, changed: false) }
            return (!stored.isExpired(at: now), changed: state.jar.store(stored, at: now))
        }
        return isKept
    }

    /// Takes out the cookie with the same name, domain and path; says whether there was one.
    @discardableResult
    public func deleteCookie(_ cookie: HTTPCookie) -> Bool {
        guard let stored = StoredCookie(cookie, now: now()) else { return false }
        return change { state in
            let isFound = state.jar.remove(stored)
            return (isFound, changed: isFound)
        }
    }

    /// Takes out every cookie.
    public func removeAll() {
        change { state in
            let isChange = state.jar.count > 0
            state.jar.removeAll()
            return ((), changed: isChange)
        }
    }
}

// MARK: - For connections

extension CookieStore {
    /// The value of the Cookie field of a request; nil when it has none.
    func field(for request: URLRequest) -> String? {
        guard request.httpShouldHandleCookies, let url = request.url else { return nil }
        let cookies = stored(for: url)
        guard !cookies.isEmpty else { return nil }
        return cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    /// Keeps what a response sets.
    func store(_ head: HeaderBlock, for request: URLRequest) {
        let lines = head.values(for: "Set-Cookie")
        guard !lines.isEmpty, request.httpShouldHandleCookies,
            let target = request.url.flatMap(CookieTarget.init)
        else { return }
        let now = now()
        let cookies = lines.lazy.compactMap(SetCookieLine.init)
            .compactMap { StoredCookie($0, from: target, now: now) }
        change { state in
            guard Self.accepts(state.acceptPolicy, target, request.mainDocumentURL) else {
                return ((), changed: false)
            }
            var isChange = false
            for cookie in cookies {
                let isHiding = !target.isSecure && state.jar.isSecureShadowed(by: cookie, at: now)
                if !isHiding, state.jar.store(cookie, at: now) { isChange = true }
            }
            return ((), changed: isChange)
        }
    }

    private func stored(for url: URL) -> [StoredCookie] {
        // Most programs have no cookies.
        guard state.withLock({ $0.jar.count > 0 }), let target = CookieTarget(url) else {
            return []
        }
        let now = now()
        return state.withLock { $0.jar.cookies(for: target, at: now) }
    }

    private static func accepts(
        _ policy: HTTPCookie.AcceptPolicy,
        _ target: CookieTarget,
        _ mainDocument: URL?
    ) -> Bool {
        switch policy {
        case .always: return true
        case .never: return false
        case .onlyFromMainDocumentDomain:
            guard let mainDocument else { return true }
            guard let main = CookieTarget(mainDocument) else { return false }
            return main.site == target.site
        @unknown default: return false
        }
    }
}

// MARK: - The file

extension CookieStore {
    /// Writes what is not written yet, and returns when it is on the disk; does nothing in memory.
    ///
    /// Call it before the program ends.
    ///
    /// - Throws: ``CookieStoreError`` when the file can't be written; the old one is as it was.
    public func save() throws(CookieStoreError) {
        guard let file else { return }
        try writer.sync { write(file) }.get()
    }

    /// What went wrong when the file was last written; nil when it was written.
    public var saveError: CookieStoreError? { state.withLock { $0.saveError } }

    /// Changes the jar, and has the file written if that is another one now.
    @discardableResult
    private func change<Result: Sendable>(
        _ body: (inout State) -> (Result, changed: Bool)
    ) -> Result {
        let (result, isSaveDue) = state.withLock { state in
            let (result, isChange) = body(&state)
            guard isChange, file != nil else { return (result, false) }
            state.isDirty = true
            guard !state.isSaveQueued else { return (result, false) }
            state.isSaveQueued = true
            return (result, true)
        }
        if isSaveDue, let file { writer.async { _ = self.write(file) } }
        return result
    }

    /// Writes the cookies of this moment; on the writer's queue.
    private func write(_ file: CookieFile) -> Result<Void, CookieStoreError> {
        let now = now()
        let cookies = state.withLock { state -> [StoredCookie]? in
            state.isSaveQueued = false
            guard state.isDirty else { return nil }
            state.isDirty = false
            return state.jar.all(at: now)
        }
        guard let cookies else { return .success(()) }
        do throws(CookieStoreError) {
            try file.write(cookies.filter { $0.expires != nil })
            state.withLock { $0.saveError = nil }
            return .success(())
        } catch {
            state.withLock { state in
                state.isDirty = true
                state.saveError = error
            }
            return .failure(error)
        }
    }
}

// MARK: - Equality

extension CookieStore: Equatable {
    /// A store is equal to itself alone.
    public static func == (one: CookieStore, other: CookieStore) -> Bool { one === other }
}
