private import CLibevent

/// libevent's base: the set of descriptors that the kernel watches, and the wait for them.
///
/// libevent's callbacks run inside the wait. They only write down which descriptor is active;
/// ``takeActive()`` hands the list to the loop, which dispatches it. So the wait and the dispatch
/// stay two steps that can be seen apart.
///
/// Loop affinity: everything here is touched by the thread that turns the loop, or by whoever
/// holds the last reference.
///
/// - SeeAlso: <https://libevent.org/doc/event_8h.html>
@safe
package final class EventBase {
    /// libevent's own handle, for others who register with the same loop (evhttp does).
    package let pointer: OpaquePointer

    /// What became active during the last wait, in the order in which libevent reported it.
    private var active: [(event: DescriptorEvent, readiness: Readiness)] = []

    /// Ends the wait when the next timer is due.
    private var alarm: OpaquePointer?

    /// Whether the alarm is set and has not rung.
    package private(set) var isAlarmSet = false

    /// Makes a base on epoll, or stops the program where the kernel gives no descriptor for it.
    package init() {
        // Not with libevent's change list (EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST): it tells the kernel
        // of a removal with the next wait only. By then the descriptor may be closed, and if a copy
        // of it lives (dup(2), or a child process), the kernel reports it for ever under a number
        // that is no longer watched, or that is now another's. ``DescriptorEvent`` saves the system
        // calls where it is safe.
        let configuration = unsafe event_config_new()
        defer { unsafe event_config_free(configuration) }
        // Only the thread that turns the loop touches the base: libevent needs no locks.
        unsafe event_config_set_flag(
            configuration,
            Int32(EVENT_BASE_FLAG_NOLOCK.rawValue)
        )
        guard let base = unsafe event_base_new_with_config(configuration) else {
            preconditionFailure(
                "event_base_new_with_config found no way to wait; are descriptors left?"
            )
        }
        unsafe pointer = base
        let context = CallbackContext(unretained: self)
        unsafe alarm = event_new(
            base,
            -1,
            0,
            { _, _, context in
                unsafe CallbackContext<EventBase>.owner(behind: context).isAlarmSet = false
            },
            context.pointer
        )
    }

    deinit {
        unsafe alarm.map { unsafe event_free($0) }
        unsafe event_base_free(pointer)
    }

    /// Waits until a descriptor is active or the alarm rings, then returns.
    ///
    /// With `blocking` false it looks once and does not wait.
    /// See <https://libevent.org/doc/event_8h.html>, event_base_loop.
    package func wait(blocking: Bool) {
        let flags = EVLOOP_ONCE | EVLOOP_NO_EXIT_ON_EMPTY | (blocking ? 0 : EVLOOP_NONBLOCK)
        let result = unsafe event_base_loop(pointer, flags)
        precondition(result >= 0, "event_base_loop failed: the kernel refused the wait")
    }

    /// Lets the next wait end after `delay`, or only for readiness when it is nil.
    package func setAlarm(after delay: Duration?) {
        guard let alarm = unsafe alarm else { return }
        guard let delay else {
            unsafe event_del(alarm)
            isAlarmSet = false
            return
        }
        // A delay for ever would overflow; the loop sets the alarm again when it has rung in vain.
        let (seconds, attoseconds) = min(delay, .seconds(86_400)).components
        // Rounded up: a wait that ends too early would only be begun again.
        let microseconds = (attoseconds + 999_999_999_999) / 1_000_000_000_000
        var time = timeval(
            tv_sec: Int(seconds + microseconds / 1_000_000),
            tv_usec: Int(microseconds % 1_000_000)
        )
        unsafe event_add(alarm, &time)
        isAlarmSet = true
    }

    /// Takes what became active since the last call.
    package func takeActive() -> [(event: DescriptorEvent, readiness: Readiness)] {
        guard !active.isEmpty else { return [] }
        defer { active.removeAll(keepingCapacity: true) }
        return active
    }

    /// Notes that a descriptor is ready, during the wait.
    func becameActive(_ event: DescriptorEvent, _ readiness: Readiness) {
        active.append((event, readiness))
    }
}
