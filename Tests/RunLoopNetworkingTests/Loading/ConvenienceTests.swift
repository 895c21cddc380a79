import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Whole bodies in one call", .timeLimit(.minutes(1)))
struct ConvenienceTests {
    struct Told: @unchecked Sendable {
        // Constants.
        let response: URLResponse?
        let data: Data?
        let error: (any Error)?
        let queue: OperationQueue?
    }

    private func synchronous(_ request: URLRequest) async throws -> (URLResponse?, Data) {
        try await onThread {
            var response: URLResponse?
            let data = try NSURLConnection.sendSynchronousRequest(request, returning: &response)
            return (response, data)
        }
    }

    private func asynchronous(_ request: URLRequest, on queue: OperationQueue) async -> Told {
        await withCheckedContinuation { continuation in
            NSURLConnection.sendAsynchronousRequest(request, queue: queue) {
                continuation.resume(
                    returning: Told(response: $0, data: $1, error: $2, queue: .current)
                )
            }
        }
    }

    @Test(
        "Every status but 401 is a success",
        arguments: [(200, "abc"), (404, "sorry"), (500, "")]
    )
    func success(status: Int, body: String) async throws {
        let server = try ScriptedServer([
            .forever([.waitForRequest, .respond(status, body: body)])
        ])
        let (response, data) = try await synchronous(server.request())
        #expect((response as? HTTPURLResponse)?.statusCode == status)
        #expect(data == Data(body.utf8))

        let queue = OperationQueue()
        let told = await asynchronous(server.request(), on: queue)
        #expect((told.response as? HTTPURLResponse)?.statusCode == status)
        #expect(told.data == Data(body.utf8))
        #expect(told.error == nil)
        #expect(told.queue === queue)

        let awaited = try await NSURLConnection.sendAsynchronousRequest(
            server.request(),
            queue: queue
        )
        #expect((awaited.0 as? HTTPURLResponse)?.statusCode == status)
        #expect(awaited.1 == Data(body.utf8))
    }

    @Test("A final 401 is an error, and only the handler gets its body")
    func unauthorized() async throws {
        let server = try ScriptedServer([
            .forever([.waitForRequest, .respond(401, body: "denied")])
        ])
        let refused = await #expect(throws: URLError.self) {
            try await synchronous(server.request("/f"))
        }
        #expect(refused?.code == .userCancelledAuthentication)
        #expect(refused?.failingURL == server.url("/f"))

        let told = await asynchronous(server.request(), on: OperationQueue())
        #expect(told.response == nil)
        #expect(told.data == Data("denied".utf8))
        #expect((told.error as? URLError)?.code == .userCancelledAuthentication)

        let awaited = await #expect(throws: URLError.self) {
            try await NSURLConnection.sendAsynchronousRequest(
                server.request(),
                queue: OperationQueue()
            )
        }
        #expect(awaited?.code == .userCancelledAuthentication)
    }

    @Test("A failure gives the error and nothing else")
    func failure() async throws {
        let cut = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nABCD"
        let server = try ScriptedServer([.waitForRequest, .send(cut), .finish])
        let lost = await #expect(throws: URLError.self) {
            try await synchronous(server.request())
        }
        #expect(lost?.code == .networkConnectionLost)
        #expect(lost?.failingURL == server.url())

        let told = await asynchronous(server.request(), on: OperationQueue())
        #expect(told.response == nil)
        #expect(told.data == nil)
        #expect((told.error as? URLError)?.code == .networkConnectionLost)

        let awaited = await #expect(throws: URLError.self) {
            try await NSURLConnection.sendAsynchronousRequest(
                server.request(),
                queue: OperationQueue()
            )
        }
        #expect(awaited?.code == .networkConnectionLost)
    }

    @Test("No response is asked for by nil, and a redirect is followed")
    func noResponse() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .respond(302, ["Location: /r"], body: "moved"), .waitForRequest,
            .respond(200, body: "DATA"),
        ])
        let data = try await onThread {
            try NSURLConnection.sendSynchronousRequest(server.request(), returning: nil)
        }
        #expect(data == Data("DATA".utf8))
    }

    @Test("The caller's run loop is not run meanwhile")
    func runLoop() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(200, body: "abc")])
        let hasFired = Gate()
        let firedBefore = try await onThread {
            let timer = Timer(timeInterval: 0, repeats: false) { _ in hasFired.open() }
            RunLoop.current.add(timer, forMode: .default)
            RunLoop.current.perform { hasFired.open() }
            _ = try NSURLConnection.sendSynchronousRequest(server.request(), returning: nil)
            return hasFired.isOpen
        }
        #expect(!firedBefore)
    }

    @Test("A task that was cancelled before loads nothing")
    func cancelledBefore() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond()])
        let gate = Gate()
        let task = Task {
            try? await gate.opened()
            return try await NSURLConnection.sendAsynchronousRequest(
                server.request(),
                queue: OperationQueue()
            ).1
        }
        task.cancel()
        gate.open()
        let error = await #expect(throws: URLError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(server.connectionCount == 0)
    }

    @Test("The handler is called although all operations of its queue are cancelled")
    func cancelledQueue() async throws {
        let server = try ScriptedServer([.waitForRequest, .respond(200, body: "abc")])
        let queue = OperationQueue()
        queue.isSuspended = true
        let told = Gate()
        NSURLConnection.sendAsynchronousRequest(server.request(), queue: queue) { _, data, _ in
            #expect(data == Data("abc".utf8))
            told.open()
        }
        try await server.received(requests: 1)
        try await onThread { try turnLoopByLoading() }
        #expect(queue.operationCount == 1)
        queue.cancelAllOperations()
        queue.isSuspended = false
        try await told.opened()
    }

    @Test("Waiting on the loader's own loop stops the program")
    func onLoop() async {
        await #expect(processExitsWith: .failure) {
            EventLoop.shared.start()
            EventLoop.shared.perform {
                let request = URLRequest(url: URL(fileURLWithPath: "/"))
                _ = try? NSURLConnection.sendSynchronousRequest(request, returning: nil)
            }
            // Ends well, and so fails the test, if nothing stops the program.
            try? Gate().wait(limit: .seconds(10))
        }
    }
}
