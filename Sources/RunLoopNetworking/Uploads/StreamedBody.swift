internal import CurlTransfers
internal import Foundation
internal import FoundationNetworking

/// A body that is read from the stream of a request.
struct StreamedBody: @unchecked Sendable {
    // Nobody touches the stream before a reader does, on its queue.
    let stream: InputStream

    /// How many bytes it is to have, by the caller's own Content-Length; nil when it goes out in chunks.
    let length: Int64?

    /// Finds the body of a request that has a stream.
    ///
    /// - Throws: ``Failure`` when its Content-Length is no number.
    init?(_ request: URLRequest) throws(Failure) {
        guard let stream = request.httpBodyStream else { return nil }
        self.stream = stream
        let fields = request.allHTTPHeaderFields ?? [:]
        let field = fields.first { WireText.isSameName($0.key, "Content-Length") }
        guard let value = field?.value else {
            length = nil
            return
        }
        guard !value.isEmpty, value.utf8.allSatisfy({ (48...57).contains($0) }),
            let length = Int64(value)
        else {
            throw Failure(
                .badURL,
                "The Content-Length of the request is no number; write how many bytes the body stream "
                    + "has, or leave the field out."
            )
        }
        self.length = length
    }
}
