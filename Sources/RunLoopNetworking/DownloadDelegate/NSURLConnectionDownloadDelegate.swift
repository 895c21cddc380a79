public import Foundation

/// Hears how a load is written to a file, and gets the file at its end.
///
/// A connection whose delegate adopts this writes the body to a temporary file of its own, off the loop;
/// the messages of ``NSURLConnectionDataDelegate`` about the body and its end are not told then. A
/// delegate that adopts that protocol as well is asked about redirects, and hears the response. A status
/// of 400 and above is a file like any other: only the response tells.
///
/// The file lies in ``ConnectionSettings/downloadDirectory``, and only this user may read it. The bytes
/// are those that the server stores: no content coding is asked for, unless the request itself does.
///
/// - SeeAlso: <https://developer.apple.com/documentation/foundation/nsurlconnectiondownloaddelegate>
public protocol NSURLConnectionDownloadDelegate: NSURLConnectionDelegate {
    /// Tells the delegate that bytes were written to the file.
    ///
    /// While a delegate is slow, what is written meanwhile is told in one message. The total begins anew
    /// when the file had to be loaded from its beginning again, because it has changed at the server.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - bytesWritten: How many bytes since the last of these messages.
    ///   - totalBytesWritten: How many bytes the file has.
    ///   - expectedTotalBytes: How many it will have; 0 when that is not known.
    func connection(
        _ connection: NSURLConnection,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        expectedTotalBytes: Int64
    )

    /// Tells the delegate that the network connection was lost, and the load goes on where the file ends.
    ///
    /// It does where the server has vouched for the version of the file by a strong entity tag or date
    /// (RFC 9110 section 13.1.5), and takes ranges; at most three times in a row without new bytes.
    /// Otherwise the connection fails.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - totalBytesWritten: How many bytes the file has.
    ///   - expectedTotalBytes: How many it will have; 0 when that is not known.
    func connectionDidResumeDownloading(
        _ connection: NSURLConnection,
        totalBytesWritten: Int64,
        expectedTotalBytes: Int64
    )

    /// Tells the delegate that the whole body is in a file; it is the last message.
    ///
    /// Move or copy the file before you return: it is removed then. Where the file can't be written, the
    /// connection has failed with a code from `URLError.cannotCreateFile` (-3000) on, and there is none.
    func connectionDidFinishDownloading(_ connection: NSURLConnection, destinationURL: URL)
}

extension NSURLConnectionDownloadDelegate {
    /// Does nothing.
    public func connection(
        _ connection: NSURLConnection,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        expectedTotalBytes: Int64
    ) {}

    /// Does nothing.
    public func connectionDidResumeDownloading(
        _ connection: NSURLConnection,
        totalBytesWritten: Int64,
        expectedTotalBytes: Int64
    ) {}
}
