private import CLibcurl

/// libcurl's set-up for the process.
enum CurlLibrary {
    private static let setUp: Void = {
        expectOK(curl_global_init(Int(CURL_GLOBAL_ALL)), "its set-up")
    }()

    /// Whether it leaves TLS to OpenSSL, as Debian's does, so that its contexts are OpenSSL's.
    static let usesOpenSSL: Bool = {
        let information = unsafe curl_version_info(CURLVERSION_FIRST)
        guard let name = unsafe information?.pointee.ssl_version else { return false }
        return unsafe String(cString: name).hasPrefix("OpenSSL/")
    }()

    /// Sets libcurl up, once, before anything else is asked of it (curl_global_init(3)).
    static func prepare() {
        setUp
    }
}
