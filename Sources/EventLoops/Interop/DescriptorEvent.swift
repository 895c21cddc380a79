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

    /// What the kernel was told; at times more than ``interest``, never less.
    private var registered: Readiness = []

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
    /// The kernel hears of more at once, and of less when ``narrow()`` is called before that wait:
    /// what is given back and taken again in one turn costs no system call.
    ///
    /// - Throws: ``DescriptorError`` when the kernel can't watch the descriptor (it is closed, or a
    ///   regular file, which is always ready); the interest is then what it was.
    func setInterest(_ interest: Readiness) throws(DescriptorError) {
        if !registered.isSuperset(of: interest) { try register(registered.union(interest)) }
        self.interest = interest
    }

    /// Whether the kernel was told of more than is asked for.
    var isWider: Bool { registered != interest }

    /// Tells the kernel of no more than is asked for.
    func narrow() {
        guard isWider else { return }
        do {
            try register(interest)
        } catch {
            preconditionFailure("less of a descriptor was refused: \(error)")
        }
    }

    /// Ends the registration at once: nothing more is heard of the descriptor.
    func end() {
        interest = []
        unregister()
    }
}

// MARK: - libevent

extension DescriptorEvent {
    private func register(_ interest: Readiness) throws(DescriptorError) {
        guard !interest.isEmpty else { return unregister() }
        // libevent takes a negative number for a timer and accepts it.
        guard descriptor >= 0 else { throw DescriptorError(descriptor: descriptor) }
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
        // The old one goes after the new one has come: for the kernel that is one change.
        unregister()
        unsafe event = new
        registered = interest
    }

    private func unregister() {
        registered = []
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
