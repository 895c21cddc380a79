private import CLibpsl

/// The domains under which anybody can have a name, such as `com`, `co.uk` and `github.io`.
///
/// The data is libpsl's own, which libcurl uses as well. It never changes while the program runs, so
/// that any thread may ask.
///
/// - SeeAlso: <https://publicsuffix.org> and <https://rockdaboot.github.io/libpsl/>.
enum PublicSuffixList {
    /// Says whether a domain in lower case is a public suffix; so is every name without a dot.
    static func contains(_ domain: String) -> Bool {
        unsafe psl_is_public_suffix(psl_builtin(), domain) != 0
    }

    /// Returns the suffix of a domain and the label before it; nil for a public suffix.
    static func registrableDomain(of domain: String) -> String? {
        // What is found lies inside the text that was handed over.
        unsafe domain.withCString { text in
            unsafe psl_registrable_domain(psl_builtin(), text).map { unsafe String(cString: $0) }
        }
    }
}
