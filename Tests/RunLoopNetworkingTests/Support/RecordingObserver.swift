import EventLoops
import Foundation
import NetworkingTestKit
import RunLoopNetworking

/// An observer that writes everything down, one line for each event.
final class RecordingObserver: ConnectionObserver {
    private struct Record: Sendable {
        var events: [(connection: ObservedConnection, event: ConnectionEvent)] = []
        var areOnLoop = true
    }

    private let loop: EventLoop
    private let record = Guarded(Record())

    init(of loop: EventLoop) {
        self.loop = loop
    }

    func connection(_ connection: ObservedConnection, did event: ConnectionEvent) {
        record.withLock { record in
            record.events.append((connection, event))
            record.areOnLoop = record.areOnLoop && loop.isCurrent
        }
    }

    var areOnLoop: Bool { record.withLock { $0.areOnLoop } }

    var connections: [ObservedConnection] { record.withLock { $0.events.map(\.connection) } }

    var timings: [TransferTimings] {
        record.withLock { record in
            record.events.compactMap {
                if case .transferEnded(let timings) = $0.event { timings } else { nil }
            }
        }
    }

    var networkConnections: [NetworkConnectionDetails] {
        record.withLock { record in
            record.events.compactMap {
                if case .connected(let details) = $0.event { details } else { nil }
            }
        }
    }

    /// The events without what is another each time.
    ///
    /// Data messages that follow one another are one.
    var lines: [String] {
        record.withLock { record in
            var lines: [String] = []
            for line in record.events.map({ Self.line($0.event) })
            where line != "message data" || lines.last != line {
                lines.append(line)
            }
            return lines
        }
    }

    private static func line(_ event: ConnectionEvent) -> String {
        switch event {
        case .connected(let details):
            "connected\(details.isReused ? " again" : "")\(details.tlsVersion == nil ? "" : " TLS")"
        case .connecting(let address, _): "connecting \(address)"
        case .sending(let method): "sending \(method)"
        case .challenged(let method): "challenged \(method)"
        case .cache(let decision): "cache \(decision)"
        case .message(.data): "message data"
        case .message(let message): "message \(message)"
        case .transferEnded: "transferEnded"
        case .ended(let error): "ended \(error.map { "\($0.code.rawValue)" } ?? "well")"
        case .started, .lookingUpName, .firstByte, .redirected: "\(event)"
        }
    }
}
