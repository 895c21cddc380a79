private import CLibevent
private import EventLoops
private import Glibc

/// One request that evhttp has received, and the way to answer it.
///
/// evhttp keeps the request until it is answered or its network connection goes down, and says so
/// once, by `over`; after that everything here does nothing. Loop affinity.
///
/// - SeeAlso: <https://libevent.org/doc/http_8h.html>
@safe
final class ServedRequest {
    /// How many bytes one write may hand to the kernel; libevent's 16 KiB cost half of the speed.
    private static let largestWrite = 2 << 20

    /// Told when all that was sent has gone to the kernel, once for each ``send(_:)``.
    var drained: () -> Void = {}

    /// Told once, when the answer is complete or the network connection has gone down.
    var over: () -> Void = {}

    private let request: OpaquePointer
    private let connection: OpaquePointer
    private let stream: OpaquePointer
    private let staged: OpaquePointer
    private let copied: OpaquePointer
    private var isOver = false

    /// Takes charge of a request in evhttp's callback for it.
    init?(_ request: OpaquePointer) {
        guard let connection = unsafe evhttp_request_get_connection(request),
            let stream = unsafe evhttp_connection_get_bufferevent(connection),
            let staged = unsafe evbuffer_new(),
            let copied = unsafe evbuffer_new()
        else { return nil }
        unsafe self.request = request
        unsafe self.connection = connection
        unsafe self.stream = stream
        unsafe self.staged = staged
        unsafe self.copied = copied
        watchConnection()
        tuneConnection()
    }

    deinit {
        precondition(isOver, "a request was let go of that evhttp still calls back for")
        unsafe evbuffer_free(staged)
        unsafe evbuffer_free(copied)
    }
}

// MARK: - The answer

extension ServedRequest {
    /// Sends the status line and the header fields.
    func start(status: Int, headers: [Answer.Header]) {
        guard !isOver else { return }
        let fields = unsafe evhttp_request_get_output_headers(request)
        for header in headers {
            let result = unsafe evhttp_add_header(fields, header.name, header.value)
            precondition(result == 0, "a line break in the header field \(header.name)")
        }
        unsafe evhttp_send_reply_start(request, Int32(status), nil)
    }

    /// Sends pieces of the body, and tells `drained` when the kernel has them all.
    func send(_ pieces: [Pattern.Piece]) {
        guard !isOver else { return }
        for piece in pieces {
            switch piece {
            case .shared(let range):
                unsafe PatternBlock.shared.append(range, to: staged)
            case .own(let bytes):
                // By way of an empty buffer: behind a reference, libevent allocates as much again
                // as the reference has, 1 MiB for 8 bytes.
                unsafe evbuffer_add(copied, bytes, bytes.count)
                unsafe evbuffer_add_buffer(staged, copied)
            }
        }
        unsafe evhttp_send_reply_chunk_with_cb(
            request,
            staged,
            { _, context in
                unsafe CallbackContext<ServedRequest>.owner(behind: context).drained()
            },
            CallbackContext(unretained: self).pointer
        )
    }

    /// Ends the answer; the network connection is kept for the next request.
    func end() {
        guard !isOver else { return }
        unsafe evhttp_send_reply_end(request)
    }

    /// How many bytes wait here for the kernel.
    var queuedCount: Int {
        guard !isOver else { return 0 }
        return unsafe evbuffer_get_length(bufferevent_get_output(stream))
    }

    /// How many bytes wait here or in the kernel for the peer's kernel.
    var unacknowledgedCount: Int {
        guard !isOver else { return 0 }
        let inKernel = unsafe shim_socket_countUnacknowledged(bufferevent_getfd(stream))
        return queuedCount + Int(inKernel)
    }

    /// Closes the network connection in order: the peer reads what was sent, then an end.
    ///
    /// Not inside a callback of evhttp for this request.
    func hangUp() {
        guard !isOver else { return }
        unsafe evhttp_connection_free(connection)
    }

    /// Resets the network connection.
    ///
    /// Not inside a callback of evhttp for this request.
    ///
    /// SO_LINGER would not do: evhttp calls shutdown(2) before it closes, and the peer would see an
    /// orderly end first. Dissolving the association (connect(2), AF_UNSPEC) sends RST at once.
    func reset() {
        guard !isOver else { return }
        var nowhere = sockaddr()
        nowhere.sa_family = sa_family_t(AF_UNSPEC)
        let size = socklen_t(MemoryLayout<sockaddr>.size)
        unsafe connect(bufferevent_getfd(stream), &nowhere, size)
        hangUp()
    }
}

// MARK: - The end

extension ServedRequest {
    private func watchConnection() {
        let context = CallbackContext(unretained: self)
        unsafe evhttp_connection_set_closecb(
            connection,
            { _, context in
                unsafe CallbackContext<ServedRequest>.owner(behind: context).connectionGoesDown()
            },
            context.pointer
        )
        unsafe evhttp_request_set_on_complete_cb(
            request,
            { _, context in
                unsafe CallbackContext<ServedRequest>.owner(behind: context).answerIsComplete()
            },
            context.pointer
        )
        // Until the answer begins, evhttp does not look at the network connection, and would not
        // see a client leave that waits for a slow answer. So do here what it does then: read, but
        // let what is read lie.
        var read: bufferevent_data_cb?
        var write: bufferevent_data_cb?
        var event: bufferevent_event_cb?
        var argument: UnsafeMutableRawPointer?
        unsafe bufferevent_getcb(stream, &read, &write, &event, &argument)
        unsafe bufferevent_setcb(stream, nil, write, event, argument)
        unsafe bufferevent_enable(stream, Int16(EV_READ))
    }

    private func tuneConnection() {
        // evhttp would end a network connection on which nothing was read for 50 seconds, be it in
        // the middle of an answer.
        unsafe bufferevent_set_timeouts(stream, nil, nil)
        unsafe bufferevent_set_max_single_write(stream, Self.largestWrite)
        // A paced answer's pieces are to leave as they come (evhttp leaves Nagle's algorithm on).
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        unsafe setsockopt(bufferevent_getfd(stream), Int32(IPPROTO_TCP), TCP_NODELAY, &on, size)
    }

    private func connectionGoesDown() {
        isOver = true
        // When the client left in the middle of the answer, evhttp has taken the request from the
        // network connection and left it to us. Otherwise it frees the request with the connection.
        if unsafe evhttp_request_get_connection(request) == nil {
            unsafe evhttp_request_free(request)
        }
        over()
    }

    private func answerIsComplete() {
        isOver = true
        // The network connection lives on, and evhttp frees the request.
        unsafe evhttp_connection_set_closecb(connection, nil, nil)
        over()
    }
}
