private import CLibssl

/// TLS over an accepted socket, or over another channel.
///
/// libssl works on memory alone: what it wants to send is taken from it and sent by the socket, and
/// what the socket received is given to it. So the socket's ways of waiting are those of plain text.
/// Only the thread that plays the script touches it.
///
/// - SeeAlso: <https://docs.openssl.org/3.0/man3/SSL_read/>
@safe
final class TLSChannel {
    private let socket: any ByteChannel
    private let tls: OpaquePointer

    /// What came from the network; owned by `tls`.
    private let incoming: OpaquePointer?

    /// What is to go to the network; owned by `tls`.
    private let outgoing: OpaquePointer?

    /// The most bytes of plain text in one record.
    private static let recordSize = 16_384

    init(over socket: any ByteChannel, _ context: TLSContext) {
        guard let tls = unsafe SSL_new(context.pointer) else {
            preconditionFailure("SSL_new found no memory")
        }
        self.socket = socket
        unsafe self.tls = tls
        unsafe incoming = BIO_new(BIO_s_mem())
        unsafe outgoing = BIO_new(BIO_s_mem())
        unsafe SSL_set_bio(tls, incoming, outgoing)
        unsafe SSL_set_accept_state(tls)
    }

    deinit {
        unsafe SSL_free(tls)
    }

    /// The host that the client has asked for; nil if it asked for none.
    var serverName: String? {
        let name = unsafe SSL_get_servername(tls, TLSEXT_NAMETYPE_host_name)
        return unsafe name.map { unsafe String(cString: $0) }
    }
}

// MARK: - ByteChannel

extension TLSChannel: ByteChannel {
    /// Shakes hands; false when the client goes away, or refuses the certificate.
    func open() -> Bool {
        while true {
            ERR_clear_error()
            let result = unsafe SSL_do_handshake(tls)
            let wantsMore = wantsMore(after: result)
            guard flush(), result != 1 else { return result == 1 }
            guard wantsMore, take(socket.receive(atMost: 65_536)) else { return false }
        }
    }

    func receive(atMost count: Int) -> [UInt8] {
        read(atMost: count) { socket.receive(atMost: 65_536) }
    }

    func receiveWaiting(atMost count: Int) -> [UInt8] {
        read(atMost: count) { socket.receiveWaiting(atMost: 65_536) }
    }

    func send(_ bytes: ArraySlice<UInt8>, patience: Int32, stalled: () -> Void) -> Int? {
        ERR_clear_error()
        // Memory has room for everything.
        let sent = unsafe bytes.prefix(Self.recordSize).withUnsafeBytes { bytes in
            unsafe SSL_write(tls, bytes.baseAddress, Int32(bytes.count))
        }
        guard sent > 0, flush(patience: patience, stalled: stalled) else { return nil }
        return Int(sent)
    }

    func finishSending(orderly: Bool) {
        if orderly {
            ERR_clear_error()
            unsafe SSL_shutdown(tls)
            _ = flush()
        }
        socket.finishSending(orderly: orderly)
    }

    func resetOnClose() {
        socket.resetOnClose()
    }
}

// MARK: - Between libssl and the socket

extension TLSChannel {
    private func read(atMost count: Int, more: () -> [UInt8]) -> [UInt8] {
        while true {
            var result: Int32 = 0
            ERR_clear_error()
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
                result = unsafe SSL_read(tls, buffer.baseAddress, Int32(count))
                initialized = max(0, Int(result))
            }
            let wantsMore = wantsMore(after: result)
            guard bytes.isEmpty, flush(), wantsMore, take(more()) else { return bytes }
        }
    }

    private func wantsMore(after result: Int32) -> Bool {
        unsafe result <= 0 && SSL_get_error(tls, result) == SSL_ERROR_WANT_READ
    }

    /// Gives libssl what was received; false when that is nothing.
    private func take(_ bytes: [UInt8]) -> Bool {
        guard !bytes.isEmpty else { return false }
        let taken = unsafe bytes.withUnsafeBytes { bytes in
            unsafe BIO_write(incoming, bytes.baseAddress, Int32(bytes.count))
        }
        return Int(taken) == bytes.count
    }

    /// Sends what libssl has to send; false when the client is gone.
    private func flush(patience: Int32 = 1_000, stalled: () -> Void = {}) -> Bool {
        let count = unsafe BIO_ctrl_pending(outgoing)
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let read = unsafe BIO_read(outgoing, buffer.baseAddress, Int32(count))
            initialized = max(0, Int(read))
        }
        var left = bytes[...]
        while !left.isEmpty {
            let sent = socket.send(left, patience: patience, stalled: stalled)
            guard let sent else { return false }
            left.removeFirst(sent)
        }
        return true
    }
}
