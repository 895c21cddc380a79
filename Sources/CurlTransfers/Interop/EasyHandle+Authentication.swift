private import CLibcurl

extension EasyHandle {
    /// Sets what a server and a proxy are told; false when libcurl can't take the strings.
    ///
    /// Exactly one scheme is allowed: libcurl would otherwise choose one by itself.
    ///
    /// - SeeAlso: <https://curl.se/libcurl/c/CURLOPT_HTTPAUTH.html>
    func setCredentials(of request: TransferRequest) -> Bool {
        if let credential = request.credential {
            setLong(CURLOPT_HTTPAUTH, credential.scheme.bit)
            guard setString(CURLOPT_USERNAME, credential.user),
                setString(CURLOPT_PASSWORD, credential.password)
            else { return false }
            // Some servers take all that follows on the network connection for the same user's, and
            // libcurl does not keep others away from it.
            if credential.scheme == .negotiate { forbidReuse() }
        }
        if let credential = request.proxyCredential {
            setLong(CURLOPT_PROXYAUTH, credential.scheme.bit)
            guard setString(CURLOPT_PROXYUSERNAME, credential.user),
                setString(CURLOPT_PROXYPASSWORD, credential.password)
            else { return false }
        }
        return true
    }
}

extension AuthenticationScheme {
    /// Whether libcurl was built with it.
    package var isSupported: Bool { CurlLibrary.authenticationSchemes.contains(self) }

    fileprivate var bit: Int {
        switch self {
        case .negotiate: shim_auth_negotiate
        case .ntlm: shim_auth_ntlm
        case .digest: shim_auth_digest
        case .basic: shim_auth_basic
        }
    }
}
