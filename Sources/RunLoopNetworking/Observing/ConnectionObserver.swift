/// Hears of everything that connections do: for logging, metrics and tracing.
///
/// ```swift
/// final class Log: ConnectionObserver {
///     func connection(_ connection: ObservedConnection, did event: ConnectionEvent) {
///         print(connection.number, event)
///     }
/// }
/// EventLoop.shared.connectionSettings.observers = [Log()]
/// ```
///
/// It is called on the loop, which waits for it: it has to be quick, and it changes nothing. It may be
/// called for connections of several loops, on several threads at once. Without observers nothing is
/// gathered for them.
public protocol ConnectionObserver: AnyObject, Sendable {
    /// Something has happened; on the loop.
    func connection(_ connection: ObservedConnection, did event: ConnectionEvent)
}
