import EventLoops
import Foundation
import NetworkingTestKit
import RunLoopNetworking

/// A delegate of several connections at once.
final class SharedDelegate: NSObject, NSURLConnectionDataDelegate, Sendable {
    /// Open when as many connections as were announced have ended.
    let ended = Gate()

    private struct Record: Sendable {
        var bodies: [ObjectIdentifier: String] = [:]
        var missing: Int
    }

    private let record: Guarded<Record>

    /// Makes a delegate for so many connections.
    init(count: Int) {
        record = Guarded(Record(missing: count))
    }

    /// What each connection has brought, as text.
    func bodies(of connections: [NSURLConnection]) -> [String] {
        record.withLock { record in
            connections.map { record.bodies[ObjectIdentifier($0)] ?? "" }
        }
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
        let text = String(decoding: data, as: UTF8.self)
        record.withLock { $0.bodies[ObjectIdentifier(connection), default: ""] += text }
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
        end()
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
        end()
    }

    private func end() {
        let isLast = record.withLock { record in
            record.missing -= 1
            return record.missing == 0
        }
        if isLast { ended.open() }
    }
}
