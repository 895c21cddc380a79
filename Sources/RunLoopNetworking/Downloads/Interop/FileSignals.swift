private import Glibc

/// The signals that the system sends to a program which writes beyond a limit, or to nobody.
///
/// Their usual effect is to end the program. A library must not leave that to chance, and must not
/// change what the program does with signals elsewhere.
enum FileSignals {
    private static let numbers = [SIGXFSZ, SIGPIPE]

    /// Runs `body` without the signals: a call that would cause one only fails, with EFBIG or EPIPE.
    ///
    /// - SeeAlso: setrlimit(2), write(2), sigtimedwait(2).
    static func held<Result>(_ body: () -> Result) -> Result {
        var signals = sigset_t()
        var before = sigset_t()
        var waiting = sigset_t()
        unsafe sigemptyset(&signals)
        for number in numbers { unsafe sigaddset(&signals, number) }
        unsafe pthread_sigmask(SIG_BLOCK, &signals, &before)
        unsafe sigpending(&waiting)
        let result = body()
        // One that waited before was sent by somebody else, and is left to whom it was meant for.
        for number in numbers where unsafe sigismember(&waiting, number) == 0 {
            take(number)
        }
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
        return result
    }

    /// Takes a signal that the calling thread has caused, if it has.
    private static func take(_ number: Int32) {
        var pending = sigset_t()
        unsafe sigpending(&pending)
        guard unsafe sigismember(&pending, number) == 1 else { return }
        var signal = sigset_t()
        unsafe sigemptyset(&signal)
        unsafe sigaddset(&signal, number)
        var now = timespec()
        unsafe sigtimedwait(&signal, nil, &now)
    }
}
