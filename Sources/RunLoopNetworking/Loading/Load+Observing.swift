internal import Foundation
internal import FoundationNetworking

// MARK: - What observers hear

extension Load {
    /// Tells those who observe, if anybody does.
    func tell(_ event: @autoclosure () -> ConnectionEvent) {
        observation?.tell(event())
    }

    /// Messages were handed to the delegate's side; behind the last one the load is over.
    func tellPosted(_ messages: [Message]) {
        guard let observation else { return }
        for message in messages { observation.tell(.message(message.observed)) }
        if isOver { tellEnd() }
    }

    /// The load is over; `error` says why unless all is well.
    ///
    /// Messages that are still to be handed on come first, but for a cancelled one, which has none.
    func willEnd(_ error: URLError?, isCancelled: Bool = false) {
        observation?.ending = error
        if isCancelled || !isFlushQueued { tellEnd() }
    }

    private func tellEnd() {
        guard let observation else { return }
        self.observation = nil
        observation.tell(.ended(observation.ending))
    }
}
