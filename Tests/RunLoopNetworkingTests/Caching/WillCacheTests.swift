import EventLoops
import Foundation
import FoundationNetworking
import NetworkingTestKit
import Testing

@testable import RunLoopNetworking

@Suite("willCacheResponse", .timeLimit(.minutes(1)))
struct WillCacheTests {
    private let bench = CacheBench()

    private func load(_ request: URLRequest, _ delegate: KeepingDelegate) async throws {
        let connection = makeConnection(request, delegate, loop: bench.loop.loop)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await delegate.ended.opened()
    }

    private static let asked = ["response 200", "data", "willCache 5", "finished"]
    private static let notAsked = ["response 200", "data", "finished"]

    @Test("The delegate is asked behind the last data and before the end, and not about a hit")
    func order() async throws {
        let server = try CacheBench.server(
            .respond(200, ["Cache-Control: max-age=60", "X-A: 1"], body: "hello")
        )
        let first = KeepingDelegate()
        try await load(server.request(), first)
        #expect(first.lines == Self.asked)
        #expect(first.proposed?.data == Data("hello".utf8))
        #expect(first.proposed?.storagePolicy == .allowed)
        #expect(first.proposed?.response.url == server.url())
        let response = first.proposed?.response as? HTTPURLResponse
        #expect(response?.value(forHTTPHeaderField: "X-A") == "1")
        let second = KeepingDelegate()
        try await load(server.request(), second)
        #expect(second.lines == Self.notAsked)
        #expect(server.requests.count == 1)
    }

    @Test(
        "It is asked only where something is going to be kept, and about 200 to 299",
        arguments: [
            (200, "no-store", "GET", false), (404, "max-age=60", "GET", false),
            (203, "no-cache", "GET", true), (201, "max-age=1", "GET", true),
            (201, "x", "GET", false), (200, "max-age=60", "POST", false),
        ]
    )
    func when(status: Int, control: String, method: String, isAsked: Bool) async throws {
        let server = try CacheBench.server(
            .respond(status, ["Cache-Control: \(control)"], body: "hello")
        )
        let delegate = KeepingDelegate()
        try await load(server.request(method: method), delegate)
        #expect((delegate.proposed != nil) == isAsked)
        #expect(delegate.lines.last == "finished")
    }

    @Test("It is not asked without a cache, about what is too large, nor after a 304")
    func notAsked() async throws {
        let large = String(repeating: "x", count: 60_000)
        let fields = ["Cache-Control: max-age=60"]
        let server = try CacheBench.server(
            .respond(200, fields, body: large),
            .respond(200, ["ETag: \"a\""], body: "hello"),
            .send("HTTP/1.1 304 X\r\n\r\n"),
            .respond(200, fields, body: "hello")
        )
        let tooLarge = KeepingDelegate()
        try await load(server.request("/large"), tooLarge)
        #expect(tooLarge.lines == Self.notAsked)
        try await bench.load(server.request())
        let validated = KeepingDelegate()
        try await load(server.request(), validated)
        #expect(validated.lines == Self.notAsked)
        bench.loop.loop.connectionSettings.responseCache = nil
        let uncached = KeepingDelegate()
        try await load(server.request("/other"), uncached)
        #expect(uncached.lines == Self.notAsked)
        #expect(server.requests.count == 4)
    }

    @Test("A delegate that answers nil, or forbids it, keeps nothing", arguments: [true, false])
    func refused(byNil: Bool) async throws {
        let answer = ScriptStep.respond(200, ["Cache-Control: max-age=60"], body: "hello")
        let server = try CacheBench.server(answer, answer)
        for _ in 1...2 {
            let delegate = KeepingDelegate { proposed in
                byNil
                    ? nil
                    : CachedURLResponse(
                        response: proposed.response,
                        data: proposed.data,
                        storagePolicy: .notAllowed
                    )
            }
            try await load(server.request(), delegate)
            #expect(delegate.lines == Self.asked)
        }
        #expect(server.requests.count == 2)
        #expect(bench.cache.currentMemoryUsage == 0)
    }

    @Test("A changed object is kept as it was changed")
    func changed() async throws {
        let server = try CacheBench.server(
            .respond(200, ["Cache-Control: no-cache"], body: "hello")
        )
        let delegate = KeepingDelegate { proposed in
            let response = (proposed.response as? HTTPURLResponse).flatMap {
                HTTPURLResponse(
                    url: $0.url ?? URL(fileURLWithPath: "/"),
                    statusCode: 203,
                    httpVersion: "HTTP/1.1",
                    headerFields: ["Cache-Control": "max-age=60", "X-Mine": "1"]
                )
            }
            return CachedURLResponse(
                response: response ?? proposed.response,
                data: Data("changed".utf8),
                userInfo: ["k": 1],
                storagePolicy: .allowed
            )
        }
        try await load(server.request(), delegate)
        let again = try await bench.load(server.request())
        #expect(again.transcript == [.response(203), .data(7), .finished])
        #expect(again.response?.value(forHTTPHeaderField: "X-Mine") == "1")
        #expect(bench.cache.cachedResponse(for: server.request())?.userInfo?["k"] as? Int == 1)
        #expect(server.requests.count == 1)
    }

