import Digests
import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

/// Debian's nginx in place of a server that was written to please us.
@Suite("nginx", .timeLimit(.minutes(2)))
struct NginxTests {
    private let nginx: Nginx
    private let loop = StartedLoop()
    private let small = Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0) })

    init() throws {
        nginx = try Nginx()
        try nginx.put("small.bin", small)
        var settings = ConnectionSettings()
        settings.certificateAuthorityFile = nginx.certificates.authority.path
        loop.value.connectionSettings = settings
    }

    private func load(
        _ url: URL,
        configure: (inout URLRequest) -> Void = { _ in }
    ) async throws -> RecordingDelegate {
        let delegate = RecordingDelegate()
        try start(url, delegate, configure: configure)
        try await delegate.ended()
        return delegate
    }

    @discardableResult
    private func start(
        _ url: URL,
        _ delegate: RecordingDelegate,
        configure: (inout URLRequest) -> Void = { _ in }
    ) throws -> NSURLConnection {
        var request = URLRequest(url: url)
        configure(&request)
        let connection = NSURLConnection(
            request: request,
            delegate: delegate,
            startImmediately: false,
            loop: loop.value
        )
        connection?.setDelegateQueue(OperationQueue())
        let made = try #require(connection)
        made.start()
        return made
    }

    // MARK: - HTTP/1.1

    @Test("A file over HTTP/1.1 comes whole, with its length and its name")
    func http1() async throws {
        let delegate = try await load(nginx.url.appendingPathComponent("small.bin"))
        #expect(delegate.transcript == [.response(200), .data(10_000), .finished])
        #expect(delegate.body == small)
        #expect(delegate.response?.expectedContentLength == 10_000)
        #expect(delegate.response?.suggestedFilename == "small.bin")
        #expect(delegate.response?.value(forHTTPHeaderField: "x-protocol") == "HTTP/1.1")
    }

    @Test("Loads one after another share one network connection")
    func keepAlive() async throws {
        var connections: Set<String> = []
        for _ in 1...20 {
            let delegate = try await load(nginx.url.appendingPathComponent("small.bin"))
            let connection = delegate.response?.value(forHTTPHeaderField: "X-Connection")
            connections.insert(try #require(connection))
        }
        #expect(connections.count == 1)
    }

    @Test("A large file over HTTP/1.1 has the right checksum")
    func large() async throws {
        var large = Data(capacity: 4_000_000)
        for word in 0..<1_000_000 as Range<UInt32> {
            let scattered = word &* 2_654_435_761
            for shift: UInt32 in [0, 8, 16, 24] {
                large.append(UInt8(truncatingIfNeeded: scattered >> shift))
            }
        }
        try nginx.put("large.bin", large)
        let delegate = try await load(nginx.url.appendingPathComponent("large.bin"))
        #expect(delegate.transcript == [.response(200), .data(large.count), .finished])
        #expect(SHA256Hasher.hash([UInt8](delegate.body)) == SHA256Hasher.hash([UInt8](large)))
    }

    @Test("A range is answered with its bytes, and only its bytes are expected")
    func range() async throws {
        let delegate = try await load(nginx.url.appendingPathComponent("small.bin")) {
            $0.setValue("bytes=9000-", forHTTPHeaderField: "Range")
        }
        #expect(delegate.transcript == [.response(206), .data(1000), .finished])
        #expect(delegate.body == small.suffix(1000))
        #expect(delegate.response?.expectedContentLength == 1000)
    }

    @Test("A redirect is followed, and the request says where to")
    func redirect() async throws {
        let delegate = try await load(nginx.url.appendingPathComponent("moved"))
        #expect(delegate.transcript == [.response(200), .data(10_000), .finished])
        #expect(delegate.response?.url?.lastPathComponent == "small.bin")
    }

    @Test("A missing file is a response like any other")
    func missing() async throws {
        let delegate = try await load(nginx.url.appendingPathComponent("nothing.bin"))
        #expect(delegate.transcript.first == .response(404))
        #expect(delegate.transcript.last == .finished)
    }

    @Test("gzip is decoded, and the length is unknown", arguments: [false, true])
    func gzip(isSecure: Bool) async throws {
        let text = Data(String(repeating: "as often as you like ", count: 10_000).utf8)
        try nginx.put("text.txt", text)
        let url = isSecure ? nginx.secureURL : nginx.url
        let delegate = try await load(url.appendingPathComponent("text.txt"))
        #expect(delegate.transcript == [.response(200), .data(text.count), .finished])
        #expect(delegate.body == text)
        let accepted = isSecure ? "gzip, deflate, br" : "gzip, deflate"
        #expect(delegate.response?.value(forHTTPHeaderField: "X-Accepted") == accepted)
        #expect(delegate.response?.value(forHTTPHeaderField: "Content-Encoding") == "gzip")
        #expect(delegate.response?.expectedContentLength == -1)
        #expect(delegate.response?.mimeType == "text/plain")
    }

    @Test("HEAD ends at once with the length that the file has")
    func head() async throws {
        let delegate = try await load(nginx.url.appendingPathComponent("small.bin")) {
            $0.httpMethod = "HEAD"
        }
        #expect(delegate.transcript == [.response(200), .finished])
        #expect(delegate.response?.expectedContentLength == 10_000)
    }

    // MARK: - TLS

    @Test("Over TLS the server is offered HTTP/2, and takes it")
    func http2() async throws {
        let delegate = try await load(nginx.secureURL.appendingPathComponent("small.bin"))
        #expect(delegate.transcript == [.response(200), .data(10_000), .finished])
        #expect(delegate.body == small)
        #expect(delegate.response?.value(forHTTPHeaderField: "X-Protocol") == "HTTP/2.0")
    }

    @Test("Fifty loads at once share one HTTP/2 network connection")
    func multiplexing() async throws {
        let delegates = (1...50).map { _ in RecordingDelegate() }
        for delegate in delegates {
            try start(nginx.secureURL.appendingPathComponent("small.bin"), delegate)
        }
        for delegate in delegates {
            try await delegate.ended()
            #expect(delegate.transcript == [.response(200), .data(10_000), .finished])
            #expect(delegate.body == small)
        }
        let connections = delegates.map { $0.response?.value(forHTTPHeaderField: "X-Connection") }
        #expect(Set(connections).count == 1)
    }

    @Test("A server without HTTP/2 is spoken to in HTTP/1.1 over TLS")
    func secureHTTP1() async throws {
        let delegate = try await load(nginx.secureHTTP1URL.appendingPathComponent("small.bin"))
        #expect(delegate.transcript == [.response(200), .data(10_000), .finished])
        #expect(delegate.response?.value(forHTTPHeaderField: "X-Protocol") == "HTTP/1.1")
    }

    @Test("A slow HTTP/2 stream does not hold up the others of its network connection")
    func slowStream() async throws {
        // At 100 kB a second it takes longer than anything here may last.
        try nginx.put("huge.bin", Data(repeating: 7, count: 30_000_000))
        let slow = RecordingDelegate(keepsBody: false)
        let connection = try start(nginx.secureURL.appendingPathComponent("slow/huge.bin"), slow)
        try await slow.heard { $0 == .response(200) }
        let quick = try await load(nginx.secureURL.appendingPathComponent("small.bin"))
        #expect(quick.transcript == [.response(200), .data(10_000), .finished])
        #expect(!slow.hasEnded)
        let connections = [slow, quick].map {
            $0.response?.value(forHTTPHeaderField: "X-Connection")
        }
        #expect(connections[0] == connections[1])
        connection.cancel()
    }

    @Test("An authority that nobody trusts is refused before anything is sent")
    func untrusted() async throws {
        loop.value.connectionSettings = ConnectionSettings()
        let delegate = try await load(nginx.secureURL.appendingPathComponent("small.bin"))
        #expect(delegate.transcript == [.failed(.serverCertificateHasUnknownRoot)])
        #expect(delegate.urlError?.failingURL?.lastPathComponent == "small.bin")
    }

    @Test("A certificate for another name is refused")
    func otherName() async throws {
        let delegate = try await load(nginx.otherNameURL.appendingPathComponent("small.bin"))
        #expect(delegate.transcript == [.failed(.serverCertificateUntrusted)])
    }

    @Test("TLS to a port that speaks none fails")
    func noTLS() async throws {
        let port = try #require(nginx.url.port)
        let url = try #require(URL(string: "https://127.0.0.1:\(port)/small.bin"))
        let delegate = try await load(url)
        #expect(delegate.transcript == [.failed(.secureConnectionFailed)])
    }

    @Test("A file of authorities that is missing is an error that names it")
    func missingAuthorities() async throws {
        var settings = ConnectionSettings()
        settings.certificateAuthorityFile = "/nowhere/ca.pem"
        loop.value.connectionSettings = settings
        let delegate = try await load(nginx.secureURL.appendingPathComponent("small.bin"))
        #expect(delegate.transcript == [.failed(.secureConnectionFailed)])
        #expect(delegate.error?.localizedDescription.contains("/nowhere/ca.pem") == true)
    }
}

/// A loop that is shut down when the test lets go of it.
private final class StartedLoop {
    let value = EventLoop(name: "nginx tests")

    init() {
        value.start()
    }

    deinit {
        value.shutDown()
    }
}
