internal import Foundation

/// What the environment says about proxies, read as curl reads it.
///
/// | variable | for |
/// |---|---|
/// | `http_proxy` | http |
/// | `https_proxy`, `HTTPS_PROXY` | https |
/// | `ftp_proxy`, `FTP_PROXY` | ftp |
/// | `all_proxy`, `ALL_PROXY` | what has none of its own |
/// | `no_proxy`, `NO_PROXY` | what needs none, see ``ProxyExceptions`` |
///
/// A variable that is empty is not there. `HTTP_PROXY` does not count: where a program runs as a CGI
/// script, whoever sends a request sets it by the field `Proxy` (<https://httpoxy.org>).
struct ProxyEnvironment {
    /// The environment of this process, as it was when it was first asked for.
    static let ofProcess = ProxyEnvironment(ProcessInfo.processInfo.environment)

    let exceptions: ProxyExceptions
    private let variables: [String: String]

    init(_ variables: [String: String]) {
        self.variables = variables.filter { !$0.value.isEmpty }
        let list = self.variables["no_proxy"] ?? self.variables["NO_PROXY"]
        exceptions = ProxyExceptions(list ?? "")
    }

    /// The proxy for URLs of a scheme in lower case, and the variable that names it.
    func proxy(forScheme scheme: String) -> (variable: String, text: String)? {
        var names = ["\(scheme)_proxy"]
        if scheme != "http" { names.append(WireText.uppercase("\(scheme)_proxy")) }
        names += ["all_proxy", "ALL_PROXY"]
        for name in names {
            if let text = variables[name] { return (name, text) }
        }
        return nil
    }
}
