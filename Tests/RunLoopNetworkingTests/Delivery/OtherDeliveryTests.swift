import Dispatch
import EventLoops
import Foundation
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Delivery on a dispatch queue and on the loop", .timeLimit(.minutes(1)))
struct OtherDeliveryTests {
    private static let key = DispatchSpecificKey<Int>()
    private let whole: [TranscriptMessage] = [.response(200), .data(3), .finished]
    private let answer: [ScriptStep] = [.waitForRequest, .respond(200, body: "abc")]

    @Test(
        "Messages come in order and one at a time, on a serial and on a concurrent queue",
        arguments: [false, true]
    )
    func dispatchQueue(isConcurrent: Bool) async throws {
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 4000000\r\n\r\n"),
            .sendPattern(4_000_000),
        ])
        let queue = DispatchQueue(label: "test", attributes: isConcurrent ? .concurrent : [])
        queue.setSpecific(key: Self.key, value: 1)
        let delegate = RecordingDelegate { _, _ in
            #expect(DispatchQueue.getSpecific(key: Self.key) == 1)
        }
        let connection = makeConnection(server.request(), delegate)
        connection.setDelegateQueue(queue)
        connection.start()
        try await delegate.ended()
        #expect(delegate.transcript == [.response(200), .data(4_000_000), .finished])
        #expect(CounterPattern.firstDifference(in: delegate.body) == nil)
        #expect(delegate.faults.isEmpty)
    }

    @Test("On the loop, each message comes on the loop's own thread")
    func onLoop() async throws {
        let server = try ScriptedServer(answer)
        let delegate = RecordingDelegate()
        let connection = makeConnection(server.request(), delegate)
        connection.setDelivery(.onLoop)
        connection.start()
        try await delegate.ended()
        #expect(delegate.transcript == whole)
        #expect(delegate.messages.allSatisfy { $0.isOnLoop })
    }

    @Test("A delivery may change with every message, and nothing is lost, doubled or disordered")
    func changing() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 2000000\r\n\r\n"),
            .sendPattern(2_000_000),
        ])
        let queues = [OperationQueue(), OperationQueue()]
        let dispatchQueue = DispatchQueue(label: "test", attributes: .concurrent)
        let turn = Turn()
        let delegate = RecordingDelegate { _, connection in
            switch turn.next() % 4 {
            case 0: connection.setDelivery(.onLoop)
            case 1: connection.setDelegateQueue(dispatchQueue)
            case 2: connection.setDelegateQueue(queues[0])
            default: connection.setDelegateQueue(queues[1])
            }
        }
        let connection = makeConnection(server.request(), delegate)
        connection.setDelegateQueue(queues[0])
        connection.start()
        try await delegate.ended()
        #expect(delegate.transcript == [.response(200), .data(2_000_000), .finished])
        #expect(CounterPattern.firstDifference(in: delegate.body) == nil)
        #expect(delegate.faults.isEmpty)
    }

    @Test("The data is the delegate's: changing it changes nobody else's")
    func dataIsOwned() async throws {
        let server = try ScriptedServer([
            .waitForRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 500000\r\n\r\n"),
            .sendPattern(500_000),
        ])
        let delegate = ScribblingDelegate()
        let connection = makeConnection(server.request(), delegate)
        connection.setDelivery(.onLoop)
        connection.start()
        try await delegate.ended.opened()
        #expect(CounterPattern.firstDifference(in: delegate.bytes) == nil)
        #expect(delegate.bytes.count == 500_000)
    }
}

/// Counts up; called by one thread at a time.
private final class Turn: @unchecked Sendable {
    private var count = 0

    func next() -> Int {
        count += 1
        return count
    }
}

/// Takes a copy of the bytes, then overwrites what it was given and makes it longer.
private final class ScribblingDelegate: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
    // Written on the loop before the gate opens, read behind it.
    private(set) var bytes: [UInt8] = []
    private var kept: [Data] = []
    let ended = Gate()

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
        bytes += data
        var data = data
        for index in data.indices { data[index] = 0xFF }
        data.append(contentsOf: [UInt8](repeating: 0xFF, count: 100_000))
        kept.append(data)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
        ended.open()
    }
}
