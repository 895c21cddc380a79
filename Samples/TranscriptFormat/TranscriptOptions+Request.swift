package import Foundation
package import FoundationNetworking

extension TranscriptOptions {
    /// Makes the request for a URL; a body from a stream gets a stream of its own each time.
    ///
    /// - Throws: ``UsageError`` when a file can't be read.
    package func request(for url: URL) throws(UsageError) -> URLRequest {
        var request = URLRequest(url: url)
        if let timeout { request.timeoutInterval = timeout }
        for field in fields { request.addValue(field.value, forHTTPHeaderField: field.name) }
        switch body {
        case .text(let text): request.httpBody = Data(text.utf8)
        case .file(let path):
            guard let data = FileManager.default.contents(atPath: path) else {
                throw UsageError("the file \(path) of --data can't be read")
            }
            request.httpBody = data
        case .stream(let path):
            guard FileManager.default.isReadableFile(atPath: path), let stream = makeBodyStream()
            else { throw UsageError("the file \(path) of --stream can't be read") }
            request.httpBodyStream = stream
        case nil: break
        }
        request.httpMethod = method ?? (body == nil ? "GET" : "POST")
        return request
    }

    /// A new stream of the file of `--stream`; nil without one.
    package func makeBodyStream() -> InputStream? {
        if case .stream(let path) = body { InputStream(fileAtPath: path) } else { nil }
    }
}
