private import Glibc

/// The signal that ends a program which writes to a network connection whose peer has left.
enum BrokenPipeSignal {
    /// Blocks the signal on the calling thread alone: a write there fails with EPIPE instead.
    static func blockOnThisThread() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
