internal import CurlTransfers

/// A network connection that a request goes out on.
public struct NetworkConnectionDetails: Sendable, Equatable {
    /// The address at the other end, in numbers; that of the proxy if there is one.
    public let address: String

    /// The port at the other end.
    public let port: Int

    /// The address at this end.
    public let localAddress: String

    /// The port at this end: it tells the network connections of a host apart.
    public let localPort: Int

    /// Whether an earlier load has opened it.
    public let isReused: Bool

    /// The version of TLS that protects the request, `TLSv1.3`; nil without TLS.
    public let tlsVersion: String?

    init(_ path: NetworkPath) {
        address = path.remote.host
        port = path.remote.port
        localAddress = path.local.host
        localPort = path.local.port
        isReused = path.isReused
        tlsVersion = path.tlsVersion
    }
}
