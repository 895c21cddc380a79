import Foundation
import NetworkingTestKit
import RunLoopNetworking

/// Opens a gate when the last reference to it goes.
final class Probe: Sendable {
    let freed: Gate

    init(_ freed: Gate) {
        self.freed = freed
    }

    deinit {
        freed.open()
    }
}
