internal import CLibcurl
internal import EventLoops
private import Glibc

/// libcurl's object for one transfer.
///
/// It is used again for later transfers: libcurl keeps memory for its buffers. Loop affinity.
///
/// - SeeAlso: <https://curl.se/libcurl/c/libcurl-easy.html>
@safe
final class EasyHandle {
    /// What a write callback returns to pause (CURL_WRITEFUNC_PAUSE).
    static let pauseMark = Int(CURL_WRITEFUNC_PAUSE)

    let pointer: UnsafeMutableRawPointer

    // libcurl writes its sentence for a failure here (CURLOPT_ERRORBUFFER); it must outlive use.
    private let errorBuffer: UnsafeMutablePointer<CChar>
    private var headers: HeaderList?
    private var proxyHeaders: HeaderList?

    init?() {
        guard let easy = unsafe curl_easy_init() else { return nil }
        unsafe pointer = easy
        unsafe errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        unsafe curl_easy_cleanup(pointer)
        unsafe errorBuffer.deallocate()
    }

    /// Forgets the last transfer; network connections stay with the multi handle.
    func reset() {
        unsafe curl_easy_reset(pointer)
        unsafe errorBuffer.pointee = 0
        headers = nil
        proxyHeaders = nil
    }

    /// Sets everything that a transfer needs; false when libcurl can't take its strings.
    func configure(for transfer: Transfer) -> Bool {
        let request = transfer.request
        // A transfer that continues another one has its handle as it was.
        unsafe errorBuffer.pointee = 0
        setCallbacks(for: transfer)
        setLong(CURLOPT_NOSIGNAL, 1)
        setLong(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        setLong(CURLOPT_HTTP09_ALLOWED, 0)
        // Wait and see whether the first network connection can carry this transfer as well, rather
        // than open one for each. Plain HTTP is never HTTP/2 here, and need not wait.
        setLong(CURLOPT_PIPEWAIT, request.isPlain ? 0 : 1)
        setLong(CURLOPT_TCP_KEEPALIVE, 1)
        // A cancel must not wait for a name server that does not answer.
        setLong(CURLOPT_QUICK_EXIT, 1)
        // The path goes out as it was written: a server decides what /a/../b means.
        setLong(CURLOPT_PATH_AS_IS, 1)
        // libcurl's own 300 seconds would end what is asked to wait longer.
        let connectLimit = request.connectMilliseconds
        setLong(CURLOPT_CONNECTTIMEOUT_MS, connectLimit > 0 ? connectLimit : Int(Int32.max))
        if request.isFTP {
            setFTP(request)
        } else {
            setMethod(request.method)
            if let body = request.body { setBody(body, of: transfer) }
            _ = setString(CURLOPT_CUSTOMREQUEST, request.method)
        }
        if request.needsFreshConnection { setLong(CURLOPT_FRESH_CONNECT, 1) }
        let headers = HeaderList(request.headerLines)
        self.headers = headers
        unsafe expectOK(
            shim_easy_setList(pointer, CURLOPT_HTTPHEADER, headers.pointer),
            "the headers"
        )
        let proxyHeaders = HeaderList(request.proxy?.headerLines ?? [])
        self.proxyHeaders = proxyHeaders
        // libcurl keeps the lists apart by itself: a proxy that opens a tunnel sees this one alone.
        unsafe expectOK(
            shim_easy_setList(pointer, CURLOPT_PROXYHEADER, proxyHeaders.pointer),
            "the proxy's headers"
        )
        if let file = request.certificateAuthorityFile {
            guard setString(CURLOPT_CAINFO, file) else { return false }
            // The system's folder of certificates would be trusted as well.
            unsafe expectOK(
                shim_easy_setString(pointer, CURLOPT_CAPATH, nil),
                "no folder of certificates"
            )
        }
        // Credentials come on a way of their own (setCredentials), but for FTP.
        setLong(CURLOPT_DISALLOW_USERNAME_IN_URL, request.isFTP ? 0 : 1)
        return setString(CURLOPT_PROTOCOLS_STR, request.isFTP ? "ftp" : "http,https")
            && setString(CURLOPT_URL, request.url) && setProxy(request)
            && setCredentials(of: request)
            && configureTLS(for: transfer)
    }

    /// Has the network connection closed after this transfer.
    func forbidReuse() {
        setLong(CURLOPT_FORBID_REUSE, 1)
    }

    private func setMethod(_ method: String) {
        setLong(method == "HEAD" ? CURLOPT_NOBODY : CURLOPT_HTTPGET, 1)
    }

    func setLong(_ option: CURLoption, _ value: Int) {
        unsafe expectOK(shim_easy_setLong(pointer, option, value), "a number for an option")
    }

    func setString(_ option: CURLoption, _ value: String) -> Bool {
        unsafe shim_easy_setString(pointer, option, value) == CURLE_OK
    }
}

// MARK: - Callbacks

extension EasyHandle {
    private func setCallbacks(for transfer: Transfer) {
        // The transfer outlives its place in the multi handle, and `reset` takes these back.
        let context = CallbackContext(unretained: transfer)
        unsafe setContext(context.pointer, for: CURLOPT_PRIVATE)
        unsafe setContext(context.pointer, for: CURLOPT_WRITEDATA)
        unsafe setContext(context.pointer, for: CURLOPT_HEADERDATA)
        unsafe setContext(context.pointer, for: CURLOPT_PREREQDATA)
        unsafe setContext(context.pointer, for: CURLOPT_RESOLVER_START_DATA)
        unsafe setContext(context.pointer, for: CURLOPT_OPENSOCKETDATA)
        unsafe setContext(UnsafeMutableRawPointer(errorBuffer), for: CURLOPT_ERRORBUFFER)
        setDataCallbacks()
        unsafe expectOK(
            shim_easy_setResolverStartCallback(pointer) { _, _, context in
                unsafe CallbackContext<Transfer>.owner(behind: context).willLookUpName()
                return 0
            },
            "CURLOPT_RESOLVER_START_FUNCTION"
        )
        unsafe expectOK(
            shim_easy_setPreRequestCallback(pointer) { context, remote, local, remotePort, port in
                let transfer = unsafe CallbackContext<Transfer>.owner(behind: context)
                let local = unsafe local.map { unsafe String(cString: $0) } ?? ""
                guard transfer.willSend(from: .init(address: local, port: Int(port))) else {
                    return CURL_PREREQFUNC_ABORT
                }
                if transfer.isObserved {
                    let remote = unsafe remote.map { unsafe String(cString: $0) } ?? ""
                    transfer.willSend(
                        from: NetworkAddress(host: local, port: Int(port)),
                        to: NetworkAddress(host: remote, port: Int(remotePort))
                    )
                }
                return CURL_PREREQFUNC_OK
            },
            "CURLOPT_PREREQFUNCTION"
        )
        unsafe expectOK(
            shim_easy_setOpenSocketCallback(pointer) { context, _, pointer in
                guard let pointer = unsafe pointer else { return -1 }
                let address = unsafe pointer.pointee
                let descriptor = socket(
                    address.family,
                    address.socktype | Int32(SOCK_CLOEXEC.rawValue),
                    address.protocol
                )
                let transfer = unsafe CallbackContext<Transfer>.owner(behind: context)
                transfer.willConnect(on: descriptor)
                if transfer.isObserved, let target = unsafe NetworkAddress(pointer) {
                    transfer.willConnect(to: target)
                }
                return descriptor
            },
            "CURLOPT_OPENSOCKETFUNCTION"
        )
    }

