// MARK: - Time

extension Route {
    /// The routes that take their time.
    static let timed: [Route] = [
        Route(
            "/slow/<milliseconds>/<size>",
            "a file, after a wait",
            arguments: 2...2
        ) { request, arguments throws(Refusal) in
            // A day is more than any client waits.
            let delay = try arguments.number(0, in: 0...86_400_000)
            let file = PatternFile(size: try arguments.size(1), name: "slow.bin")
            var answer = file.answer(to: request)
            answer.delay = .milliseconds(delay)
            return .answer(answer)
        },
        Route(
            "/paced/<bytesPerSecond>/<size>",
            "a file, in small pieces, evenly; the rate is written like a size",
            arguments: 2...2
        ) { request, arguments throws(Refusal) in
            let rate = try arguments.size(0)
            guard rate > 0 else {
                throw Refusal(status: 400, sentence: "the rate must be 1 byte per second or more")
            }
            let file = PatternFile(size: try arguments.size(1), name: "paced.bin")
            var answer = file.answer(to: request)
            answer.bytesPerSecond = rate
            return .answer(answer)
        },
        Route("/silent", "takes the request and never answers", methods: .all) { _, _ in .silence },
    ]
}
