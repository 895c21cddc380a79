internal import CurlTransfers
internal import EventLoops

/// What a loop loads with: one for each loop that has connections.
///
/// Any thread may ask for the loader and its settings; the rest is called on the loop.
final class Loader: Sendable {
    private struct Shared {
        var settings = ConnectionSettings()
    }

    /// What only the loop's thread touches.
    private final class Contents {
        let multi: MultiHandle
        var limits: TransferLimits
        var loads: [ObjectIdentifier: Load] = [:]
        /// Counts loads and not transfers: those that the cache answers take memory as well.
        var trimmer = MemoryTrimmer()

        init(multi: MultiHandle, limits: TransferLimits) {
            self.multi = multi
            self.limits = limits
        }
    }

    /// The loop keeps the loader, and outlives it.
    unowned let loop: EventLoop

    /// What waits for the delegates of all the loop's connections.
    let waitingBytes = WaitingBytes()

    /// Guarded.
    private let shared = Guarded(Shared())

    // Loop affinity; nil until the first load and after the loop was shut down.
    private nonisolated(unsafe) var contents: Contents?
    // Loop affinity.
    private nonisolated(unsafe) var isShutDown = false

    private init(loop: EventLoop) {
        self.loop = loop
    }

    /// The loader of a loop; any thread.
    static func of(_ loop: EventLoop) -> Loader {
        loop.attachment { Loader(loop: loop) }
    }

    /// What the connections of the loop have in common; any thread.
    var settings: ConnectionSettings {
        get { shared.withLock { $0.settings } }
        set { shared.withLock { $0.settings = newValue } }
    }
}

// MARK: - On the loop

extension Loader {
    /// Keeps a load until it ends; returns false when the loop was shut down.
    func add(_ load: Load) -> Bool {
        guard let contents = onLoop else { return false }
        contents.loads[ObjectIdentifier(load)] = load
        contents.trimmer.countChanged(to: contents.loads.count, on: loop)
        return true
    }

    /// Lets go of a load.
    func remove(_ load: Load) {
        guard let contents = onLoop else { return }
        contents.loads[ObjectIdentifier(load)] = nil
        contents.trimmer.countChanged(to: contents.loads.count, on: loop)
    }

    /// The multi handle of the loop, with the limits that are set now; nil when it was shut down.
    var multi: MultiHandle? {
        guard let contents = onLoop else { return nil }
        let limits = TransferLimits(settings)
        if limits != contents.limits {
            contents.limits = limits
            contents.multi.setLimits(limits)
        }
        return contents.multi
    }

    private var onLoop: Contents? {
        loop.preconditionIsCurrent()
        if unsafe isShutDown { return nil }
        if let contents = unsafe contents { return contents }
        let limits = TransferLimits(settings)
        let multi = MultiHandle(loop: loop, pool: SlabPool(), limits: limits)
        let made = Contents(multi: multi, limits: limits)
        unsafe contents = made
        loop.atShutDown { [weak self] in self?.shutDown() }
        return made
    }

    /// Every unfinished connection fails, and network connections are closed.
    ///
    /// Connections that start from now on fail at once.
    private func shutDown() {
        guard let contents = unsafe contents else { return }
        contents.multi.close(with: .abortedByCallback)
        for load in Array(contents.loads.values) { load.loopWasShutDown() }
        unsafe isShutDown = true
        unsafe self.contents = nil
    }
}

extension TransferLimits {
    fileprivate init(_ settings: ConnectionSettings) {
        self.init(
            connectionsPerHost: settings.connectionsPerHost,
            connections: settings.connections
        )
    }
}