    private func setDataCallbacks() {
        unsafe expectOK(
            shim_easy_setDataCallback(pointer, CURLOPT_WRITEFUNCTION) { bytes, _, count, context in
                unsafe CallbackContext<Transfer>.owner(behind: context)
                    .received(body: UnsafeRawBufferPointer(start: bytes, count: count))
            },
            "CURLOPT_WRITEFUNCTION"
        )
        unsafe expectOK(
            shim_easy_setDataCallback(pointer, CURLOPT_HEADERFUNCTION) { bytes, _, count, context in
                unsafe CallbackContext<Transfer>.owner(behind: context)
                    .received(headerLine: UnsafeRawBufferPointer(start: bytes, count: count))
            },
            "CURLOPT_HEADERFUNCTION"
        )
    }

    func setContext(_ context: UnsafeMutableRawPointer, for option: CURLoption) {
        unsafe expectOK(
            shim_easy_setPointer(pointer, option, context),
            "the context of a callback"
        )
    }
}

// MARK: - After and during a transfer

extension EasyHandle {
    /// The transfer that an easy handle was configured for.
    static func transfer(of easy: UnsafeMutableRawPointer?) -> Transfer {
        var context: UnsafeMutableRawPointer?
        unsafe expectOK(
            shim_easy_getPointer(easy, CURLINFO_PRIVATE, &context),
            "CURLINFO_PRIVATE"
        )
        return unsafe CallbackContext<Transfer>.owner(behind: context)
    }

    /// What there is to say about a transfer that ended with `code`.
    func outcome(_ code: CurlCode, of transfer: Transfer) -> TransferOutcome {
        let sentence = unsafe String(cString: errorBuffer)
        return TransferOutcome(
            code: transfer.isRepetitionRefused ? .gotNothing : code,
            message: sentence.isEmpty ? nil : sentence,
            systemError: long(CURLINFO_OS_ERRNO),
            verifyResult: long(CURLINFO_SSL_VERIFYRESULT),
            bytesReceived: offset(CURLINFO_SIZE_DOWNLOAD_T),
            announcedLength: announcedLength,
            proxy: proxyOutcome(transfer.proxyHead),
            handshake: transfer.handshake?.record,
            figures: transfer.isObserved ? figures : nil,
            isWorthAnother: transfer.repeats.isWorthAnother(code)
        )
    }

    /// What the proxy has said.
    private func proxyOutcome(_ head: [[UInt8]]) -> ProxyOutcome {
        ProxyOutcome(
            status: long(CURLINFO_HTTP_CONNECTCODE),
            headLines: head,
            code: long(CURLINFO_PROXY_ERROR),
            verifyResult: long(CURLINFO_PROXY_SSL_VERIFYRESULT)
        )
    }

    /// Whether libcurl has complained about this transfer.
    var hasError: Bool { unsafe errorBuffer.pointee != 0 }

    /// The socket of the network connection that was kept after the transfer, or nil.
    var keptSocket: Int32? {
        var socket = CURL_SOCKET_BAD
        unsafe expectOK(
            shim_easy_getSocket(pointer, CURLINFO_ACTIVESOCKET, &socket),
            "CURLINFO_ACTIVESOCKET"
        )
        return socket == CURL_SOCKET_BAD ? nil : socket
    }

    func offset(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = 0
        unsafe expectOK(shim_easy_getOffset(pointer, info, &value), "a CURLINFO")
        return Int64(value)
    }

    func long(_ info: CURLINFO) -> Int {
        var value = 0
        unsafe expectOK(shim_easy_getLong(pointer, info, &value), "a CURLINFO")
        return value
    }
}
