import EventLoops
import Foundation
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Limits of network connections", .timeLimit(.minutes(1)))
struct ConnectionLimitTests {
    @Test("Beyond the limit in all, a load waits for a place, also when it goes to another server")
    func inAll() async throws {
        let slow = try ScriptedServer([
            .waitForRequest, .pause(.milliseconds(300)), .respond(200, body: "slow"),
        ])
        let quick = try ScriptedServer([.waitForRequest, .respond(200, body: "quick")])
        let test = TestLoop()
        var settings = ConnectionSettings()
        settings.connections = 1
        test.loop.connectionSettings = settings
        let order = Guarded<[Int]>([])
        let delegates = (0..<2).map { number in
            RecordingDelegate { message, _ in
                if message == .finished { order.withLock { $0.append(number) } }
            }
        }
        let first = makeConnection(slow.request(), delegates[0], loop: test.loop)
        first.setDelivery(.onLoop)
        first.start()
        try await slow.received(requests: 1)
        let second = makeConnection(quick.request(), delegates[1], loop: test.loop)
        second.setDelivery(.onLoop)
        second.start()
        for delegate in delegates { try await delegate.ended() }
        // With a place of its own the quick one would be done long before the slow one.
        #expect(order.withLock(\.self) == [0, 1])
        #expect(delegates[1].transcript == [.response(200), .data(5), .finished])
    }
}
