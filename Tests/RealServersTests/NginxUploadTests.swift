import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

/// Bodies that nginx takes, and bodies that it refuses.
@Suite("nginx: uploads", .timeLimit(.minutes(2)))
struct NginxUploadTests {
    /// By which protocol nginx is spoken to.
    enum Door: CaseIterable {
        case http1
        case secureHTTP1
        case http2
    }

    /// In what form a body is given to the request.
    enum Form: CaseIterable {
        case data
        case stream
        case streamWithLength
    }

    private let nginx: Nginx
    private let loop = EventLoop(name: "nginx uploads")
    private let body = Data(CounterPattern.bytes(count: 6_000_000))

    init() throws {
        nginx = try Nginx()
        var settings = ConnectionSettings()
        settings.certificateAuthorityFile = nginx.certificates.authority.path
        loop.connectionSettings = settings
        loop.start()
    }

    private func url(_ door: Door, _ path: String) -> URL {
        switch door {
        case .http1: nginx.url.appendingPathComponent(path)
        case .secureHTTP1: nginx.secureHTTP1URL.appendingPathComponent(path)
        case .http2: nginx.secureURL.appendingPathComponent(path)
        }
    }

    private func send(
        _ body: Data,
        _ form: Form,
        to url: URL,
        _ delegate: RecordingDelegate
    ) async throws {
        var request = URLRequest(url: url)
        request.httpMethod = "PUT"
        if form == .data {
            request.httpBody = body
        } else {
            request.httpBodyStream = InputStream(data: body)
        }
        if form == .streamWithLength {
            request.setValue("\(body.count)", forHTTPHeaderField: "Content-Length")
        }
        let connection = NSURLConnection(
            request: request,
            delegate: delegate,
            startImmediately: false,
            loop: loop
        )
        connection?.setDelegateQueue(OperationQueue())
        connection?.start()
        try await delegate.ended()
    }

    @Test("A large body arrives as it was", arguments: Door.allCases, Form.allCases)
    func put(door: Door, form: Form) async throws {
        defer { loop.shutDown() }
        for count in [0, 1, body.count] {
            let sent = body.prefix(count)
            let delegate = RecordingDelegate(keepsSentBody: true)
            try await send(sent, form, to: url(door, "put/\(count).bin"), delegate)
            let progress: [TranscriptMessage] = count > 0 ? [.sentBody(count)] : []
            #expect(delegate.transcript == progress + [.response(201), .finished])
            #expect(try nginx.received("\(count).bin") == sent)
        }
    }

    @Test("Too large a body is refused with a page", arguments: Door.allCases, Form.allCases)
    func tooLarge(door: Door, form: Form) async throws {
        defer { loop.shutDown() }
        let delegate = RecordingDelegate()
        try await send(body, form, to: url(door, "limited/refused.bin"), delegate)
        #expect(delegate.transcript.first == .response(413))
        #expect(delegate.transcript.last == .finished)
        #expect(String(decoding: delegate.body, as: UTF8.self).contains("413"))
    }

    @Test("A redirected body is sent once more", arguments: Door.allCases, Form.allCases)
    func redirected(door: Door, form: Form) async throws {
        defer { loop.shutDown() }
        let small = body.prefix(100_000)
        let delegate = RecordingDelegate(newBodyStream: { [small] _ in InputStream(data: small) })
        try await send(small, form, to: url(door, "moved-put/"), delegate)
        let question: [TranscriptMessage] = form == .data ? [] : [.needNewBodyStream]
        #expect(delegate.transcript == question + [.response(201), .finished])
        #expect(try nginx.received("moved.bin") == small)
    }
}
