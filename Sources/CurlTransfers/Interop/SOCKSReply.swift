private import CLibcurl

/// What went wrong with a SOCKS proxy, as far as it makes a difference.
///
/// - SeeAlso: <https://curl.se/libcurl/c/CURLINFO_PROXY_ERROR.html>
package enum SOCKSReply: Sendable, Hashable {
    /// The name of the server has no address here.
    case nameIsUnknown
    /// The proxy wants another user, or takes none of the ways to say who it is.
    case authenticationRequired
    /// The proxy has no way to the server's network.
    case networkUnreachable
    /// The proxy has closed the network connection.
    case closed
    /// Anything else.
    case other

    /// Reads libcurl's number, `CURLPX_…`.
    package init(_ code: Int) {
        switch CURLproxycode(UInt32(truncatingIfNeeded: code)) {
        case CURLPX_RESOLVE_HOST: self = .nameIsUnknown
        case CURLPX_NO_AUTH, CURLPX_USER_REJECTED: self = .authenticationRequired
        case CURLPX_REPLY_NETWORK_UNREACHABLE: self = .networkUnreachable
        case CURLPX_CLOSED: self = .closed
        default: self = .other
        }
    }
}
