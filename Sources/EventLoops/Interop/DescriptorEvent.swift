private import CLibevent

/// libevent's registration of interest in one descriptor.
///
/// Loop affinity, as ``EventBase``.
@safe
package final class DescriptorEvent {
    /// The descriptor; whoever opened it closes it, after ``end()``.
    package let descriptor: Int32

    /// What is asked for; empty after ``end()``.
    package private(set) var interest: Readiness = []

    /// What to do on the loop when the descriptor is ready.
    let action: (Readiness) -> Void

    private let base: EventBase
    private var event: OpaquePointer?

    /// Prepares a registration; nothing is asked for yet.
    init(base: EventBase, descriptor: Int32, action: @escaping (Readiness) -> Void) {
        self.base = base
        self.descriptor = descriptor
        self.action = action
    }

    deinit {
        end()
    }

    /// Asks to be told of `interest` from the next wait on, and of nothing else.
    ///
    /// - Throws: ``DescriptorError`` when the kernel can't watch the descriptor (it is closed, or a
    ///   regular file, which is always ready).
    func setInterest(_ interest: Readiness) throws(DescriptorError) {
        guard interest != self.interest else { return }
        end()
        guard !interest.isEmpty else { return }
        var what = Int16(EV_PERSIST)
        if interest.contains(.read) { what |= Int16(EV_READ) }
        if interest.contains(.write) { what |= Int16(EV_WRITE) }
        let context = CallbackContext(unretained: self)
        let new = unsafe event_new(
            base.pointer,
            descriptor,
            what,
            { _, what, context in
                unsafe CallbackContext<DescriptorEvent>.owner(behind: context).becameActive(what)
            },
            context.pointer
        )
        guard let new = unsafe new else { throw DescriptorError(descriptor: descriptor) }
        guard unsafe event_add(new, nil) == 0 else {
            unsafe event_free(new)
            throw DescriptorError(descriptor: descriptor)
        }
        unsafe event = new
        self.interest = interest
    }

    /// Ends the registration: nothing more is heard of the descriptor.
    func end() {
        interest = []
        guard let event = unsafe event else { return }
        unsafe self.event = nil
        unsafe event_free(event)
    }

    private func becameActive(_ what: Int16) {
        var readiness: Readiness = []
        if what & Int16(EV_READ) != 0 { readiness.insert(.read) }
        if what & Int16(EV_WRITE) != 0 { readiness.insert(.write) }
        base.becameActive(self, readiness)
    }
}
