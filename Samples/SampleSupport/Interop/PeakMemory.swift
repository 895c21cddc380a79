private import Glibc

/// How much memory this process has had at the most.
///
/// It is what getrusage(2) counts as ru_maxrss, with one difference: a process that another one
/// started inherits that one's peak in ru_maxrss, and not here (VmHWM in proc(5)).
public enum PeakMemory {
    /// In megabytes of 1,000,000 bytes.
    public static var megabytes: Double { Double(kibibytes) * 1024 / 1_000_000 }

    /// In KiB, as the kernel counts.
    public static var kibibytes: Int {
        var usage = rusage()
        unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return highWaterMark ?? Int(usage.ru_maxrss)
    }

    /// For people: `28.4 MB`.
    public static var text: String {
        let tenths = Int((megabytes * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) MB"
    }

    /// For this program alone.
    private static var highWaterMark: Int? {
        let file = unsafe open("/proc/self/status", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe read(file, &bytes, bytes.count)
        let lines = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(
            separator: "\n"
        )
        let line = lines.first { $0.hasPrefix("VmHWM:") }
        return line?.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Int($0) }
    }
}
