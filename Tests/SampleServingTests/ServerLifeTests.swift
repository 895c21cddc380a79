import Foundation
import Testing

@testable import SampleServing

@Suite("Life of the server", .timeLimit(.minutes(1)))
struct ServerLifeTests {
    @Test("Ten clients at once each get their own bytes")
    func parallel() async throws {
        let server = try SampleServer()
        let root = server.start().absoluteString
        let pattern = Pattern(size: 100_000_000)
        try await withThrowingTaskGroup { group in
            for client in 0..<10 {
                let start = Int64(client) * 9_000_001
                group.addTask {
                    let range = "\(start)-\(start + 1_999_999)"
                    let fetched = try await Fetched.get(root + "/file/100MB/a", "-r", range)
                    #expect(fetched.body == pattern.bytes(in: start..<start + 2_000_000))
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("stop() ends downloads midway and frees the port")
    func stopMidway() async throws {
        let server = try SampleServer()
        server.start()
        let clients = ["/endless", "/file/8TiB/a", "/paced/1kB/1MB", "/slow/80000/1", "/silent"].map
        {
            path in
            let client = RawConnection(port: server.port)
            client.get(path)
            return client
        }
        for client in clients[..<3] {
            guard case .bytes = client.read() else {
                Issue.record("no answer before the stop")
                return
            }
        }
        server.stop()
        for client in clients { #expect(client.readToEnd().end != .failed(EAGAIN)) }
        #expect(await canListen(on: server.port))
        server.stop()
    }

    @Test("A server that is let go of stops, also one that was never started")
    func letGo() async throws {
        for starts in [false, true] {
            var server: SampleServer? = try SampleServer()
            if starts { server?.start() }
            let port = try #require(server?.port)
            let client = RawConnection(port: port)
            server = nil
            #expect(client.read() != .failed(EAGAIN))
            #expect(await canListen(on: port))
        }
    }

    /// Whether the port is free, at once or soon.
    ///
    /// The process that another test forks keeps all descriptors until it becomes a program.
    private func canListen(on port: UInt16) async -> Bool {
        let deadline = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < deadline {
            if (try? SampleServer(port: port)) != nil { return true }
            await Task.yield()
        }
        return false
    }

    @Test("A client that comes before the start is served after it")
    func earlyClient() throws {
        let server = try SampleServer()
        let client = RawConnection(port: server.port)
        client.get("/status/200")
        #expect(server.start().absoluteString == "http://127.0.0.1:\(server.port)")
        #expect(server.start() == server.url)
        #expect(client.read(until: "status 200") != nil)
    }

    @Test("A taken port is an error that says what to do")
    func portTaken() throws {
        let server = try SampleServer()
        let error = #expect(throws: SampleServerError.self) { try SampleServer(port: server.port) }
        #expect(error?.code == .portTaken)
        #expect(error?.description.contains("another port") == true)
    }

    @Test("A server that was stopped can't be started again")
    func noRestart() async {
        await #expect(processExitsWith: .failure) {
            let server = try SampleServer()
            server.stop()
            server.start()
        }
    }

    @Test("Clients that leave midway leave nothing behind")
    func leavingClients() throws {
        let server = try ServerProcess()
        let witness = RawConnection(port: server.port)
        witness.get("/status/200")
        #expect(witness.read(until: "status 200\n") != nil)
        let before = try server.countSockets()
        let paths = [
            "/file/8TiB/a", "/endless", "/paced/1MB/1GB", "/slow/80000/10", "/silent",
            "/checksum/8TiB", "/reset/1TB/1GB",
        ]
        for round in 0..<50 {
            let path = paths[round % paths.count]
            let client = RawConnection(port: server.port)
            client.get(path)
            if round % paths.count < 3 { #expect(client.read(until: "HTTP/1.1 200") != nil) }
        }
        // Each round trip is at least one turn of the server, in which it sees who has left.
        var rounds = 0
        while try server.countSockets() > before, rounds < 1_000 {
            witness.get("/status/200")
            #expect(witness.read(until: "status 200\n") != nil)
            rounds += 1
        }
        #expect(try server.countSockets() == before)
    }
}
