internal import CurlTransfers

/// What libcurl has measured of one request and its answer.
///
/// The durations count from the moment at which the request was given to libcurl, where it may first
/// wait for a place among the network connections. What was not reached, or was not needed, is zero.
///
/// - SeeAlso: <https://curl.se/libcurl/c/curl_easy_getinfo.html>
public struct TransferTimings: Sendable, Equatable {
    /// How long the load had been under way when the request was made, redirects included.
    public let before: Duration

    /// Until the name had an address.
    public let nameLookUp: Duration

    /// Until TCP was connected.
    public let connect: Duration

    /// Until TLS was established.
    public let secure: Duration

    /// Until the request was about to go out.
    public let send: Duration

    /// Until the first byte of the answer came.
    public let firstByte: Duration

    /// Until the end.
    public let total: Duration

    /// The bytes of body that were sent.
    public let sentBodyBytes: Int64

    /// The bytes of body that came, before they were decoded.
    public let receivedBodyBytes: Int64

    /// The bytes of all heads that came.
    public let receivedHeadBytes: Int64

    /// How many network connections were opened; 0 means that one was used again.
    public let openedConnections: Int

    /// `1.0`, `1.1` or `2`; nil before an answer.
    public let httpVersion: String?

    init(_ figures: TransferFigures, before: Duration) {
        self.before = before
        nameLookUp = .microseconds(figures.nameLookUp)
        connect = .microseconds(figures.connect)
        secure = .microseconds(figures.secure)
        send = .microseconds(figures.send)
        firstByte = .microseconds(figures.firstByte)
        total = .microseconds(figures.total)
        sentBodyBytes = figures.sentBodyBytes
        receivedBodyBytes = figures.receivedBodyBytes
        receivedHeadBytes = figures.receivedHeadBytes
        openedConnections = figures.openedConnections
        httpVersion = figures.httpVersion
    }
}
