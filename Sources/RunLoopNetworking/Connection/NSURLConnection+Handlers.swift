public import FoundationNetworking

extension NSURLConnection {
    /// Has a type of handlers asked about each request from now on, before all that are registered.
    ///
    /// What the type takes (`canInit(with:)`) is loaded by an instance of it, in place of a server: a
    /// scheme of the program's own, or an answer that a test has made up. It is asked about the request
    /// of each connection, and about that of each redirect.
    ///
    /// `canInit(with:)` and `canonicalRequest(for:)` may be called on any thread, for several requests
    /// at once. An instance is made, started and stopped on a serial queue of its own; it may block
    /// there, and may call its client on any thread. `stopLoading()` is called once, also after the
    /// last message. After it nothing more is heard of the instance. An error that is no `URLError`
    /// reaches the delegate as one, with the error as `NSUnderlyingErrorKey`. The time-out of the
    /// request runs while the client is not called.
    ///
    /// Handlers that are registered with `URLProtocol.registerClass(_:)` are URLSession's, and are not
    /// asked. Any thread.
    public class func registerProtocol(_ type: URLProtocol.Type) {
        ProtocolHandlers.register(type)
    }

    /// Takes a type of handlers back; what it loads already goes on.
    ///
    /// Any thread.
    public class func unregisterProtocol(_ type: URLProtocol.Type) {
        ProtocolHandlers.unregister(type)
    }
}
