import Testing

/// Starts httpbin before a suite, and ends it behind it.
///
/// A start takes longer than a test, so all suites that need it stand in one.
struct HTTPBinTrait: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await HTTPBinServer.$current.withValue(HTTPBinServer(), operation: function)
    }
}

extension Trait where Self == HTTPBinTrait {
    /// Gives the suite a running httpbin.
    static var httpbin: Self { Self() }
}
