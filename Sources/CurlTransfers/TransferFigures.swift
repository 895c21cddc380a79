/// What libcurl has measured by the end of a transfer.
///
/// Times are in microseconds, since the transfer was added; 0 is what was not reached.
///
/// - SeeAlso: <https://curl.se/libcurl/c/curl_easy_getinfo.html>, where there is a picture of the times.
package struct TransferFigures: Sendable, Equatable {
    /// The name has an address (CURLINFO_NAMELOOKUP_TIME_T).
    package var nameLookUp: Int64 = 0
    /// TCP stands (CURLINFO_CONNECT_TIME_T).
    package var connect: Int64 = 0
    /// TLS stands (CURLINFO_APPCONNECT_TIME_T).
    package var secure: Int64 = 0
    /// The request is about to go out (CURLINFO_PRETRANSFER_TIME_T).
    package var send: Int64 = 0
    /// The first byte has come (CURLINFO_STARTTRANSFER_TIME_T).
    package var firstByte: Int64 = 0
    /// All is over (CURLINFO_TOTAL_TIME_T).
    package var total: Int64 = 0

    /// Bytes of body that went out (CURLINFO_SIZE_UPLOAD_T).
    package var sentBodyBytes: Int64 = 0
    /// Bytes of body that came, as they were coded (CURLINFO_SIZE_DOWNLOAD_T).
    package var receivedBodyBytes: Int64 = 0
    /// Bytes of heads that came (CURLINFO_HEADER_SIZE).
    package var receivedHeadBytes: Int64 = 0

    /// How many network connections were opened (CURLINFO_NUM_CONNECTS).
    package var openedConnections = 0
    /// `1.0`, `1.1`, `2` or `3`; nil before an answer.
    package var httpVersion: String?

    package init() {}
}
