private import CLibevent
internal import EventLoops

/// evhttp on a loop: it takes requests, and gives each one to an exchange.
///
/// Loop affinity.
@safe
final class HTTPService {
    /// How many bytes the body of a request may have: they are all kept for `/echo`.
    private static let largestBody = 256 << 20

    private unowned let loop: EventLoop
    private let checksums: ChecksumDesk
    private let router = Router()
    private let http: OpaquePointer

    private var exchanges: [Int: Exchange] = [:]
    private var lastIdentifier = 0

    /// This service, for other threads to hand to the loop; nil before ``open(_:myself:)``.
    private var myself: LoopBound<HTTPService>?

    /// Prepares a service that listens nowhere yet.
    ///
    /// Call it on the loop.
    init(loop: EventLoop, checksums: ChecksumDesk) {
        guard let http = unsafe evhttp_new(loop.base.pointer) else {
            preconditionFailure("evhttp_new failed: no memory is left")
        }
        unsafe self.http = http
        self.loop = loop
        self.checksums = checksums
    }

    /// Takes the network connections that come to a listening descriptor, which it owns from now on.
    func open(_ descriptor: Int32, myself: LoopBound<HTTPService>) {
        self.myself = myself
        unsafe evhttp_set_allowed_methods(http, ServedRequest.allowedMethods)
        unsafe evhttp_set_max_body_size(http, Self.largestBody)
        unsafe evhttp_set_gencb(
            http,
            { request, context in
                guard let request = unsafe request else { return }
                unsafe CallbackContext<HTTPService>.owner(behind: context).received(request)
            },
            CallbackContext(unretained: self).pointer
        )
        let result = unsafe evhttp_accept_socket(http, descriptor)
        precondition(result == 0, "evhttp_accept_socket failed: no memory is left")
    }

    /// Closes every network connection and the listening descriptor; the service is used up.
    func close() {
        unsafe evhttp_free(http)
        myself = nil
        precondition(exchanges.isEmpty, "evhttp closed a network connection and did not say so")
    }
}

// MARK: - Requests

extension HTTPService {
    private func received(_ request: OpaquePointer) {
        guard let asked = unsafe ServedRequest.read(request),
            let served = unsafe ServedRequest(request)
        else {
            unsafe evhttp_send_error(request, Int32(HTTP_NOTIMPLEMENTED), nil)
            return
        }
        lastIdentifier += 1
        let identifier = lastIdentifier
        let exchange = Exchange(served, method: asked.method, loop: loop)
        exchanges[identifier] = exchange
        served.over = { [unowned self] in
            exchanges[identifier] = nil
            checksums.withdraw(identifier)
        }
        switch router.plan(for: asked) {
        case .answer(let answer):
            exchange.begin(answer)
        case .checksum(let size, let name):
            answer(identifier, withChecksumOf: size, name)
        case .silence:
            break
        }
    }

    private func answer(_ identifier: Int, withChecksumOf size: Int64, _ name: String) {
        guard let myself else { return }
        let loop = loop
        checksums.digest(ofSize: size, for: identifier) { digest in
            loop.perform {
                let exchange = myself.onLoop.exchanges[identifier]
                exchange?.begin(.text("\(digest)  \(name)"))
            }
        }
    }
}
