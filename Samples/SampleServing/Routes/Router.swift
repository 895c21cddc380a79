/// Finds what to do for a request; a value in, a value out.
struct Router {
    private static let routes =
        Route.files + Route.timed + Route.broken + Route.redirects + Route.talk

    /// What to do for a request.
    func plan(for request: Request) -> Plan {
        do {
            return try find(request)
        } catch {
            return .answer(error.answer)
        }
    }

    private func find(_ request: Request) throws(Refusal) -> Plan {
        let name = request.components.first ?? ""
        if name.isEmpty, request.components.count <= 1 { return .answer(Self.list) }
        guard let route = Self.routes.first(where: { $0.name == name }) else {
            throw Refusal(
                status: 404,
                sentence: "there is no /\(name) here; GET / lists the routes"
            )
        }
        let arguments = request.components.dropFirst()
        guard route.arguments.contains(arguments.count), !arguments.contains("") else {
            throw Refusal(status: 404, sentence: "the form is \(route.form)")
        }
        guard route.methods.contains(request.method) else {
            let methods = route.methods.map(\.rawValue).joined(separator: ", ")
            throw Refusal(
                status: 405,
                sentence: "\(route.form) answers \(methods)",
                headers: [Answer.Header("Allow", methods)]
            )
        }
        return try route.plan(request, PathArguments(values: Array(arguments), form: route.form))
    }

    /// The list of routes, for people.
    private static let list: Answer = {
        let width = routes.map(\.form.count).max() ?? 0
        let lines = routes.map { route in
            route.form + String(repeating: " ", count: width - route.form.count + 2) + route.summary
        }
        return .text(
            (["The sample server. Sizes are written 10, 5kB, 10MB or 700MiB.", ""] + lines)
                .joined(separator: "\n")
        )
    }()
}
