public import EventLoops

/// What all connections of one loop have in common.
///
/// Set it with ``EventLoops/EventLoop/connectionSettings`` before the connections are made: each takes
/// how much may wait for its delegate when it is made, and the rest when it starts.
public struct ConnectionSettings: Sendable, Equatable {
    /// How many network connections may be open to one host and port at once; 0 means no limit.
    ///
    /// A connection beyond waits for a place, and its time-out does not count meanwhile. An HTTP/2
    /// network connection carries many loads at once.
    public var connectionsPerHost = 6

    /// How many network connections may be open at once in all; 0 means no limit.
    public var connections = 256

    /// About how many bytes may wait for one connection's delegate before the loop reads no more.
    public var waitingBytes = 1 << 20

    /// About how many bytes may wait for the delegates of all connections together.
    ///
    /// When more do, each connection still has one piece on its way at a time.
    public var waitingBytesInAll = 3 << 19

    /// The path of a PEM file with certificate authorities to trust instead of the system's.
    public var certificateAuthorityFile: String?

    /// Through which proxy servers are reached.
    public var proxy = ProxySettings.environment

    /// Where cookies come from and go to; nil means that none are sent or kept.
    public var cookieStore: CookieStore? = .shared

    /// Where responses are kept to be used again; nil means that none are.
    public var responseCache: ResponseCache? = .shared

    /// Where credentials come from and go to; nil means that none are proposed or kept.
    public var credentialStore: CredentialStore? = .shared

    /// Who hears of everything that connections do: nobody, unless it is set.
    ///
    /// Each connection takes them when its load begins.
    public var observers: ConnectionObservers = []

    /// The path of the folder for the files of ``NSURLConnectionDownloadDelegate``; nil is the system's
    /// folder for temporary files.
    ///
    /// It has to be there. Whoever moves the files away is best served by a folder on the same disk.
    public var downloadDirectory: String?

    /// Makes the settings that a loop has by itself.
    public init() {}
}

extension EventLoop {
    /// What the connections of this loop have in common; any thread.
    public var connectionSettings: ConnectionSettings {
        get { Loader.of(self).settings }
        set { Loader.of(self).settings = newValue }
    }
}
