internal import CLibcurl
internal import EventLoops

// MARK: - The body that goes out

extension EasyHandle {
    /// What a read callback returns to pause (CURL_READFUNC_PAUSE).
    static let pauseReadMark = Int(CURL_READFUNC_PAUSE)

    /// What a read callback returns to end the transfer (CURL_READFUNC_ABORT).
    static let abortReadMark = Int(CURL_READFUNC_ABORT)

    /// Asks `transfer` for the bytes of the body while they are sent.
    ///
    /// - SeeAlso: <https://curl.se/libcurl/c/CURLOPT_READFUNCTION.html>
    func setBody(_ body: TransferBody, of transfer: Transfer) {
        setLong(CURLOPT_UPLOAD, 1)
        unsafe expectOK(
            shim_easy_setOffset(pointer, CURLOPT_INFILESIZE_LARGE, curl_off_t(body.length ?? -1)),
            "the size of the body"
        )
        let context = CallbackContext(unretained: transfer)
        unsafe setContext(context.pointer, for: CURLOPT_READDATA)
        unsafe setContext(context.pointer, for: CURLOPT_SEEKDATA)
        unsafe expectOK(
            shim_easy_setDataCallback(pointer, CURLOPT_READFUNCTION) { room, _, count, context in
                unsafe CallbackContext<Transfer>.owner(behind: context)
                    .read(into: UnsafeMutableRawBufferPointer(start: room, count: count))
            },
            "CURLOPT_READFUNCTION"
        )
        unsafe expectOK(
            shim_easy_setSeekCallback(pointer) { context, offset, origin in
                // libcurl only ever counts from the start.
                let canSeek = unsafe CallbackContext<Transfer>.owner(behind: context)
                    .rewind(to: Int64(offset))
                return canSeek ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_CANTSEEK
            },
            "CURLOPT_SEEKFUNCTION"
        )
        if body.length != 0 { unsafe setProgressCallback(context.pointer) }
    }

    /// Hears of body bytes that go out; only for requests that have some.
    private func setProgressCallback(_ context: UnsafeMutableRawPointer) {
        setLong(CURLOPT_NOPROGRESS, 0)
        unsafe setContext(context, for: CURLOPT_XFERINFODATA)
        unsafe expectOK(
            shim_easy_setProgressCallback(pointer) { context, _, _, _, sent in
                unsafe CallbackContext<Transfer>.owner(behind: context).wrote(bytes: Int64(sent))
                return 0
            },
            "CURLOPT_XFERINFOFUNCTION"
        )
    }

    /// Says which directions rest; a callback may be called before this returns.
    ///
    /// - SeeAlso: <https://curl.se/libcurl/c/curl_easy_pause.html>
    func pause(receiving: Bool, sending: Bool) -> CurlCode {
        var directions = CURLPAUSE_CONT
        if receiving { directions |= CURLPAUSE_RECV }
        if sending { directions |= CURLPAUSE_SEND }
        return unsafe CurlCode(curl_easy_pause(pointer, directions))
    }
}
