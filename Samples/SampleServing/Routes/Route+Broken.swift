// MARK: - Broken answers

extension Route {
    /// The routes that break the network connection or lie about the length.
    ///
    /// `/reset` and `/short` honour ranges, and an answer that is not longer than they let through
    /// comes whole: so a client that resumes reaches the end.
    static let broken: [Route] = [
        Route(
            "/reset/<size>/<after>",
            "a file whose answers are reset (RST) after so many bytes",
            arguments: 2...2
        ) { request, arguments throws(Refusal) in
            .answer(try cut(request, arguments, ending: .reset))
        },
        Route(
            "/short/<announced>/<sent>",
            "a file whose answers are closed (FIN) after so many bytes",
            arguments: 2...2
        ) { request, arguments throws(Refusal) in
            .answer(try cut(request, arguments, ending: .hangUp))
        },
        Route(
            "/long/<announced>/<sent>",
            "an answer that sends more bytes than it announces",
            arguments: 2...2
        ) { _, arguments throws(Refusal) in
            let announced = try arguments.size(0)
            let sent = try arguments.size(1)
            guard sent > announced else {
                throw Refusal(
                    status: 400,
                    sentence: "\(arguments.form) must send more than it announces; /short does less"
                )
            }
            var answer = Answer(
                headers: [Answer.Header("Content-Type", "application/octet-stream")],
                body: .pattern(0..<sent)
            )
            answer.framing = .length(announced)
            answer.ending = .hangUp
            return .answer(answer)
        },
    ]

    private static func cut(
        _ request: Request,
        _ arguments: PathArguments,
        ending: Answer.Ending
    ) throws(Refusal) -> Answer {
        let file = PatternFile(size: try arguments.size(0), name: "\(request.components[0]).bin")
        let limit = try arguments.size(1)
        var answer = file.answer(to: request)
        if answer.body.count > limit {
            answer.limit = limit
            answer.ending = ending
        }
        return answer
    }
}
