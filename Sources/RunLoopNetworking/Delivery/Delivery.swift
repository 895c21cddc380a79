public import Dispatch
public import Foundation

/// Where a connection's delegate hears its messages.
///
/// A connection delivers on the run loops that it is scheduled on, unless it is told one of these
/// (``NSURLConnection/setDelivery(_:)``). Whatever is chosen, messages come in order, and never two
/// at once for one connection.
public enum Delivery: Sendable {
    /// As operations of a queue; also on a queue that runs several at once.
    case operationQueue(OperationQueue)

    /// As blocks of a queue; also on a concurrent queue.
    case dispatchQueue(DispatchQueue)

    /// On the loop itself, without a hop to another thread.
    ///
    /// All other connections of the loop wait while the delegate is at work: for delegates that are
    /// quick and never block.
    case onLoop
}
