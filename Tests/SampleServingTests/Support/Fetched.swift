import Foundation

/// What curl got for one request.
struct Fetched: Sendable {
    /// curl's exit status: 0, or the number of its error.
    let exit: Int32
    let status: Int
    let headers: [String: String]
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    /// Fetches a URL with curl; `arguments` come before it.
    static func get(_ url: String, _ arguments: String...) async throws -> Fetched {
        try await get(url, arguments)
    }

    /// Fetches a URL with curl; `arguments` come before it.
    static func get(_ url: String, _ arguments: [String]) async throws -> Fetched {
        let program = try await Program.run("curl", ["-sS", "-i", "-m", "50"] + arguments + [url])
        return Fetched(exit: program.status, message: Array(program.output))
    }

    /// Splits what `curl -i` wrote; of several heads (100, redirects) the last one counts.
    private init(exit: Int32, message: [UInt8]) {
        self.exit = exit
        var rest = message[...]
        var lines: [String] = []
        let end = Array("\r\n\r\n".utf8)
        while rest.starts(with: Array("HTTP/".utf8)), let border = rest.firstRange(of: end) {
            lines = String(decoding: rest[..<border.lowerBound], as: UTF8.self)
                .components(separatedBy: "\r\n")
            rest = rest[border.upperBound...]
        }
        body = Array(rest)
        status = lines.first.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let sides = line.components(separatedBy: ": ")
            headers[sides[0].lowercased()] = sides.dropFirst().joined(separator: ": ")
        }
        self.headers = headers
    }
}
