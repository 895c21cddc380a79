public import Foundation

/// Hears how a connection ends badly; every delegate of a connection adopts this.
///
/// Every method has a default that does nothing: adopt what you need. The methods are called on the
/// run loop, queue or loop that the connection delivers on, one at a time.
///
/// On Apple's systems a method is optional. Here it is one of a protocol extension, so a delegate
/// that should be told has to state its type exactly: a method that takes `NSData` instead of `Data`
/// is another method, and is never called.
///
/// - SeeAlso: <https://developer.apple.com/documentation/foundation/nsurlconnectiondelegate>
public protocol NSURLConnectionDelegate: NSObjectProtocol {
    /// Tells the delegate that the connection has failed; it is the last message of the connection.
    ///
    /// The error is a `URLError`. Its `failingURL` is the URL of the last request, redirects
    /// included, and `NSUnderlyingErrorKey` leads to libcurl's code where libcurl has one
    /// (``curlErrorDomain``). Bytes that were delivered before stay good: they are the beginning of
    /// the body.
    func connection(_ connection: NSURLConnection, didFailWithError error: any Error)
}

extension NSURLConnectionDelegate {
    /// Does nothing.
    public func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {}
}
