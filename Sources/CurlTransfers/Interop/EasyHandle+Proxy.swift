private import CLibcurl

extension EasyHandle {
    /// Names the proxy, or says that there is none: libcurl reads no environment by itself.
    ///
    /// Returns false when libcurl can't take its strings.
    func setProxy(_ request: TransferRequest) -> Bool {
        // What needs no proxy has been decided; libcurl is not to decide again.
        guard setString(CURLOPT_NOPROXY, "") else { return false }
        guard let proxy = request.proxy else { return setString(CURLOPT_PROXY, "") }
        // The ticket of whoever runs the program is not offered to a SOCKS proxy.
        setLong(CURLOPT_SOCKS5_AUTH, shim_auth_basic)
        guard setString(CURLOPT_PROXY, proxy.url), setProxyTrust(request.certificateAuthorityFile)
        else { return false }
        guard let user = proxy.user else { return true }
        setLong(CURLOPT_PROXYAUTH, shim_auth_ofProxies)
        return setString(CURLOPT_PROXYUSERNAME, user)
            && setString(CURLOPT_PROXYPASSWORD, proxy.password ?? "")
    }

    /// A proxy over TLS is trusted by the same authorities as a server is.
    private func setProxyTrust(_ authorityFile: String?) -> Bool {
        guard let authorityFile else { return true }
        guard setString(CURLOPT_PROXY_CAINFO, authorityFile) else { return false }
        unsafe expectOK(
            shim_easy_setString(pointer, CURLOPT_PROXY_CAPATH, nil),
            "no folder of certificates"
        )
        return true
    }
}
