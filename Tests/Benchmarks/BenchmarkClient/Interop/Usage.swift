private import Glibc

/// What this process has used so far; getrusage(2).
struct Usage {
    /// In seconds.
    let user: Double
    /// In seconds.
    let system: Double
    let peakKibibytes: Int

    static var now: Usage {
        var usage = rusage()
        unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Usage(
            user: seconds(usage.ru_utime),
            system: seconds(usage.ru_stime),
            peakKibibytes: Int(usage.ru_maxrss)
        )
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }
}
