internal import CurlTransfers
internal import Foundation

extension TransferRequest {
    /// The one field of a request that is meant for the proxy, and for nobody behind it.
    static let proxyField = "Proxy-Authorization"

    /// Sets the proxy for a URL, and what the caller has set for it among the fields.
    ///
    /// - Throws: ``Failure`` when the environment names one that can't be read.
    mutating func setProxy(
        _ settings: ProxySettings,
        for url: URL,
        _ fields: [String: String]
    ) throws(Failure) {
        guard let server = try settings.proxy(for: url) else { return }
        var proxy = TransferProxy(
            url: server.description,
            user: server.user,
            password: server.password
        )
        for (name, value) in fields where WireText.isSameName(name, Self.proxyField) {
            proxy.headerLines.append(Self.line(name, value))
        }
        self.proxy = proxy
    }
}
