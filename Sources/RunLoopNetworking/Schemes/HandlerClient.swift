internal import EventLoops
internal import Foundation
internal import FoundationNetworking

/// Hands on what a registered handler says, until nobody listens any more.
///
/// Any thread.
final class HandlerClient: NSObject, URLProtocolClient {
    /// Guarded.
    private let listener: Guarded<(@Sendable (HandlerEvent) -> Void)?>

    init(_ listener: @escaping @Sendable (HandlerEvent) -> Void) {
        self.listener = Guarded(listener)
    }

    /// What comes from now on is not handed on.
    func close() {
        listener.withLock { $0 = nil }
    }

    private func tell(_ events: HandlerEvent...) {
        // Called with the lock held: events of several threads stay in one order.
        listener.withLock { listener in
            guard let listener else { return }
            events.forEach(listener)
        }
    }

    func urlProtocol(
        _ protocol: URLProtocol,
        wasRedirectedTo request: URLRequest,
        redirectResponse: URLResponse
    ) {
        tell(.redirect(request, redirectResponse))
    }

    func urlProtocol(
        _ protocol: URLProtocol,
        cachedResponseIsValid cachedResponse: CachedURLResponse
    ) {
        tell(.response(cachedResponse.response), .data(cachedResponse.data))
    }

    func urlProtocol(
        _ protocol: URLProtocol,
        didReceive response: URLResponse,
        cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {
        tell(.response(response))
    }

    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) {
        tell(.data(data))
    }

    func urlProtocolDidFinishLoading(_ protocol: URLProtocol) {
        tell(.finished)
    }

    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) {
        tell(.failed(error))
    }

    func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
        tell(.challenge(challenge))
    }

    func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {
        tell(.challengeWithdrawn(challenge))
    }
}
