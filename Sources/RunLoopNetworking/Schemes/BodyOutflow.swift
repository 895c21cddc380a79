internal import CurlTransfers
internal import Foundation
internal import FoundationNetworking

/// Responses and bytes that are here already, on their way to a delegate that may be slow.
///
/// Loop affinity.
struct BodyOutflow {
    private enum Item {
        case response(URLResponse)
        case data(Data)
    }

    /// How many bytes are handed on at a time.
    private static let step = 64 << 10

    private var waiting: [Item] = []
    private let pool = SlabPool()

    /// Adds a response behind what waits.
    mutating func append(_ response: URLResponse) {
        waiting.append(.response(response))
    }

    /// Adds bytes behind what waits.
    mutating func append(_ data: Data) {
        if !data.isEmpty { waiting.append(.data(data)) }
    }

    /// Emits as much as there is room for; false when some of it has to wait.
    mutating func flow(into load: Load) -> Bool {
        while let first = waiting.first {
            switch first {
            case .response(let response):
                load.emit(.response(response))
                waiting.removeFirst()
            case .data(let data):
                let step = data.prefix(Self.step)
                guard load.room(for: step.count) else { return false }
                load.emit(.data(unsafe step.withUnsafeBytes { unsafe pool.piece(copying: $0) }))
                let rest = data.dropFirst(step.count)
                if rest.isEmpty { waiting.removeFirst() } else { waiting[0] = .data(rest) }
            }
        }
        return true
    }
}
