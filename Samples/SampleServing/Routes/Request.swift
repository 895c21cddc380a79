/// What a client asked for, as a value.
struct Request: Equatable {
    enum Method: String {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
        case options = "OPTIONS"
        case patch = "PATCH"
    }

    let method: Method
    /// The path's components, decoded; one that is empty for the path `/`.
    let components: [String]
    let headers: [Answer.Header]
    let body: [UInt8]

    private let parameters: [String: String]

    /// Reads the path and the query, which are as the client encoded them.
    init(
        method: Method,
        path: String,
        query: String = "",
        headers: [Answer.Header] = [],
        body: [UInt8] = []
    ) {
        self.method = method
        components = path.drop { $0 == "/" }
            .split(separator: "/", omittingEmptySubsequences: false)
            .map { PercentEncoding.decode($0) }
        self.headers = headers
        self.body = body
        var parameters: [String: String] = [:]
        for field in query.split(separator: "&") {
            let sides = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = sides.count == 2 ? PercentEncoding.decode(sides[1]) : ""
            parameters[PercentEncoding.decode(sides[0])] = value
        }
        self.parameters = parameters
    }

    /// The value of a header field; several of one name are one list.
    func header(_ name: String) -> String? {
        let values = headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// The value of a parameter of the query, decoded.
    func parameter(_ name: String) -> String? { parameters[name] }
}
