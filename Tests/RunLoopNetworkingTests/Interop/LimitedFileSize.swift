private import Glibc

/// The limit on the length of files that setrlimit(2) sets for the process.
enum LimitedFileSize {
    /// Runs `body` while no file of this process may become longer than `bytes`.
    static func run(bytes: UInt64, _ body: () async throws -> Void) async throws {
        var before = rlimit()
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &before)
        var limit = before
        limit.rlim_cur = rlim_t(bytes)
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        defer { unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &before) }
        try await body()
    }
}
