/// One request on its way to its answer, by whatever means its scheme needs.
///
/// A load has one exchange at a time: the first one, and after a redirect the next. An exchange says
/// what happens by calling its load: ``Load/touch()``, ``Load/room(for:)``, ``Load/emit(_:)`` and at
/// last one of ``Load/follow(_:)``, ``Load/finish()`` and ``Load/fail(_:)``.
///
/// Loop affinity. The load does not keep its loop: what is at work elsewhere and has something to tell
/// keeps it by itself.
protocol Exchange: AnyObject {
    /// Begins; what it has to say comes later, never from inside this call.
    func start()

    /// There is room again after ``Load/room(for:)`` said that there is none.
    func resumeReading()

    /// Ends it; nothing more is heard of it.
    func stop()
}
