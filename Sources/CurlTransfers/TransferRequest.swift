/// What one transfer asks of a server.
package struct TransferRequest: Sendable {
    /// An absolute http, https or ftp URL, percent-encoded.
    package var url: String

    /// Whether the URL is one of FTP: method, header lines and body say nothing then.
    package var isFTP = false

    /// How long a server may take for an answer by FTP, in seconds; 0 for no limit.
    ///
    /// libcurl blocks the thread meanwhile, behind the end of the data.
    package var responseSeconds = 0

    /// Whether it goes out without TLS.
    var isPlain: Bool { !url.lowercased().hasPrefix("https:") }

    /// Whether TLS is spoken with whom libcurl connects to, or behind it.
    var usesTLS: Bool { !isPlain || proxy?.isSecure == true }

    /// The method as it goes out, case kept.
    package var method: String

    /// Header lines as they go out, `Name: value`; `Name;` sends an empty value and `Name:` takes
    /// out a line that libcurl adds by itself (CURLOPT_HTTPHEADER).
    package var headerLines: [String]

    /// The body, or nil for none; an empty body sends `Content-Length: 0`.
    package var body: TransferBody?

    /// Whether it has to open a network connection of its own, and use none that is there.
    package var needsFreshConnection: Bool

    /// How long name look-up, TCP and TLS may take together, in milliseconds; 0 for no limit.
    package var connectMilliseconds: Int

    /// A PEM file to trust instead of the system's store.
    package var certificateAuthorityFile: String?

    /// The proxy to go through; nil for none, whatever the environment says.
    package var proxy: TransferProxy?

    /// Whose verdict on the server's certificate counts.
    package var trust = TrustPolicy.system

    /// What to show to a server that asks for a certificate.
    package var clientCertificate: ClientCertificate?

    /// Whether to ask the delegate when a server asks for a certificate and there is none.
    package var asksForClientCertificate = false

    /// Who asks the server; nil asks for nobody, whatever the URL says.
    package var credential: TransferCredential?

    /// Who asks a proxy on the way.
    package var proxyCredential: TransferCredential?

    /// Makes a request without a body.
    package init(url: String, method: String = "GET", headerLines: [String] = []) {
        self.url = url
        self.method = method
        self.headerLines = headerLines
        body = nil
        needsFreshConnection = false
        connectMilliseconds = 0
        certificateAuthorityFile = nil
        proxy = nil
        credential = nil
        proxyCredential = nil
    }
}
