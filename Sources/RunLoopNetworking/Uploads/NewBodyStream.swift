internal import Foundation

/// A delegate's answer to the question for a new body stream, on its way to the loop.
struct NewBodyStream: @unchecked Sendable {
    // The delegate has given the stream away; it is touched by the reader that it goes to.
    let stream: InputStream?

    init(_ stream: InputStream?) {
        self.stream = stream
    }
}
