private import EventLoops
private import Glibc

/// What tests do to bare descriptor numbers.
enum Descriptors {
    /// Closes `old` and opens it again, in one step, as another descriptor for what `new` is.
    ///
    /// In one step, because other tests open descriptors meanwhile.
    static func reopen(_ old: Int32, as new: Int32) {
        let result = dup2(new, old)
        precondition(result == old, "dup2 failed")
    }

    /// A second number for what `descriptor` is; the caller closes it.
    static func copy(_ descriptor: Int32) -> Int32 {
        dup(descriptor)
    }

    static func open(path: String) -> Int32 {
        unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
    }

    static func close(_ descriptor: Int32) {
        _ = Glibc.close(descriptor)
    }

    /// How often a wake-up descriptor was signalled since it was last looked at.
    static func takeSignals(of descriptor: Int32) -> UInt64 {
        var count: UInt64 = 0
        return unsafe Glibc.read(descriptor, &count, 8) == 8 ? count : 0
    }
}
