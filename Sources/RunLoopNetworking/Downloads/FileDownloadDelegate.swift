public import Foundation
public import FoundationNetworking

/// Who hears of a ``FileDownload``, in the manner of a connection's delegate.
///
/// The messages come in order and never two at once, where the download delivers
/// (``FileDownload/setDelivery(_:)``). Exactly one of the last two is the end of a download that was not
/// cancelled. Each method has a default that does nothing.
public protocol FileDownloadDelegate: AnyObject {
    /// The server has answered: with the file, with its rest, or with the page of an error.
    ///
    /// It comes once for each request, so that there may be several: look at the status.
    func download(_ download: FileDownload, didReceive response: URLResponse)

    /// The download goes on with bytes that are on the disk already.
    ///
    /// `expectedTotalBytes` is the length of the whole file, -1 if it is not known.
    func download(
        _ download: FileDownload,
        didResumeAtOffset offset: Int64,
        expectedTotalBytes: Int64
    )

    /// More bytes have come; several such messages may become one.
    ///
    /// `totalBytesWritten` are all bytes of the file that were handed to its writer, those of an earlier run
    /// included. It falls only when the file has to be begun again. `expectedTotalBytes` is the length of
    /// the whole file, -1 if it is not known.
    func download(
        _ download: FileDownload,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        expectedTotalBytes: Int64
    )

    /// A try has failed, and there will be another one after a delay.
    func download(
        _ download: FileDownload,
        willRetryAfter delay: Duration,
        because error: any Error
    )

    /// The download has come to rest after ``FileDownload/pause()``; what came is on the disk.
    ///
    /// ``FileDownload/resume()`` goes on with it, as does a new download of the same URL to the same place.
    func downloadDidPause(_ download: FileDownload)

    /// The file is whole, and lies under its final name.
    func download(_ download: FileDownload, didFinishDownloadingTo location: URL)

    /// The download can't be brought to its end.
    ///
    /// Nothing lies under the final name but what was there before. What came is kept to go on with, except
    /// where it is certainly wrong.
    func download(_ download: FileDownload, didFailWithError error: any Error)
}

// MARK: - Defaults

extension FileDownloadDelegate {
    /// Does nothing.
    public func download(_ download: FileDownload, didReceive response: URLResponse) {}

    /// Does nothing.
    public func download(
        _ download: FileDownload,
        didResumeAtOffset offset: Int64,
        expectedTotalBytes: Int64
    ) {}

    /// Does nothing.
    public func download(
        _ download: FileDownload,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        expectedTotalBytes: Int64
    ) {}

    /// Does nothing.
    public func download(
        _ download: FileDownload,
        willRetryAfter delay: Duration,
        because error: any Error
    ) {}

    /// Does nothing.
    public func downloadDidPause(_ download: FileDownload) {}

    /// Does nothing.
    public func download(_ download: FileDownload, didFinishDownloadingTo location: URL) {}

    /// Does nothing.
    public func download(_ download: FileDownload, didFailWithError error: any Error) {}
}
