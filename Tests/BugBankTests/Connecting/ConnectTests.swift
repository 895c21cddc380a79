import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Bug bank: names and connections", .timeLimit(.minutes(1)))
struct ConnectTests {
    private static let answer: [ScriptStep] = [
        .forever([.waitForRequest, .respond(200, body: "x")])
    ]

    // B133
    @Test(
        "A host or port that can't be reached fails at once, with its own code and the URL",
        arguments: [
            ("http://127.0.0.1:1/", .cannotConnectToHost),
            ("http://no-such-host.invalid/", .cannotFindHost),
            ("http://127.0.0.1:0/", .badURL), ("http://127.0.0.1:70000/", .badURL),
            ("http://127.0.0.1:65536/", .badURL), ("http://localhost:1/", .cannotConnectToHost),
        ] as [(String, URLError.Code)]
    )
    func b133FailsAtOnce(text: String, code: URLError.Code) async throws {
        try await withBench { bench in
            let url = try #require(URL(string: text))
            let delegate = try await bench.load(URLRequest(url: url))
            let allowed = url.port == 0 ? [code, .cannotConnectToHost] : [code]
            let told = try #require(delegate.urlError)
            #expect(allowed.contains(told.code))
            #expect(delegate.transcript == [.failed(told.code)])
            #expect(told.failingURL == url)
            #expect(told.userInfo["NSErrorFailingURLStringKey"] as? String == text)
        }
    }

    // B134
    @Test("localhost is reached on 127.0.0.1 alone, and on ::1 alone", arguments: [false, true])
    func b134EitherFamily(isSixth: Bool) async throws {
        guard !isSixth || SixthLoopback.exists else { return }
        try await withBench { bench in
            let server = try bench.serve(on: isSixth ? .v6 : .v4, Self.answer)
            let url = server.url("/", host: "localhost")
            let delegate = try await bench.load(URLRequest(url: url))
            #expect(delegate.transcript == [.response(200), .data(1), .finished])
        }
    }

    // B134: the kernel drops what comes to a listener whose queue is full. Without another address
    // the load would end with the time-out only.
    @Test(
        "An address that does not answer is passed over, long before the time-out",
        .enabled(if: SixthLoopback.exists)
    )
    func b134SilentAddress() async throws {
        try await withBench { bench in
            let server = try bench.serve(Self.answer)
            let silent = try #require(FullListener(v6Port: server.port))
            let url = server.url("/", host: "localhost")
            let delegate = try await bench.load(URLRequest(url: url))
            #expect(delegate.transcript == [.response(200), .data(1), .finished])
            withExtendedLifetime(silent) {}
        }
    }

    // B136
    @Test("Loads that wait for a place all start, also when others are cancelled")
    func b136WaitingForPlaces() async throws {
        try await withBench { bench in
            let goOn = Gate()
            let running: [ScriptStep] = [.waitForRequest, .hold]
            let waiting: [ScriptStep] = [
                .waitForRequest, .waitFor(goOn), .respond(200, ["Connection: close"], body: "x"),
                .finish,
            ]
            let server = try bench.serve(running, running, waiting)
            bench.loop.connectionSettings.connectionsPerHost = 2
            let delegates = (0..<20).map { _ in RecordingDelegate() }
            let connections = delegates.map { bench.start(server.request("/f"), $0) }
            try await server.received(requests: 2)
            try await bench.turnLoop()
            #expect(server.connectionCount == 2)
            for index in [0, 1, 10] { connections[index].cancel() }
            try await server.closedByClient(connections: 2)
            try await server.received(requests: 4)
            try await bench.turnLoop()
            #expect(server.connectionCount == 4)
            goOn.open()
            for (index, delegate) in delegates.enumerated() where ![0, 1, 10].contains(index) {
                try await delegate.ended()
                #expect(delegate.transcript == [.response(200), .data(1), .finished])
            }
            for index in [0, 1, 10] { #expect(delegates[index].transcript.isEmpty) }
            #expect(server.requests.count == 19)
        }
    }

    // B136
    @Test("A thousand loads that wait for six places all finish, and never more at a time")
    func b136Thousand() async throws {
        try await withBench { bench in
            let server = try bench.serve(Self.answer)
            let delegates = (0..<1_000).map { _ in RecordingDelegate() }
            for delegate in delegates { bench.start(server.request("/f"), delegate) }
            for delegate in delegates {
                try await delegate.ended()
                #expect(delegate.transcript == [.response(200), .data(1), .finished])
            }
            #expect(server.connectionCount <= 6)
        }
    }
}
