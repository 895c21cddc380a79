internal import Dispatch
internal import Foundation
internal import FoundationNetworking

/// A `data:` URL, which holds its own answer.
final class DataExchange: Exchange, @unchecked Sendable {
    // Loop affinity, but for the constants; Sendable so that a job can find it again.
    private let load: Load
    private let url: URL
    private var outflow = BodyOutflow()
    private var isOver = false

    /// Makes an exchange for a URL.
    ///
    /// - Throws: ``Failure`` when it has no content.
    init(load: Load, url: URL) throws(Failure) {
        guard DataURL.hasContent(url) else { throw Self.malformed }
        self.load = load
        self.url = url
    }

    func start() {
        load.touch()
        // Megabytes may have to be decoded: the loop has others to serve.
        DispatchQueue.global(qos: .utility).async { [self, loop = load.loop] in
            let content = DataURL(url)
            loop.perform { [self] in decoded(content) }
        }
    }

    func resumeReading() {
        flow()
    }

    func stop() {
        isOver = true
    }

    private func decoded(_ content: DataURL?) {
        guard !isOver else { return }
        load.touch()
        guard let content else {
            isOver = true
            return load.fail(Self.malformed)
        }
        let response = LoadedURLResponse(
            url: url,
            mimeType: content.mediaType.mimeType,
            expectedContentLength: content.bytes.count,
            textEncodingName: content.mediaType.charset
        )
        load.emit(.response(response))
        outflow.append(Data(content.bytes))
        flow()
    }

    private func flow() {
        guard !isOver, outflow.flow(into: load) else { return }
        isOver = true
        load.finish()
    }

    private static let malformed = Failure(
        .badURL,
        "The data: URL has no comma before its content, or is no base64 where it says so."
    )
}
