internal import EventLoops
internal import Foundation
internal import FoundationNetworking
internal import Synchronization

/// The subclasses of URLProtocol that are asked before anything is loaded.
///
/// Foundation keeps a register of its own, which nobody else can read. Any thread.
enum ProtocolHandlers {
    /// A handler that takes a request.
    struct Match: Sendable {
        let type: URLProtocol.Type
        /// The request as the handler wants to have it.
        let request: URLRequest
    }

    /// In the order in which they were registered; guarded.
    private static let types = Guarded<[URLProtocol.Type]>([])

    /// How many there are: loads look at this, and at the guarded list only where there are some.
    private static let count = Atomic(0)

    /// Whether there are any.
    static var areRegistered: Bool { count.load(ordering: .acquiring) > 0 }

    /// Adds a type as the first one to be asked; one that is there already comes to the front.
    static func register(_ type: URLProtocol.Type) {
        types.withLock { types in
            types.removeAll { $0 == type }
            types.append(type)
            count.store(types.count, ordering: .releasing)
        }
    }

    /// Takes a type out.
    static func unregister(_ type: URLProtocol.Type) {
        types.withLock { types in
            types.removeAll { $0 == type }
            count.store(types.count, ordering: .releasing)
        }
    }

    /// Asks one after another, the last registered first; runs code of the program's.
    static func match(for request: URLRequest) -> Match? {
        let types = types.withLock { $0 }
        guard let type = types.last(where: { $0.canInit(with: request) }) else { return nil }
        return Match(type: type, request: type.canonicalRequest(for: request))
    }
}
