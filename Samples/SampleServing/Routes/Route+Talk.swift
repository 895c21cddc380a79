// MARK: - What the client said

extension Route {
    /// The routes that say what the server heard.
    static let talk: [Route] = [
        Route(
            "/echo",
            "the body of a POST or PUT; the header Echo-Method has the method",
            methods: [.post, .put]
        ) { request, _ in
            let type = request.header("Content-Type") ?? "application/octet-stream"
            let headers = [
                Answer.Header("Content-Type", type),
                Answer.Header("Echo-Method", request.method.rawValue),
            ]
            return .answer(Answer(headers: headers, body: .bytes(request.body)))
        },
        Route("/headers", "the request's header fields, a line each", methods: .all) { request, _ in
            let lines = request.headers.map { "\($0.name): \($0.value)" }
            return .answer(.text(lines.joined(separator: "\n")))
        },
    ]
}
