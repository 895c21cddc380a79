private import CLibevent
private import Glibc

/// The descriptor that wakes the loop: any thread writes to it, and the wait ends.
///
/// - SeeAlso: eventfd(2).
final class WakeDescriptor: Sendable {
    let descriptor: Int32

    init() {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        precondition(descriptor >= 0, "eventfd gave no descriptor; raise the limit (ulimit -n)")
    }

    deinit {
        close(descriptor)
    }

    /// Makes the descriptor readable, from any thread.
    func signal() {
        // It can only fail by overflow, and then the descriptor is readable already.
        _ = eventfd_write(descriptor, 1)
    }

    /// Makes the descriptor quiet again, on the loop.
    func drain() {
        var count: eventfd_t = 0
        _ = unsafe eventfd_read(descriptor, &count)
    }
}
