internal import Foundation
internal import FoundationNetworking

/// A request that a registered handler answers.
final class HandlerExchange: Exchange, @unchecked Sendable {
    // Loop affinity; Sendable so that the handler's events can find it again.
    private let load: Load
    private let type: URLProtocol.Type
    private var runner: HandlerRunner?
    private var outflow = BodyOutflow()
    private var hasResponse = false
    private var isChallenging = false

    /// What is done when the delegate has all that came before.
    private var ending: (() -> Void)?

    init(load: Load, type: URLProtocol.Type) {
        self.load = load
        self.type = type
    }

    func start() {
        load.touch()
        let runner = HandlerRunner { [self, loop = load.loop] event in
            loop.perform { [self] in hear(event) }
        }
        self.runner = runner
        runner.start(type, load.request)
    }

    func resumeReading() {
        flow()
    }

    func stop() {
        runner?.stop()
        runner = nil
    }

    private func hear(_ event: HandlerEvent) {
        guard runner != nil, ending == nil else { return }
        if isChallenging { load.resumeIdleClock() }
        isChallenging = false
        load.touch()
        switch event {
        case .response(let response):
            hasResponse = true
            outflow.append(response)
        case .data(let data):
            guard hasResponse else { return end { [self] in fail(Self.noResponse) } }
            outflow.append(data)
        case .finished:
            guard hasResponse else { return end { [self] in fail(Self.noResponse) } }
            end { [self] in finish() }
        case .failed(let error):
            end { [self] in fail(Failure(handler: error)) }
        case .redirect(let request, let response):
            end { [self] in redirect(to: request, response) }
        case .challenge(let challenge):
            ask(challenge)
        case .challengeWithdrawn(let challenge):
            load.emit(.challengeWithdrawn(challenge))
        }
        flow()
    }

    private func end(_ action: @escaping () -> Void) {
        ending = action
        flow()
    }

    private func flow() {
        guard runner != nil, outflow.flow(into: load), let ending else { return }
        stop()
        ending()
    }

    private func finish() {
        load.finish()
    }

    private func fail(_ failure: Failure) {
        load.fail(failure)
    }

    /// The handler's own sender gets the answer.
    private func ask(_ challenge: URLAuthenticationChallenge) {
        if load.challengeInterest.covers(challenge.protectionSpace.authenticationMethod) {
            isChallenging = true
            load.suspendIdleClock()
            load.emit(.challenge(challenge))
        } else {
            challenge.sender?.performDefaultHandling(for: challenge)
        }
    }

    private static let noResponse = Failure(
        .badServerResponse,
        "The registered handler told data or an end before any response."
    )
}

// MARK: - Redirects

extension HandlerExchange {
    private func redirect(to next: URLRequest, _ response: URLResponse) {
        guard load.redirectCount < RedirectRules.limit else {
            let count = RedirectRules.limit
            return fail(Failure(.httpTooManyRedirects, "There were more than \(count) redirects."))
        }
        guard isAllowed(next.url) else {
            return fail(
                Failure(.unsupportedURL, "The handler redirects from HTTP to another scheme.")
            )
        }
        guard load.isAskedBeforeSending else { return load.follow(next) }
        load.ask {
            .willSend(next, response, answer: $0)
        } then: { [self] (answer: URLRequest?) in
            if let answer { return load.follow(answer) }
            load.emit(.response(response))
            load.finish()
        }
    }

    /// Whoever plays a server may do what a server may, and lead to handlers besides.
    private func isAllowed(_ next: URL?) -> Bool {
        guard let next, let url = load.request.url, LoadableURL.hasKnownScheme(url) else {
            return true
        }
        let scheme = LoadableScheme(of: next)
        return scheme == .http || scheme == nil
    }
}

extension Failure {
    /// What a handler's error amounts to; the error itself lies underneath.
    init(handler error: any Error) {
        let cause = error as NSError
        let code = cause.domain == NSURLErrorDomain ? URLError.Code(rawValue: cause.code) : nil
        self.init(code ?? .unknown, cause.localizedDescription, underlying: cause)
    }
}
