import Testing

/// httpbin, the server that clients in Python are judged by; the suites stand in extensions.
@Suite("httpbin", .httpbin, .timeLimit(.minutes(2)))
enum HTTPBinTests {}
