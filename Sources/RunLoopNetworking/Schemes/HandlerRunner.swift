internal import Dispatch
internal import Foundation
internal import FoundationNetworking

/// Makes, starts and stops the instance of a registered handler, on a serial queue of its own.
///
/// Any thread.
final class HandlerRunner: @unchecked Sendable {
    // Only the queue touches the instance; the rest are constants.
    private let queue = DispatchQueue(label: "RunLoopNetworking.handler")
    private let client: HandlerClient
    private var instance: URLProtocol?

    init(_ listener: @escaping @Sendable (HandlerEvent) -> Void) {
        client = HandlerClient(listener)
    }

    /// Makes an instance for a request, and starts it.
    func start(_ type: URLProtocol.Type, _ request: URLRequest) {
        queue.async { [self] in
            let instance = type.init(request: request, cachedResponse: nil, client: client)
            self.instance = instance
            instance.startLoading()
        }
    }

    /// Stops the instance; nothing more is heard of it.
    func stop() {
        client.close()
        queue.async { [self] in
            instance?.stopLoading()
            instance = nil
        }
    }
}
