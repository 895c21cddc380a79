import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

/// What is registered is registered for the whole process: each test has a scheme of its own.
@Suite("Registered handlers", .timeLimit(.minutes(1)))
struct HandlerTests {
    private func load(_ stub: Stub, _ delegate: RecordingDelegate = RecordingDelegate())
        async throws
        -> RecordingDelegate
    {
        try await RunLoopNetworkingTests.load(stub.request(), delegate)
    }

    @Test("What a handler says is heard as if a server had said it")
    func answer() async throws {
        let stub = Stub { handler in
            handler.respond(200)
            handler.send("abc")
            handler.send("")
            handler.send("de")
            handler.finish()
        }
        let delegate = try await load(stub)
        #expect(delegate.transcript == [.response(200), .data(5), .finished])
        #expect(delegate.body == Data("abcde".utf8))
        #expect(delegate.response === stub.response)
        try await stub.stopped()
        #expect(stub.log == ["canInit", "canonical", "start", "stop"])
    }

    @Test("A handler is asked, started and stopped off the loop")
    func offLoop() async throws {
        let test = TestLoop()
        let loop = test.loop
        let onLoop = Guarded(0)
        let look: @Sendable () -> Void = {
            if loop.isCurrent { onLoop.withLock { $0 += 1 } }
        }
        let stub = Stub(
            canonical: { request in
                look()
                return request
            },
            start: { handler in
                look()
                handler.respond(200)
                handler.finish()
            }
        )
        try await RunLoopNetworkingTests.load(stub.request(), loop: loop)
        try await stub.stopped()
        #expect(onLoop.withLock { $0 } == 0)
    }

    @Test("Without a handler that takes it a request goes where it goes")
    func notTaken() async throws {
        let stub = Stub { $0.finish() }
        let server = try ScriptedServer([.waitForRequest, .respond(body: "abc")])
        let delegate = try await RunLoopNetworkingTests.load(server.request())
        #expect(delegate.transcript == [.response(200), .data(3), .finished])
        #expect(stub.log.isEmpty)
        let unknown = URLRequest(url: try #require(URL(string: "nobody-\(stub.scheme):x")))
        #expect(
            try await RunLoopNetworkingTests.load(unknown).transcript == [.failed(.unsupportedURL)]
        )
    }

