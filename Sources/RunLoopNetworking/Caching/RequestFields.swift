internal import Foundation
internal import FoundationNetworking

/// The header fields of a request as they go out: what a response may have been chosen by.
struct RequestFields: Sendable, Equatable {
    private var values: [String: String] = [:]

    /// Makes the fields of the request that a load sends; on the loop.
    init(of load: Load) {
        self.init(
            load.request,
            cookies: load.loader.settings.cookieStore?.field(for: load.request),
            credential: load.authentication.server.attempt?.credential
        )
    }

    /// Makes the fields of a request, and of the cookies and the credential that go with it.
    ///
    /// A credential counts as user and password, whatever is made of them for the server.
    init(_ request: URLRequest, cookies: String? = nil, credential: URLCredential? = nil) {
        let fields = request.allHTTPHeaderFields ?? [:]
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            let key = WireText.lowercase(name)
            values[key] = values[key].map { "\($0), \(value)" } ?? value
        }
        if let credential {
            values["authorization"] = "\(credential.user ?? ""):\(credential.password ?? "")"
        } else if let user = request.url?.user(percentEncoded: false) {
            let password = request.url?.password(percentEncoded: false)
            add("authorization", "\(user):\(password ?? "")")
        }
        add("accept-encoding", AcceptedCodings(request).fieldValue)
        add("user-agent", UserAgent.ours)
        add("cookie", cookies)
    }

    /// The value of a field, whose name is in lower case; nil when it is not sent.
    subscript(name: String) -> String? { values[name] }

    /// The directives of the request's own Cache-Control.
    var cacheControl: CacheControl { CacheControl(values["cache-control"].map { [$0] } ?? []) }

    private mutating func add(_ name: String, _ value: String?) {
        if values[name] == nil { values[name] = value }
    }
}
