public import Foundation
public import FoundationNetworking

/// Hears the response, the bytes and the end of a load.
///
/// The messages of one connection are `willSend` for each request, `response`, then any number of
/// `data`, then exactly one of `finished` or `failed`; after ``NSURLConnection/cancel()`` there is none. Every method has a
/// default that does nothing.
///
/// - SeeAlso: <https://developer.apple.com/documentation/foundation/nsurlconnectiondatadelegate>
public protocol NSURLConnectionDataDelegate: NSURLConnectionDelegate {
    /// Asks the delegate what to send: once before the first byte goes out, and at each redirect.
    ///
    /// The first time there is no response, and `request` is the connection's own in canonical form.
    /// At a redirect `response` is the 3xx, and `request` is what would follow it by RFC 9110
    /// section 15.4. Return it, or another request, which is then sent as it is. Return nil at a
    /// redirect to refuse it: the 3xx and its body become the answer. Return nil the first time, and
    /// the connection fails with `URLError.cancelled`.
    ///
    /// The load waits for the answer; others of the same loop do not. A delegate without this method
    /// accepts everything.
    func connection(
        _ connection: NSURLConnection,
        willSend request: URLRequest,
        redirectResponse response: URLResponse?
    ) -> URLRequest?

    /// Tells the delegate that the head of the response has come.
    ///
    /// The response is an `HTTPURLResponse`. A status of 400 and above is an ordinary response, not a
    /// failure. Look fields up by `value(forHTTPHeaderField:)`, which does not mind the letter case.
    /// `expectedContentLength` is -1 when the length is unknown, also for a body that is coded.
    ///
    /// On a new response throw away what was collected so far.
    func connection(_ connection: NSURLConnection, didReceive response: URLResponse)

    /// Tells the delegate that more bytes of the body have come, content codings removed.
    ///
    /// There is at least one byte. Where one call ends and the next begins means nothing. The data
    /// is yours to keep; it is a part of a block of up to 256 KiB that is freed with its last part,
    /// so copy what you want to keep for long if it is little.
    ///
    /// While a delegate is slow, about ``ConnectionSettings/waitingBytes`` wait for it, and then the
    /// loop reads no more from the network until it has caught up.
    func connection(_ connection: NSURLConnection, didReceive data: Data)

    /// Tells the delegate that the whole body has been delivered; it is the last message.
    func connectionDidFinishLoading(_ connection: NSURLConnection)
}

extension NSURLConnectionDataDelegate {
    /// Accepts the request.
    public func connection(
        _ connection: NSURLConnection,
        willSend request: URLRequest,
        redirectResponse response: URLResponse?
    ) -> URLRequest? {
        UnansweredQuestions.note(.willSend, by: self)
        return request
    }

    /// Does nothing.
    public func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {}

    /// Does nothing: the bytes are dropped.
    public func connection(_ connection: NSURLConnection, didReceive data: Data) {}

    /// Does nothing.
    public func connectionDidFinishLoading(_ connection: NSURLConnection) {}
}
