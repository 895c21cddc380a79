/// A message to a delegate, as an observer hears of it.
public enum ObservedMessage: Sendable, Equatable {
    /// `connection(_:willSend:redirectResponse:)`
    case willSend
    /// `connectionShouldUseCredentialStorage(_:)`
    case credentialStorage
    /// `connection(_:willSendRequestFor:)`, or one of the older pair
    case challenge
    /// `connection(_:didCancel:)`
    case challengeWithdrawn
    /// `connection(_:needNewBodyStream:)`
    case needNewBodyStream
    /// `connection(_:didSendBodyData:…)`: how many bytes have gone out in all
    case sentBody(total: Int)
    /// `connection(_:didReceive:)` with a response; its status, 0 without HTTP
    case response(status: Int)
    /// `connection(_:didReceive:)` with so many bytes
    case data(count: Int)
    /// `connection(_:willCacheResponse:)` with so many bytes
    case willCache(count: Int)
    /// `connection(_:didWriteData:…)`: how many bytes the file has
    case wroteData(total: Int64)
    /// `connectionDidResumeDownloading(_:…)`: how many bytes the file has
    case resumedDownloading(total: Int64)
    /// `connectionDidFinishDownloading(_:destinationURL:)`
    case finishedDownloading
    /// `connectionDidFinishLoading(_:)`
    case finished
    /// `connection(_:didFailWithError:)`
    case failed
}
