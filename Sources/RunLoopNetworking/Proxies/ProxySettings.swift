internal import Foundation
internal import FoundationNetworking

/// Through which proxy connections reach their servers.
///
/// Set it with ``ConnectionSettings/proxy``. Each request decides anew, also that of a redirect.
public enum ProxySettings: Sendable, Equatable {
    /// What the environment of the process says, as curl reads it.
    ///
    /// `http_proxy`, `https_proxy`, `ftp_proxy` and `all_proxy` name a proxy as ``ProxyServer`` reads
    /// it, `no_proxy` what needs none, as ``ProxyExceptions`` reads it. All but `http_proxy` are known
    /// in capitals as well: a web server may set `HTTP_PROXY` to what a visitor has sent. The
    /// environment is read once, when the first connection needs it; later changes make no difference.
    /// A variable that names no proxy lets connections fail, instead of going without one.
    case environment

    /// None.
    case direct

    /// One for everything, but for these exceptions.
    ///
    /// It is used for this machine as well: list `localhost`, `127.0.0.1` and `::1` if it is not to be.
    case server(ProxyServer, except: ProxyExceptions = [])
}

extension ProxySettings {
    /// The proxy for a URL, or nil for none.
    ///
    /// - Throws: ``Failure`` when the environment names one that can't be read.
    func proxy(
        for url: URL,
        _ environment: @autoclosure () -> ProxyEnvironment = .ofProcess
    ) throws(Failure) -> ProxyServer? {
        switch self {
        case .direct:
            return nil
        case .server(let server, let exceptions):
            return exceptions.cover(url) ? nil : server
        case .environment:
            let environment = environment()
            let scheme = WireText.lowercase(url.scheme ?? "")
            guard let (variable, text) = environment.proxy(forScheme: scheme),
                !environment.exceptions.cover(url)
            else { return nil }
            do throws(ProxyError) {
                return try ProxyServer(text)
            } catch {
                throw Failure(
                    .cannotConnectToHost,
                    "The environment variable \(variable) names no proxy. \(error.description)"
                )
            }
        }
    }
}

extension ProxyExceptions {
    fileprivate func cover(_ url: URL) -> Bool {
        guard let host = url.host else { return false }
        let defaults = ["http": 80, "https": 443, "ftp": 21]
        let port = url.port ?? defaults[WireText.lowercase(url.scheme ?? "")] ?? 0
        return cover(host: host, port: port)
    }
}
