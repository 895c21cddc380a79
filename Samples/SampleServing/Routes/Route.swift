/// One kind of path that the server answers.
struct Route: Sendable {
    /// How the path is written, as the list of routes and the refusals show it.
    let form: String

    /// What the server does, in one line.
    let summary: String

    /// The methods that it answers.
    let methods: [Request.Method]

    /// How many components may follow the route's name.
    let arguments: ClosedRange<Int>

    /// What to do for a request whose method and number of components are right.
    let plan: @Sendable (Request, PathArguments) throws(Refusal) -> Plan

    /// The first component of the path.
    var name: String {
        String(form.dropFirst().prefix { $0 != "/" && $0 != "?" })
    }

    init(
        _ form: String,
        _ summary: String,
        methods: [Request.Method] = [.get, .head],
        arguments: ClosedRange<Int> = 0...0,
        plan: @escaping @Sendable (Request, PathArguments) throws(Refusal) -> Plan
    ) {
        self.form = form
        self.summary = summary
        self.methods = methods
        self.arguments = arguments
        self.plan = plan
    }
}

extension [Request.Method] {
    /// Every method that the server reads.
    static let all: Self = [.get, .head, .post, .put, .delete, .options, .patch]
}
