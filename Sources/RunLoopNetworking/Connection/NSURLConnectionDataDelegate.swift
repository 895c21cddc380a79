public import Foundation
public import FoundationNetworking

/// Hears the response, the bytes and the end of a load.
///
/// The messages of one connection are `willSend` for each request, `didSendBodyData` while a body goes
/// out, `response`, then any number of `data`, then exactly one of `finished` or `failed`; after ``NSURLConnection/cancel()`` there is none. Every method has a
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

    /// Tells the delegate that bytes of the request's body have gone out to the network.
    ///
    /// Only bytes of the body count, not the head, nor what HTTP puts between chunks. While a delegate is
    /// slow, what has gone out meanwhile is told in one message. All of these messages come before the
    /// response, unless the server answers before it has read the body. When the body is sent once more,
    /// after a redirect or over a network connection that died, the total begins anew.
    /// See <https://developer.apple.com/documentation/foundation/nsurlconnectiondatadelegate/connection(_:didsendbodydata:totalbyteswritten:totalbytesexpectedtowrite:)>.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - bytesWritten: How many bytes since the last of these messages.
    ///   - totalBytesWritten: How many in all.
    ///   - totalBytesExpectedToWrite: How many bytes the body has: the size of `httpBody`, or what the
    ///     request's own `Content-Length` says of an `httpBodyStream`; -1 without it.
    func connection(
        _ connection: NSURLConnection,
        didSendBodyData bytesWritten: Int,
        totalBytesWritten: Int,
        totalBytesExpectedToWrite: Int
    )

    /// Asks the delegate for a stream to send the body from once more.
    ///
    /// A body stream can be read once. It has to be sent again when a redirect with status 307 or 308 is
    /// followed, when the server asks for credentials, and when a network connection that was kept from
    /// an earlier load has died. Return a new stream of the same bytes, not opened yet. Return nil, and
    /// the connection fails with `URLError.requestBodyStreamExhausted` (-1021); so it does for a delegate
    /// without this method: unlike Apple's loader, this one keeps no copy of the stream's bytes. An
    /// `httpBody` is sent again without a question, and so is a new stream that the delegate has put into
    /// the request of a redirect.
    ///
    /// The load waits for the answer; others of the same loop do not.
    /// See <https://developer.apple.com/documentation/foundation/nsurlconnectiondatadelegate/connection(_:neednewbodystream:)>.
    func connection(
        _ connection: NSURLConnection,
        needNewBodyStream request: URLRequest
    ) -> InputStream?

    /// Tells the delegate that the head of the response has come.
    ///
    /// The response to an http or https request is an `HTTPURLResponse`, any other a plain
    /// `URLResponse`. A status of 400 and above is an ordinary response, not a
    /// failure. Look fields up by `value(forHTTPHeaderField:)`, which does not mind the letter case.
    /// `expectedContentLength` is -1 when the length is unknown, also for a body that is coded.
    ///
    /// On a new response throw away what was collected so far: each part of a
    /// `multipart/x-mixed-replace` body is a response with its own fields and the status of the whole.
    /// Such a body that ends without its closing delimiter fails with `networkConnectionLost`, after
    /// all that came of it.
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

    /// Asks the delegate what to keep of a response, behind its last data and before the end.
    ///
    /// It is asked only when the response came from the origin, is an answer to GET with a status of
    /// 200 to 299 that ``ConnectionSettings/responseCache`` may keep by RFC 9111, and is not too large.
    /// Return the object, or another one, of which the response, the data, the `storagePolicy` and a
    /// `userInfo` that can be a property list are kept, or nil to keep nothing. Its data is decoded; it
    /// may lie in a file that goes when the load has ended: copy what you want to keep.
    ///
    /// The load waits for the answer; others of the same loop do not. A delegate without this method
    /// agrees.
    /// See <https://developer.apple.com/documentation/foundation/nsurlconnectiondatadelegate/connection(_:willcacheresponse:)>.
    func connection(
        _ connection: NSURLConnection,
        willCacheResponse cachedResponse: CachedURLResponse
    ) -> CachedURLResponse?

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
    public func connection(
        _ connection: NSURLConnection,
        didSendBodyData bytesWritten: Int,
        totalBytesWritten: Int,
        totalBytesExpectedToWrite: Int
    ) {
        UnansweredQuestions.note(.didSendBodyData, by: self)
    }

    /// Returns nil: the connection fails.
    public func connection(
        _ connection: NSURLConnection,
        needNewBodyStream request: URLRequest
    ) -> InputStream? { nil }

    /// Does nothing.
    public func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {}

    /// Does nothing: the bytes are dropped.
    public func connection(_ connection: NSURLConnection, didReceive data: Data) {}

    /// Agrees.
    public func connection(
        _ connection: NSURLConnection,
        willCacheResponse cachedResponse: CachedURLResponse
    ) -> CachedURLResponse? {
        UnansweredQuestions.note(.willCache, by: self)
        return cachedResponse
    }

    /// Does nothing.
    public func connectionDidFinishLoading(_ connection: NSURLConnection) {}
}
