private import Glibc

/// The program's standard streams and its end.
enum Console {
    /// Prints a line that readers see at once, also through a pipe.
    static func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    /// Ends the program with a status, after a line on the standard error.
    static func fail(_ line: String, status: Int32) -> Never {
        let bytes = Array("SampleServer: \(line)\n".utf8)
        _ = unsafe write(STDERR_FILENO, bytes, bytes.count)
        exit(status)
    }
}
