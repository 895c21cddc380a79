/// How many network connections a multi handle may have open at once.
package struct TransferLimits: Equatable, Sendable {
    /// To one host and port; transfers beyond wait for a place, and 0 means no limit.
    package var connectionsPerHost: Int

    /// In all; transfers beyond wait for a place, and 0 means no limit.
    package var connections: Int

    /// Makes limits.
    package init(connectionsPerHost: Int, connections: Int) {
        self.connectionsPerHost = connectionsPerHost
        self.connections = connections
    }
}
