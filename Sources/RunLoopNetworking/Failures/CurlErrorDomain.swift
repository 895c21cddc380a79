/// The domain of libcurl's codes, as they stand behind a `URLError` under `NSUnderlyingErrorKey`.
///
/// - SeeAlso: <https://curl.se/libcurl/c/libcurl-errors.html>
public let curlErrorDomain = "RunLoopNetworking.curl"
