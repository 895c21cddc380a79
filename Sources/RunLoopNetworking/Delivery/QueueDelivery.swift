internal import Dispatch
internal import EventLoops
internal import Foundation

/// Delivery as operations of an OperationQueue.
final class OperationQueueDelivery: DeliveryContext {
    private let queue: OperationQueue

    init(_ queue: OperationQueue) {
        self.queue = queue
    }

    func enqueue(_ drain: @escaping @Sendable () -> Void) {
        queue.addOperation(DrainOperation(drain))
    }
}

/// An operation that can't be taken back: `cancelAllOperations()` must not lose a message.
private final class DrainOperation: Operation, @unchecked Sendable {
    // Nothing changes after `init`; `@unchecked` restates what the superclass says.
    private let drain: @Sendable () -> Void

    init(_ drain: @escaping @Sendable () -> Void) {
        self.drain = drain
    }

    override func main() {
        drain()
    }

    override func cancel() {}
}

/// Delivery as blocks of a DispatchQueue.
final class DispatchQueueDelivery: DeliveryContext {
    private let queue: DispatchQueue

    init(_ queue: DispatchQueue) {
        self.queue = queue
    }

    func enqueue(_ drain: @escaping @Sendable () -> Void) {
        queue.async(execute: drain)
    }
}

/// Delivery on the loop itself: at once in the flush of a turn, or as a job from elsewhere.
final class LoopDelivery: DeliveryContext {
    private let loop: EventLoop

    init(_ loop: EventLoop) {
        self.loop = loop
    }

    func enqueue(_ drain: @escaping @Sendable () -> Void) {
        // A loop that was shut down has no thread any more; its last message is still told.
        if loop.isCurrent || !loop.perform(drain) { drain() }
    }
}
