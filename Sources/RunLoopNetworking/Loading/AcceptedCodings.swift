internal import ContentCodings
internal import Foundation
internal import FoundationNetworking

/// Decides which content codings a request asks for, and which of a response are taken off.
///
/// - By default what can be decoded is decoded, and the usual codings are asked for.
/// - A caller who sets Accept-Encoding gets decoded what it names, and the rest as it comes: with
///   `identity`, the very bytes that are stored at the server.
/// - With Range nothing is asked for or decoded: offsets count coded bytes (RFC 9110 section 14.1.2).
struct AcceptedCodings {
    private enum Choice {
        case ours(isSecure: Bool)
        case none
        case callers([String])
    }

    /// More codings than anybody applies are handed on as they come.
    private static let maximumCount = 5

    private let choice: Choice

    init(_ request: URLRequest) {
        let fields = request.allHTTPHeaderFields ?? [:]
        if fields.keys.contains(where: { WireText.isSameName($0, "Range") }) {
            choice = .none
        } else if let own = fields.first(where: { WireText.isSameName($0.key, "Accept-Encoding") })
        {
            choice = .callers(Self.names(acceptedBy: own.value))
        } else {
            choice = .ours(isSecure: request.url?.scheme?.lowercased() == "https")
        }
    }

    /// The value of Accept-Encoding to add to the caller's fields; nil adds none.
    ///
    /// As Apple has it: br only where no intermediary reads along, some of which break on it.
    var fieldValue: String? {
        switch choice {
        case .ours(let isSecure): isSecure ? "gzip, deflate, br" : "gzip, deflate"
        case .none, .callers: nil
        }
    }

    /// The codings to take off a body, first the one that was applied last; none leaves it as it comes.
    ///
    /// The names are what Content-Encoding lists, in lower case and in the order of application.
    func steps(for names: [String]) -> [ContentCoding] {
        var steps: [ContentCoding] = []
        for name in names where !name.isEmpty && name != "identity" {
            guard isAccepted(name), let coding = ContentCoding(name: name) else { return [] }
            steps.insert(coding, at: 0)
        }
        return steps.count <= Self.maximumCount ? steps : []
    }

    private func isAccepted(_ name: String) -> Bool {
        switch choice {
        case .ours: true
        case .none: false
        case .callers(let names):
            names.contains("*")
                || names.contains(name.hasPrefix("x-") ? String(name.dropFirst(2)) : name)
        }
    }

    /// The names in a value of Accept-Encoding, without those of weight 0 (RFC 9110 section 12.5.3).
    private static func names(acceptedBy value: String) -> [String] {
        WireText.lowercase(value).split(separator: ",").compactMap { element in
            let parts = element.split(separator: ";").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard let name = parts.first else { return nil }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
            guard weight.map({ Double($0) != 0 }) ?? true else { return nil }
            return name.hasPrefix("x-") ? String(name.dropFirst(2)) : name
        }
    }
}
