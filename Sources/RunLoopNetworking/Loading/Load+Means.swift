internal import Dispatch
internal import Foundation
internal import FoundationNetworking

// MARK: - By what means a request is loaded

extension Load {
    /// Finds out whether a registered handler takes the request, then calls `proceed` on the loop.
    ///
    /// The handlers are the program's own code, and are asked off the loop. Where there are none,
    /// `proceed` is called before this returns.
    func findHandler(then proceed: @escaping @Sendable () -> Void) {
        handler = nil
        guard ProtocolHandlers.areRegistered else { return proceed() }
        idle.rest()
        DispatchQueue.global().async { [self, request, loop] in
            let match = ProtocolHandlers.match(for: request)
            loop.perform { [self] in
                guard !isOver else { return }
                handler = match?.type
                if let match { change(to: match.request) }
                proceed()
            }
        }
    }

    /// Chooses the means by which the request is loaded.
    ///
    /// - Throws: ``Failure`` when there is none, or the request can't be sent.
    func makeExchange() throws(Failure) -> any Exchange {
        if let handler { return HandlerExchange(load: self, type: handler) }
        guard let url = request.url?.absoluteURL else { return try makeHTTPExchange() }
        return switch LoadableScheme(of: url) {
        case .data: try DataExchange(load: self, url: url)
        case .ftp: try FTPExchange(load: self, url: url)
        case .file: try FileExchange(load: self, url: url)
        case .http, nil: try makeHTTPExchange()
        }
    }
}
