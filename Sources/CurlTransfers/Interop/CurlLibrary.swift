private import CLibcurl

/// libcurl's set-up for the process.
enum CurlLibrary {
    /// Gives the pages that libcurl and others have freed back to the system.
    static func trimMemory() { shim_memory_trim() }

    private static let setUp: Void = {
        expectOK(curl_global_init(Int(CURL_GLOBAL_ALL)), "its set-up")
    }()

    /// Whether it leaves TLS to OpenSSL, as Debian's does, so that its contexts are OpenSSL's.
    static let usesOpenSSL: Bool = {
        let information = unsafe curl_version_info(CURLVERSION_FIRST)
        guard let name = unsafe information?.pointee.ssl_version else { return false }
        return unsafe String(cString: name).hasPrefix("OpenSSL/")
    }()

    /// The ways to prove who asks that it was built with.
    static let authenticationSchemes: Set<AuthenticationScheme> = {
        let information = unsafe curl_version_info(CURLVERSION_FIRST)
        let features = unsafe information?.pointee.features ?? 0
        var schemes: Set<AuthenticationScheme> = [.basic, .digest]
        if features & CURL_VERSION_NTLM != 0 { schemes.insert(.ntlm) }
        if features & CURL_VERSION_SPNEGO != 0 { schemes.insert(.negotiate) }
        return schemes
    }()

    /// Sets libcurl up, once, before anything else is asked of it (curl_global_init(3)).
    static func prepare() {
        setUp
    }
}
