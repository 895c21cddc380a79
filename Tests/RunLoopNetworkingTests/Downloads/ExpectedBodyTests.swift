import Testing

@testable import RunLoopNetworking

@Suite("Where a body belongs and how far it reaches", .timeLimit(.minutes(1)))
struct ExpectedBodyTests {
    @Test("A file is whole when it has all that was announced")
    func endings() {
        let whole = ExpectedBody(start: 0, end: 10, total: 10)
        #expect(whole.ending(at: 10) == .complete)
        #expect(whole.ending(at: 9) == .cutShort)
        let unknown = ExpectedBody(start: 0, end: nil, total: nil)
        #expect(unknown.ending(at: 0) == .complete)
        #expect(unknown.ending(at: 10) == .complete)
        let rest = ExpectedBody(start: 5, end: 10, total: 10)
        #expect(rest.ending(at: 8) == .cutShort)
        #expect(rest.ending(at: 10) == .complete)
        let less = ExpectedBody(start: 5, end: 7, total: 10)
        #expect(less.ending(at: 6) == .cutShort)
        #expect(less.ending(at: 7) == .restMissing)
        #expect(ExpectedBody(start: 5, end: 10, total: nil).ending(at: 10) == .complete)
        #expect(ExpectedBody(start: 5, end: nil, total: 10).ending(at: 9) == .cutShort)
    }

    @Test("Not one byte more is allowed than was announced")
    func bounds() {
        let rest = ExpectedBody(start: 5, end: 7, total: 10)
        #expect(rest.allows(length: 7))
        #expect(!rest.allows(length: 8))
        let unknown = ExpectedBody(start: 0, end: nil, total: nil)
        #expect(unknown.allows(length: .max))
        let total = ExpectedBody(start: 0, end: nil, total: 10)
        #expect(total.allows(length: 10))
        #expect(!total.allows(length: 11))
    }
}
