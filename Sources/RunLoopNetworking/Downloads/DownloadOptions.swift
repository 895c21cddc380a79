public import Digests

/// How a file is downloaded.
public struct DownloadOptions: Sendable {
    /// Whether a file that lies under the final name is replaced; else it is kept, and the download fails.
    public var replacesExisting = false

    /// Whether what is left of another download to the same place is thrown away.
    public var discardsOtherDownload = false

    /// Whether to begin again rather than to go on without a validator that is certain.
    ///
    /// Without a strong ETag, or an old Last-Modified, nobody can say for certain that the rest belongs to
    /// what is there. By default the download goes on if nothing speaks against it.
    public var needsStrongValidator = false

    /// The digests that the file has to have; those that the server announces are looked at as well.
    public var digests: [Digest] = []

    /// When to try again.
    public var retryPolicy = RetryPolicy()

    /// How many bytes may come in a second; nil for as many as there are.
    public var bytesPerSecond: Int64?

    /// The greatest length of the file; a greater one fails.
    public var maximumLength: Int64?

    /// How many bytes are written at once.
    public var blockSize = 1 << 20

    /// After how many bytes the file and its state are brought to the disk.
    ///
    /// After a crash these are what has to be loaded again.
    public var syncInterval: Int64 = 32 << 20

    /// Makes the usual options.
    public init() {}
}
