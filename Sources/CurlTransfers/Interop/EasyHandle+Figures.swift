private import CLibcurl
private import CLibssl

extension EasyHandle {
    /// What libcurl has measured so far.
    var figures: TransferFigures {
        var figures = TransferFigures()
        figures.nameLookUp = offset(CURLINFO_NAMELOOKUP_TIME_T)
        figures.connect = offset(CURLINFO_CONNECT_TIME_T)
        figures.secure = offset(CURLINFO_APPCONNECT_TIME_T)
        figures.send = offset(CURLINFO_PRETRANSFER_TIME_T)
        figures.firstByte = offset(CURLINFO_STARTTRANSFER_TIME_T)
        figures.total = offset(CURLINFO_TOTAL_TIME_T)
        figures.sentBodyBytes = offset(CURLINFO_SIZE_UPLOAD_T)
        figures.receivedBodyBytes = offset(CURLINFO_SIZE_DOWNLOAD_T)
        figures.receivedHeadBytes = Int64(long(CURLINFO_HEADER_SIZE))
        figures.openedConnections = long(CURLINFO_NUM_CONNECTS)
        figures.httpVersion =
            switch long(CURLINFO_HTTP_VERSION) {
            case Int(CURL_HTTP_VERSION_1_0): "1.0"
            case Int(CURL_HTTP_VERSION_1_1): "1.1"
            case Int(CURL_HTTP_VERSION_2_0): "2"
            case Int(CURL_HTTP_VERSION_3): "3"
            default: nil
            }
        return figures
    }

    /// The version of TLS that is spoken now, as OpenSSL names it; nil where that is not known.
    var tlsVersion: String? {
        guard let tls = unsafe tls, let version = unsafe SSL_get_version(tls) else { return nil }
        return unsafe String(cString: version)
    }

    /// Whether HTTP/2 was agreed on in the handshake (ALPN); false where that is not known.
    var speaksHTTP2: Bool {
        guard let tls = unsafe tls else { return false }
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        unsafe SSL_get0_alpn_selected(tls, &name, &length)
        let bytes = unsafe UnsafeBufferPointer(start: name, count: Int(length))
        return unsafe bytes.elementsEqual("h2".utf8)
    }

    /// OpenSSL's object for the network connection at hand.
    @unsafe private var tls: OpaquePointer? {
        guard CurlLibrary.usesOpenSSL else { return nil }
        var information: UnsafeMutableRawPointer?
        unsafe expectOK(
            shim_easy_getPointer(pointer, CURLINFO_TLS_SSL_PTR, &information),
            "CURLINFO_TLS_SSL_PTR"
        )
        let session = unsafe information?.assumingMemoryBound(to: curl_tlssessioninfo.self)
        return unsafe OpaquePointer(session?.pointee.internals)
    }
}
