private import CLibcurl

/// libcurl's set-up for the process.
enum CurlLibrary {
    private static let setUp: Void = {
        expectOK(curl_global_init(Int(CURL_GLOBAL_ALL)), "its set-up")
    }()

    /// Sets libcurl up, once, before anything else is asked of it (curl_global_init(3)).
    static func prepare() {
        setUp
    }
}
