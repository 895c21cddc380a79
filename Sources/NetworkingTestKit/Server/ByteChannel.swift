/// What a script is played on: a socket, or TLS over one.
///
/// Used by the thread that plays the script, which may block.
protocol ByteChannel: AnyObject {
    /// Begins; false when the client goes away before it has begun.
    func open() -> Bool

    /// Waits for bytes and takes at most `count`; none at all means that the other side is done.
    func receive(atMost count: Int) -> [UInt8]

    /// Takes bytes that are there already.
    func receiveWaiting(atMost count: Int) -> [UInt8]

    /// Sends some of the bytes, waiting for room; nil when the other side is gone.
    ///
    /// `stalled` is called when there is no room for `patience` milliseconds, again and again.
    func send(_ bytes: ArraySlice<UInt8>, patience: Int32, stalled: () -> Void) -> Int?

    /// Says that nothing more is sent (FIN); TLS says so itself before, if that is to be `orderly`.
    func finishSending(orderly: Bool)

    /// Lets the close that follows tear the connection down (RST).
    func resetOnClose()
}
