public import Foundation

/// What an observer hears of a connection.
///
///     started ─► sending ─► firstByte ─► … ─► transferEnded ─► ended
///        │         ▲ ▲                            │
///        │         │ └─ connected ◄─ connecting ◄─ lookingUpName
///        └─────────┘                              │
///                  └────────── redirected ◄───────┘
///
/// `started` comes first, `ended` once and last. In between comes what happens: a reused network
/// connection has neither look-up nor connect, a `file:` URL nothing of the network. Times are left to
/// the observer, but for ``TransferTimings``.
public enum ConnectionEvent: Sendable, Equatable {
    /// The load begins on its loop.
    case started

    /// The name of the server, or of its proxy, is looked up; for an address that is done at once.
    case lookingUpName

    /// A connect to an address begins.
    ///
    /// Others may follow, and go on beside it: a name may have several (RFC 8305).
    case connecting(address: String, port: Int)

    /// The network connection is there, with TLS if it has any: one of this load, or one of an earlier.
    case connected(NetworkConnectionDetails)

    /// The request goes out.
    case sending(method: String)

    /// The first byte of the answer has come.
    case firstByte

    /// Another request follows; its URL is that of the events from here on.
    case redirected

    /// The other side wants to know who is there, or shows who it is.
    ///
    /// The method is one of Foundation's (`NSURLAuthenticationMethodHTTPBasic` …) or of
    /// ``AuthenticationMethod``.
    case challenged(method: String)

    /// The cache was asked, or given something.
    case cache(CacheDecision)

    /// A message was handed to the delegate's queue or run loop, where it is told later.
    case message(ObservedMessage)

    /// One request is over, well or not; its figures.
    case transferEnded(TransferTimings)

    /// The load is over: all was handed on (nil), it failed, or its owner has cancelled
    /// (`URLError.cancelled`).
    case ended(URLError?)
}
