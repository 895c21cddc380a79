private import Glibc

/// How much memory this process has had at the most, as getrusage(2) counts it.
public enum PeakMemory {
    /// In megabytes of 1,000,000 bytes.
    public static var megabytes: Double {
        var usage = rusage()
        unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_maxrss) * 1024 / 1_000_000
    }

    /// For people: `28.4 MB`.
    public static var text: String {
        let tenths = Int((megabytes * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) MB"
    }
}
