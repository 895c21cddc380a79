private import CLibcurl
private import Glibc

extension EasyHandle {
    /// Sets what a download by FTP needs beside the URL, which names the user as well.
    func setFTP(_ request: TransferRequest) {
        // Whoever answers must not send us on to a machine that it can't reach itself.
        setLong(CURLOPT_FTP_SKIP_PASV_IP, 1)
        // A proxy passes the bytes on; it is not asked to speak FTP for us.
        setLong(CURLOPT_HTTPPROXYTUNNEL, 1)
        let limit = request.responseSeconds
        setLong(CURLOPT_SERVER_RESPONSE_TIMEOUT, limit > 0 ? limit : Int(Int32.max) / 1000)
    }

    /// Ends the control connection that was kept: nobody uses it again.
    ///
    /// libcurl would say good-bye to the server later on, and block the thread until it answers.
    func endKeptControlConnection() {
        if let keptSocket { shutdown(keptSocket, Int32(SHUT_RDWR)) }
    }

    /// How many bytes the server has announced, also while they come; nil if none.
    var announcedLength: Int64? {
        var value: curl_off_t = -1
        unsafe expectOK(
            shim_easy_getOffset(pointer, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &value),
            "CURLINFO_CONTENT_LENGTH_DOWNLOAD_T"
        )
        return value < 0 ? nil : Int64(value)
    }
}
