public import Foundation

/// Which connection an observer hears of.
public struct ObservedConnection: Sendable, Equatable {
    /// Tells connections of this process apart: ``NSURLConnection/number``.
    public let number: Int

    /// What is loaded now, after redirects another URL than in the beginning.
    ///
    /// User and password of the URL are left out.
    public let url: URL?
}
