private import Glibc

/// The terminal that a sample runs on, if it does.
public enum Terminal {
    /// Whether somebody watches: standard output is a terminal, not a pipe or a file.
    public static let isWatched = isatty(STDOUT_FILENO) == 1

    /// Writes at once, without a line end.
    public static func write(_ text: String) {
        print(text, terminator: "")
        fflush(nil)
    }

    /// Writes to standard error and ends the program.
    public static func fail(_ sentence: String, status: Int32 = 1) -> Never {
        let line = Array((sentence + "\n").utf8)
        _ = unsafe line.withUnsafeBytes {
            unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count)
        }
        exit(status)
    }
}

extension Terminal {
    /// Ends the program, well unless another status is given.
    public static func end(_ status: Int32 = 0) -> Never {
        exit(status)
    }
}
