import Testing

@testable import CurlTransfers

@Suite("Whether a request goes out again", .timeLimit(.minutes(1)))
struct RepeatRulesTests {
    private static func attempt(
        isOnKept: Bool = true,
        isHTTP2: Bool = false,
        isInVain: Bool = false
    ) -> RepeatRules.Attempt {
        RepeatRules.Attempt(isOnKept: isOnKept, isHTTP2: isHTTP2, isInVain: isInVain)
    }

    @Test(
        "Without an answer, HTTP/2 repeats only what is the same twice, or was not seen",
        arguments: [
            ("GET", attempt(), false, true), ("POST", attempt(), false, true),
            ("GET", attempt(isHTTP2: true), false, true),
            ("DELETE", attempt(isHTTP2: true), false, true),
            ("get", attempt(isHTTP2: true), false, false),
            ("POST", attempt(isHTTP2: true), false, false),
            ("POST", attempt(isHTTP2: true), true, true),
            ("POST", attempt(isHTTP2: true, isInVain: true), false, true),
        ]
    )
    func second(
        method: String,
        first: RepeatRules.Attempt,
        isWithoutError: Bool,
        mayRepeat: Bool
    ) {
        var rules = RepeatRules(method: method)
        let sent = rules.send(first, isWithoutError: false)
        let sentAgain = rules.send(Self.attempt(), isWithoutError: isWithoutError)
        #expect(sent)
        #expect(sentAgain == mayRepeat)
    }

    @Test("What was answered may go out again, as often as it is answered")
    func answered() {
        var rules = RepeatRules(method: "POST")
        var sent: [Bool] = []
        for _ in 1...3 {
            sent.append(rules.send(Self.attempt(), isWithoutError: false))
            rules.answer()
        }
        for _ in 1...2 {
            sent.append(rules.send(Self.attempt(isHTTP2: true), isWithoutError: false))
        }
        #expect(sent == [true, true, true, true, false])
    }

    @Test("Another transfer is worth it after a kept network connection alone")
    func another() {
        var rules = RepeatRules(method: "GET")
        #expect(!rules.isWorthAnother(.http2))
        _ = rules.send(Self.attempt(), isWithoutError: true)
        #expect(rules.isWorthAnother(.http2))
        #expect(!rules.isWorthAnother(.http2Stream))
        #expect(!rules.isWorthAnother(.operationTimedOut))
        rules.answer()
        #expect(!rules.isWorthAnother(.http2))
        _ = rules.send(Self.attempt(isOnKept: false), isWithoutError: true)
        #expect(!rules.isWorthAnother(.http2))
        var post = RepeatRules(method: "POST")
        _ = post.send(Self.attempt(isHTTP2: true), isWithoutError: true)
        #expect(!post.isWorthAnother(.http2))
        var unseen = RepeatRules(method: "POST")
        _ = unseen.send(Self.attempt(isInVain: true), isWithoutError: true)
        #expect(unseen.isWorthAnother(.sendFailedToRewind))
    }
}
