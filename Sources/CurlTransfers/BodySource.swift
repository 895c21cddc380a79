/// Where a body comes from that is read while it is sent.
package protocol BodySource: AnyObject, Sendable {
    /// Copies bytes that are there into `room`, which is not empty. On the loop, inside libcurl.
    ///
    /// It must not block. After ``BodyRead/later`` it sees to it that ``MultiHandle/resumeSending(_:)``
    /// is called when there is more to say.
    func read(into room: UnsafeMutableRawBufferPointer) -> BodyRead
}

/// What a source of a body has to say.
package enum BodyRead: Equatable, Sendable {
    /// So many bytes were copied; at least one.
    case bytes(Int)
    /// There are none yet.
    case later
    /// The body is whole.
    case end
    /// There will be none; the transfer completes with ``CurlCode/abortedByCallback``.
    case failed
}
