internal import CurlTransfers
internal import Foundation
internal import FoundationNetworking

/// A file, or the names in a folder, by FTP.
///
/// The method, the fields and the body of the request say nothing.
final class FTPExchange: Exchange, @unchecked Sendable {
    // Loop affinity; Sendable so that the transfer's events can find it again.
    private let load: Load
    private let url: FTPURL
    private let transferRequest: TransferRequest
    private var transfer: FTPTransfer?
    private var hasResponse = false

    /// Makes an exchange for a URL.
    ///
    /// - Throws: ``Failure`` when nothing can be asked for by it.
    init(load: Load, url: URL) throws(Failure) {
        self.load = load
        self.url = try FTPURL(url)
        transferRequest = try TransferRequest(
            ftp: url,
            seconds: load.request.timeoutInterval,
            proxy: load.loader.settings.proxy
        )
    }

    func start() {
        load.touch()
        let transfer = FTPTransfer(transferRequest, mailbox: load.mailbox) {
            [self, loop = load.loop] event in
            loop.perform { [self] in hear(event) }
        }
        self.transfer = transfer
        transfer.start()
    }

    func resumeReading() {
        transfer?.resume()
    }

    func stop() {
        transfer?.stop()
        transfer = nil
    }

    private func hear(_ event: FTPTransfer.Event) {
        guard transfer != nil else { return }
        load.touch()
        switch event {
        case .progress:
            break
        case .data(let piece, let length):
            respond(length: length)
            load.emit(.data(piece))
        case .full:
            // The delegate may have caught up since.
            if load.mailbox.isReadingPaused { load.suspendIdleClock() }
        case .completed(let outcome):
            transfer = nil
            complete(outcome)
        }
    }

    private func complete(_ outcome: TransferOutcome) {
        guard outcome.code == .ok else {
            return load.fail(Failure(ftp: outcome, through: transferRequest.proxy))
        }
        respond(length: outcome.announcedLength)
        load.finish()
    }

    private func respond(length: Int64?) {
        guard !hasResponse, let url = load.request.url else { return }
        hasResponse = true
        let fileExtension = self.url.nameURL.pathExtension
        let isFolder = self.url.isFolder
        let response = LoadedURLResponse(
            url: url,
            mimeType: isFolder ? "text/plain" : FilenameExtension.mimeType(for: fileExtension),
            expectedContentLength: isFolder ? -1 : length.map { Int($0) } ?? -1,
            textEncodingName: nil,
            nameURL: self.url.nameURL
        )
        load.emit(.response(response))
    }
}

extension TransferRequest {
    /// What to ask an FTP server for.
    ///
    /// - Throws: ``Failure`` when the environment names a proxy that can't be read.
    fileprivate init(ftp url: URL, seconds: Double, proxy: ProxySettings) throws(Failure) {
        self.init(url: url.absoluteString)
        isFTP = true
        if seconds > 0 {
            connectMilliseconds = Int(min(seconds * 1000, Double(Int32.max)))
            responseSeconds = max(1, connectMilliseconds / 1000)
        }
        try setProxy(proxy, for: url, [:])
    }
}