    @Test("What is for the memory alone is not written to the disk", arguments: [true, false])
    func memoryOnly(isAllowed: Bool) async throws {
        let folder = FolderPlace()
        let bench = CacheBench(memory: 1 << 20, disk: 1 << 20, folder: folder.url)
        let server = try CacheBench.server(
            .respond(200, ["Cache-Control: max-age=60"], body: "hello")
        )
        let delegate = KeepingDelegate { proposed in
            CachedURLResponse(
                response: proposed.response,
                data: proposed.data,
                storagePolicy: isAllowed ? .allowed : .allowedInMemoryOnly
            )
        }
        let connection = makeConnection(server.request(), delegate, loop: bench.loop.loop)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await delegate.ended.opened()
        bench.cache.flush()
        #expect(try folder.names.count == (isAllowed ? 1 : 0))
        #expect(try await bench.bodies(server.request()) == ["hello"])
        #expect(server.requests.count == 1)
    }

    @Test("A large body lies in a file when the delegate is asked", arguments: [true, false])
    func large(isKept: Bool) async throws {
        let folder = FolderPlace()
        let bench = CacheBench(memory: 0, disk: 100 << 20, folder: folder.url)
        let length = 2_000_000
        let head =
            "HTTP/1.1 200 X\r\nCache-Control: max-age=60\r\nContent-Length: \(length)\r\n\r\n"
        let server = try ScriptedServer([.waitForRequest, .send(head), .sendPattern(length)])
        let delegate = KeepingDelegate { isKept ? $0 : nil }
        let connection = makeConnection(server.request(), delegate, loop: bench.loop.loop)
        connection.setDelegateQueue(OperationQueue())
        connection.start()
        try await delegate.ended.opened()
        #expect(delegate.lines == ["response 200", "data", "willCache \(length)", "finished"])
        let proposed = try #require(delegate.proposed?.data)
        #expect(CounterPattern.firstDifference(in: Data(proposed)) == nil)
        bench.cache.flush()
        // The load lets go of what it has not kept when it ends on the loop.
        try turnLoopByLoading(bench.loop.loop)
        bench.cache.flush()
        #expect(try folder.names.filter { $0.hasSuffix(".new") }.isEmpty)
        #expect((bench.cache.cachedResponse(for: server.request()) != nil) == isKept)
    }

    @Test("The end waits for the answer, and other loads do not")
    func waits() async throws {
        let server = try CacheBench.server(
            .respond(200, ["Cache-Control: max-age=60"], body: "hello")
        )
        let isAsked = Gate()
        let mayAnswer = Gate()
        let delegate = KeepingDelegate { proposed in
            isAsked.open()
            try? mayAnswer.wait()
            return proposed
        }
        let connection = makeConnection(server.request(), delegate, loop: bench.loop.loop)
        connection.setDelegateQueue(makeBlockingQueue())
        connection.start()
        try await isAsked.opened()
        let other = try CacheBench.server(.respond(200, body: "x"))
        #expect(try await bench.load(other.request()).transcript.last == .finished)
        #expect(!delegate.ended.isOpen)
        #expect(bench.cache.cachedResponse(for: server.request()) == nil)
        mayAnswer.open()
        try await delegate.ended.opened()
        #expect(delegate.lines == Self.asked)
        #expect(bench.cache.cachedResponse(for: server.request()) != nil)
    }

    @Test("A delegate that cancels when it is asked hears nothing more, and nothing is kept")
    func cancels() async throws {
        let server = try CacheBench.server(
            .respond(200, ["Cache-Control: max-age=60"], body: "hello")
        )
        let held = Guarded<NSURLConnection?>(nil)
        let isOver = Gate()
        let delegate = KeepingDelegate { proposed in
            held.withLock { $0 }?.cancel()
            isOver.open()
            return proposed
        }
        let queue = OperationQueue()
        let connection = makeConnection(server.request(), delegate, loop: bench.loop.loop)
        held.withLock { $0 = connection }
        connection.setDelegateQueue(queue)
        connection.start()
        try await isOver.opened()
        try turnLoopByLoading(bench.loop.loop)
        try await waitForQueue(queue)
        #expect(delegate.lines == ["response 200", "data", "willCache 5"])
        #expect(bench.cache.cachedResponse(for: server.request()) == nil)
    }
}