    @Test("An http request can be taken as well, and then no server hears of it")
    func http() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(body: "abc")])
        let path = "/\(UUID().uuidString)"
        let stub = Stub(
            takes: { $0.url?.path == path },
            start: { handler in
                handler.respond(404)
                handler.send("stub")
                handler.finish()
            }
        )
        let delegate = try await RunLoopNetworkingTests.load(server.request(path))
        #expect(delegate.transcript == [.response(404), .data(4), .finished])
        #expect(server.connectionCount == 0)
        withExtendedLifetime(stub) {}
    }

    @Test("The last registered is asked first, and one that was taken back is not asked")
    func order() async throws {
        let request = URLRequest(url: try #require(URL(string: "order-of-handlers:x")))
        func answer() async throws -> String {
            let delegate = try await RunLoopNetworkingTests.load(request)
            return String(decoding: delegate.body, as: UTF8.self)
        }
        NSURLConnection.registerProtocol(FirstHandler.self)
        NSURLConnection.registerProtocol(SecondHandler.self)
        #expect(try await answer() == "SecondHandler")
        NSURLConnection.registerProtocol(FirstHandler.self)
        #expect(try await answer() == "FirstHandler")
        NSURLConnection.unregisterProtocol(FirstHandler.self)
        #expect(try await answer() == "SecondHandler")
        NSURLConnection.unregisterProtocol(SecondHandler.self)
        #expect(!NSURLConnection.canHandle(request))
        #expect(
            try await RunLoopNetworkingTests.load(request).transcript == [.failed(.unsupportedURL)]
        )
    }

    @Test("canHandle asks the handlers")
    func canHandle() throws {
        let stub = Stub { $0.finish() }
        #expect(NSURLConnection.canHandle(stub.request()))
        stub.unregister()
        #expect(!NSURLConnection.canHandle(stub.request()))
    }

    @Test("The canonical request is what the delegate is asked about, and what the handler gets")
    func canonical() async throws {
        let stub = Stub(
            canonical: { request in
                var request = request
                request.setValue("1", forHTTPHeaderField: "X-Canonical")
                return request
            },
            start: { handler in
                handler.respond(200)
                handler.send(handler.request.value(forHTTPHeaderField: "X-Canonical") ?? "none")
                handler.finish()
            }
        )
        let delegate = AnsweringDelegate()
        let connection = makeConnection(stub.request(), delegate)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await delegate.ended.opened()
        #expect(delegate.asked.first?.value(forHTTPHeaderField: "X-Canonical") == "1")
        #expect(delegate.body == Data("1".utf8))
    }

    // MARK: - Failures

    @Test("An error reaches the delegate as a URLError, with the error underneath")
    func errors() async throws {
        struct Broken: Error {}
        let cases: [(any Error, URLError.Code)] = [
            (URLError(.notConnectedToInternet), .notConnectedToInternet),
            (NSError(domain: NSURLErrorDomain, code: -1001), .timedOut),
            (NSError(domain: "Mine", code: 7), .unknown), (Broken(), .unknown),
        ]
        for (error, code) in cases {
            let stub = Stub { $0.fail(error) }
            let delegate = try await load(stub)
            #expect(delegate.transcript == [.failed(code)])
            #expect(delegate.urlError?.failingURL == stub.request().url)
            let underlying = delegate.urlError?.userInfo[NSUnderlyingErrorKey] as? NSError
            #expect(underlying == error as NSError)
        }
    }

    @Test("A failure comes after the bytes that were told before")
    func failsLater() async throws {
        let stub = Stub { handler in
            handler.respond(200)
            handler.send("abc")
            handler.fail(URLError(.networkConnectionLost))
            handler.finish()
        }
        #expect(
            try await load(stub).transcript == [
                .response(200), .data(3), .failed(.networkConnectionLost),
            ]
        )
    }

    @Test("Data or an end without a response is a failure", arguments: [false, true])
    func noResponse(hasData: Bool) async throws {
        let stub = Stub { handler in
            if hasData { handler.send("abc") }
            handler.finish()
        }
        #expect(try await load(stub).transcript == [.failed(.badServerResponse)])
    }

    @Test("A challenge of a handler goes to the delegate, and the answer to the handler")
    func challenge() async throws {
        let stub = Stub { handler in
            let space = URLProtectionSpace(
                host: "h",
                port: 80,
                protocol: "http",
                realm: "r",
                authenticationMethod: NSURLAuthenticationMethodHTTPBasic
            )
            let challenge = URLAuthenticationChallenge(
                protectionSpace: space,
                proposedCredential: nil,
                previousFailureCount: 0,
                failureResponse: nil,
                error: nil,
                sender: HandlersSender(handler)
            )
            handler.challenge(challenge)
        }
        let delegate = CredentialDelegate()
        let connection = makeConnection(stub.request(), delegate)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await delegate.ended.opened()
        #expect(delegate.body == Data("me".utf8))
        // A delegate that has nothing to say leaves the handler to its default.
        #expect(try await load(stub).transcript == [.failed(.userAuthenticationRequired)])
    }

    // MARK: - Redirects

    @Test("A redirect leads to a server, and the delegate is asked")
    func redirect() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(body: "abc")])
        let next = server.request("/next")
        let stub = Stub { handler in
            handler.redirect(to: next, status: 302)
            handler.send("ignored")
            handler.finish()
        }
        let delegate = AnsweringDelegate()
        let connection = makeConnection(stub.request(), delegate)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await delegate.ended.opened()
        #expect(
            delegate.lines == [
                "willSend GET /x", "willSend GET /next after 302", "response 200", "data",
                "finished",
            ]
        )
        try await stub.stopped()
    }

    @Test("A redirect that the delegate refuses is the answer")
    func refusedRedirect() async throws {
        let stub = Stub { $0.redirect(to: $0.request, status: 301) }
        let delegate = AnsweringDelegate { request, response, _ in response == nil ? request : nil }
        let connection = makeConnection(stub.request(), delegate)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await delegate.ended.opened()
        #expect(
            delegate.lines == [
                "willSend GET /x", "willSend GET /x after 301", "response 301", "finished",
            ]
        )
    }

    @Test("Redirects have a limit, and from HTTP lead to no file")
    func refusals() async throws {
        let endless = Stub { $0.redirect(to: $0.request, status: 302) }
        #expect(try await load(endless).transcript == [.failed(.httpTooManyRedirects)])
        #expect(endless.log.filter { $0 == "start" }.count == 21)
        let path = "/\(UUID().uuidString)"
        let file = URLRequest(url: URL(fileURLWithPath: "/etc/hosts"))
        let sly = Stub(
            takes: { $0.url?.path == path },
            start: { $0.redirect(to: file, status: 302) }
        )
        let request = URLRequest(url: try #require(URL(string: "http://h\(path)")))
        let delegate = try await RunLoopNetworkingTests.load(request)
        #expect(delegate.transcript == [.failed(.unsupportedURL)])
        withExtendedLifetime(sly) {}
    }

    // MARK: - Ends

    @Test("A handler that never ends is stopped by a cancel, and nothing more is heard")
    func cancel() async throws {
        let stub = Stub { handler in
            handler.respond(200)
            handler.send("abc")
        }
        let delegate = RecordingDelegate { message, connection in
            if case .data = message { connection.cancel() }
        }
        let connection = makeConnection(stub.request(), delegate)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await stub.stopped()
        stub.handler?.send("more")
        stub.handler?.finish()
        try turnLoopByLoading()
        #expect(delegate.transcript == [.response(200), .data(3)])
        #expect(!delegate.hasEnded)
    }

    @Test("The time-out of the request runs while the handler is silent")
    func timeOut() async throws {
        let manual = ManualLoop()
        let test = TestLoop(manual)
        let started = Gate()
        let stub = Stub { _ in started.open() }
        let delegate = RecordingDelegate()
        let connection = makeConnection(stub.request(), delegate, loop: test.loop)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await started.opened()
        manual.advance(by: .seconds(61))
        try await delegate.ended()
        #expect(delegate.transcript == [.failed(.timedOut)])
        try await stub.stopped()
    }

    @Test("A handler and canInit that block hold nobody else up")
    func blocking() async throws {
        let goOn = Gate()
        let asked = Gate()
        let stub = Stub(
            takes: { request in
                guard request.url?.path == "/blocking" else { return false }
                asked.open()
                try? goOn.wait()
                return true
            },
            start: { handler in
                handler.respond(200)
                handler.finish()
            }
        )
        let delegate = RecordingDelegate()
        let request = URLRequest(url: try #require(URL(string: "blocking://h/blocking")))
        let connection = makeConnection(request, delegate)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await asked.opened()
        try await RunLoopNetworkingTests.load(URLRequest(url: try #require(URL(string: "data:,x"))))
        #expect(delegate.transcript.isEmpty)
        goOn.open()
        try await delegate.ended()
        #expect(delegate.transcript == [.response(200), .finished])
        stub.unregister()
    }

    @Test("Events of several threads reach the delegate, and a slow one is waited for")
    func threads() async throws {
        let pieces = 40
        let piece = Data(count: 100_000)
        let stub = Stub { handler in
            handler.respond(200)
            DispatchQueue.concurrentPerform(iterations: pieces) { _ in handler.send(piece) }
            handler.finish()
        }
        let test = TestLoop()
        let delegate = RecordingDelegate(keepsBody: false) { _, _ in
            try? turnLoopByLoading(test.loop)
        }
        let connection = makeConnection(stub.request(), delegate, loop: test.loop)
        connection.setDelegateQueue(makeBlockingQueue())
        connection.start()
        try await delegate.ended()
        #expect(delegate.transcript == [.response(200), .data(pieces * 100_000), .finished])
    }

    @Test("A loop that is shut down stops the handler")
    func shutDown() async throws {
        let started = Gate()
        let stub = Stub { _ in started.open() }
        let test = TestLoop()
        let delegate = RecordingDelegate()
        let connection = makeConnection(stub.request(), delegate, loop: test.loop)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await started.opened()
        test.loop.shutDown()
        try await delegate.ended()
        #expect(delegate.transcript == [.failed(.cancelled)])
        try await stub.stopped()
    }
}
