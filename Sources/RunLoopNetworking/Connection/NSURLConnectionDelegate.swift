public import Foundation
public import FoundationNetworking

/// Hears how a connection ends badly, and answers for it; every delegate of a connection adopts this.
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

    /// Asks whether credentials may be taken from, and put into, ``ConnectionSettings/credentialStore``.
    ///
    /// Asked once at the most, before anything is sent. A delegate without this method says true. With
    /// false the store is neither read nor written; challenges come all the same.
    /// See <https://developer.apple.com/documentation/foundation/nsurlconnectiondelegate/connectionshouldusecredentialstorage(_:)>.
    func connectionShouldUseCredentialStorage(_ connection: NSURLConnection) -> Bool

    /// Asks how to answer a challenge of any kind: who is there, or whether the other side is trusted.
    ///
    /// Answer by calling one method of `challenge.sender`, inside this message or later, from any thread;
    /// the first answer counts. The load waits for it without a time-out, others don't.
    ///
    /// - `use(_:for:)` tries a credential. If it is refused, the next challenge counts one failure more;
    ///   after 20 failures the refusal is delivered.
    /// - `continueWithoutCredential(for:)` delivers the 401 or 407 with its body like any other response.
    /// - `cancel(_:)` fails the connection with `URLError.userCancelledAuthentication` (-1012).
    /// - `rejectProtectionSpaceAndContinue(with:)` asks again about the next method that is offered, and
    ///   continues without a credential when there is none. Methods come strongest first: Negotiate,
    ///   NTLM, Digest, Basic.
    /// - `performDefaultHandling(for:)` does what is done for a delegate without any of these methods: the
    ///   credential of the URL or the store is used once, and then the load continues without.
    ///
    /// A challenge that is let go of without an answer gets the default handling. A delegate that has this
    /// method is asked neither of the two older questions.
    /// See <https://developer.apple.com/documentation/foundation/nsurlconnectiondelegate/connection(_:willsendrequestfor:)>.
    func connection(
        _ connection: NSURLConnection,
        willSendRequestFor challenge: URLAuthenticationChallenge
    )

    /// Asks whether the delegate can answer challenges of a protection space.
    ///
    /// Asked of a delegate without ``connection(_:willSendRequestFor:)``. With true the challenge follows,
    /// with false it gets the default handling. A delegate without this method says false where TLS asks
    /// (server trust and client certificates), and true for everything else.
    /// See <https://developer.apple.com/documentation/foundation/nsurlconnectiondelegate/connection(_:canauthenticateagainstprotectionspace:)>.
    func connection(
        _ connection: NSURLConnection,
        canAuthenticateAgainstProtectionSpace protectionSpace: URLProtectionSpace
    ) -> Bool

    /// Asks how to answer a challenge; the answer is as in ``connection(_:willSendRequestFor:)``.
    ///
    /// Asked of a delegate without that method. One that has neither gets the default handling.
    /// See <https://developer.apple.com/documentation/foundation/nsurlconnectiondelegate>.
    func connection(
        _ connection: NSURLConnection,
        didReceive challenge: URLAuthenticationChallenge
    )

    /// Tells the delegate that a challenge needs no answer any more, because the connection has failed.
    ///
    /// See <https://developer.apple.com/documentation/foundation/nsurlconnectiondelegate/connection(_:didcancel:)>.
    func connection(_ connection: NSURLConnection, didCancel challenge: URLAuthenticationChallenge)
}

extension NSURLConnectionDelegate {
    /// Does nothing.
    public func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {}
    /// Lets the store be used.
    public func connectionShouldUseCredentialStorage(_ connection: NSURLConnection) -> Bool {
        UnansweredQuestions.note(.credentialStorage, by: self)
        return true
    }

    /// Asks the two older questions.
    public func connection(
        _ connection: NSURLConnection,
        willSendRequestFor challenge: URLAuthenticationChallenge
    ) {
        UnansweredQuestions.note(.willSendRequestForChallenge, by: self)
        let space = challenge.protectionSpace
        if self.connection(connection, canAuthenticateAgainstProtectionSpace: space) {
            self.connection(connection, didReceive: challenge)
        } else {
            challenge.sender?.performDefaultHandling(for: challenge)
        }
    }

    /// Takes all challenges but those of TLS.
    public func connection(
        _ connection: NSURLConnection,
        canAuthenticateAgainstProtectionSpace protectionSpace: URLProtectionSpace
    ) -> Bool {
        UnansweredQuestions.note(.canAuthenticate, by: self)
        return !AuthenticationMethod.isOfTLS(protectionSpace.authenticationMethod)
    }

    /// Leaves the challenge to the default handling.
    public func connection(
        _ connection: NSURLConnection,
        didReceive challenge: URLAuthenticationChallenge
    ) {
        UnansweredQuestions.note(.didReceiveChallenge, by: self)
        challenge.sender?.performDefaultHandling(for: challenge)
    }

    /// Does nothing.
    public func connection(
        _ connection: NSURLConnection,
        didCancel challenge: URLAuthenticationChallenge
    ) {}
}
