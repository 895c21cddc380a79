internal import Foundation
internal import FoundationNetworking

/// Tells the observers of one load what happens.
///
/// Loop affinity.
final class LoadObservation {
    private let observers: [any ConnectionObserver]
    private let number: Int
    private let begin: ContinuousClock.Instant
    private var url: URL?

    /// What the load will have ended with.
    var ending: URLError?

    /// When the request at hand was made.
    private var requestTime: ContinuousClock.Instant

    /// Makes one for a load that begins; nil when nobody observes.
    init?(_ observers: ConnectionObservers, number: Int) {
        guard !observers.list.isEmpty else { return nil }
        self.observers = observers.list
        self.number = number
        begin = .now
        requestTime = begin
    }

    /// How long the load had been under way when the request at hand was made.
    var timeBeforeRequest: Duration { begin.duration(to: requestTime) }

    /// From now on it is about this request.
    func change(to request: URLRequest) {
        requestTime = .now
        url = request.url.map(Self.withoutCredentials)
    }

    /// Tells all of them.
    func tell(_ event: ConnectionEvent) {
        let connection = ObservedConnection(number: number, url: url)
        for observer in observers { observer.connection(connection, did: event) }
    }

    private static func withoutCredentials(_ url: URL) -> URL {
        guard url.user != nil || url.password != nil,
            var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return url }
        components.user = nil
        components.password = nil
        return components.url ?? url
    }
}
