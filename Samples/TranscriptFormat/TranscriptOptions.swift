package import Foundation
package import RunLoopNetworking

/// What the command line asks for.
package struct TranscriptOptions: Equatable, Sendable {
    /// Where the delegate hears its messages.
    package enum Place: String, CaseIterable, Sendable {
        case main
        case operationQueue = "operation-queue"
        case dispatchQueue = "dispatch-queue"
        case loop
    }

    /// What to send as the body.
    package enum Body: Equatable, Sendable {
        case text(String)
        case file(String)
        case stream(String)
    }

    /// One header field of the request.
    package struct Field: Equatable, Sendable {
        package let name: String
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Who is there, for servers and proxies that ask.
    package struct User: Equatable, Sendable {
        package let name: String
        package let password: String

        package init(name: String, password: String) {
            self.name = name
            self.password = password
        }
    }

    /// What to load; nil stands for a file of the embedded server.
    package var url: URL?

    // The request.
    package var method: String?
    package var fields: [Field] = []
    package var body: Body?
    /// In seconds.
    package var timeout: Double?
    package var authorityFile: String?
    /// Nil leaves it to the environment.
    package var proxy: ProxySettings?

    // What the delegate does.
    package var place = Place.main
    /// How long it takes for each message.
    package var slowness = Duration.zero
    package var cancelAfterBytes: Int64?
    package var cancelAfterMessages: Int64?
    package var pauseAfterBytes: Int64?
    package var pause: Duration?
    package var user: User?
    package var acceptsUntrusted = false
    package var refusesRedirects = false
    package var showsBody = false
    package var outputFile: String?

    // How often.
    package var rounds = 1
    package var parallel = 1

    package var readsQuestions = false
    package var wantsHelp = false

    package init() {}
}
