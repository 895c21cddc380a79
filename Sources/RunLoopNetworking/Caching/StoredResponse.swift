internal import Foundation

/// The head of a response that is kept, with what is needed to use it again; its body lies elsewhere.
struct StoredResponse: Sendable, Equatable {
    /// The URL that was asked, without its fragment.
    let url: String

    /// The head, without the fields that belong to one network connection.
    var head: HeaderBlock

    /// Whether the body that is kept has lost a coding that the head names.
    let isDecoded: Bool

    /// Which requests it answers.
    var vary: VarySelection

    /// When its request went out, and when its head came.
    var requestTime: Date
    var responseTime: Date

    /// What the owner keeps with it, as a property list.
    var userInfo: Data?

    /// How old it is and how long it lasts.
    var freshness: Freshness {
        Freshness(head, requestTime: requestTime, responseTime: responseTime)
    }

    /// The directives of its Cache-Control.
    var cacheControl: CacheControl { CacheControl(head.values(for: "Cache-Control")) }

    /// Whether a request for the same URL is answered by it, however old it is.
    ///
    /// The body was decoded or not as the first request wanted it; whoever wants it otherwise has to
    /// ask the origin.
    func answers(_ fields: RequestFields, _ codings: AcceptedCodings) -> Bool {
        let wantsDecoding = !codings.steps(for: head.contentCodings).isEmpty
        return vary.matches(fields) && wantsDecoding == isDecoded
    }

    /// The head as it is handed out at a moment, with its age (RFC 9111 section 5.1).
    func head(at now: Date) -> HeaderBlock {
        let age = min(freshness.age(at: now), Double(CacheControl.mostSeconds))
        let fields = head.fields.filter { !$0.isNamed("Age") }
        return head.replacing(fields + [HeaderField(name: "Age", value: String(Int(age)))])
    }
}

extension HeaderBlock {
    /// The same head with other fields.
    func replacing(_ fields: [HeaderField]) -> HeaderBlock {
        HeaderBlock(
            statusCode: statusCode,
            httpVersion: httpVersion,
            reason: reason,
            fields: fields
        )
    }
}
