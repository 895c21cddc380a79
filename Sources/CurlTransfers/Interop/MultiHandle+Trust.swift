private import CLibcurl
private import EventLoops

// MARK: - Handshakes that wait for an answer

extension MultiHandle {
    /// Lets a handshake go on that waited for an answer.
    ///
    /// - Parameters:
    ///   - transfer: One whose delegate was asked; nothing happens with any other.
    ///   - isShared: Whether the decision was left to OpenSSL, so that others of the owner's kind may
    ///     use the network connection.
    package func proceed(_ transfer: Transfer, isShared: Bool) {
        loop.preconditionIsCurrent()
        guard !isInCurl else {
            return deferred.append { [unowned self] in proceed(transfer, isShared: isShared) }
        }
        guard isKnown(transfer), let handshake = transfer.handshake, handshake.isHeld else {
            return
        }
        transfer.sharesConnection = transfer.sharesConnection && isShared
        if let question = handshake.proceed() {
            transfer.delegate?.transfer(transfer, asks: question)
        } else {
            // libcurl waits for room in the socket, and has been told of none since.
            setInterest(.write, for: transfer)
            held.remove(ObjectIdentifier(transfer))
        }
    }

    /// A handshake waits from now on; libcurl is not to look for room in the socket meanwhile.
    func hold(_ transfer: Transfer, _ question: HandshakeQuestion) {
        guard isInCurl else { return }
        deferred.append { [unowned self] in
            guard isKnown(transfer), let easy = transfer.easy else { return }
            wait(for: transfer)
            easy.waitAsLongAsItTakes()
            setInterest([], for: transfer)
            transfer.delegate?.transfer(transfer, asks: question)
        }
    }

    /// For a moment others to the same server wait, for they may share the network connection then.
    private func wait(for transfer: Transfer) {
        let identifier = ObjectIdentifier(transfer)
        let timer = loop.timer(after: HeldHandshakes.moment) { [unowned self] in
            held.isLong(identifier)
            letOthersGo()
        }
        held.insert(identifier, timer)
    }

    /// Transfers to the same server don't wait to see whether this network connection can carry them.
    private func letOthersGo() {
        for other in transfers.values where !other.hasBegun && !other.request.isPlain {
            guard let easy = other.easy else { continue }
            easy.waitForNoOther()
            // libcurl looks again only when a network connection ends, or a transfer is new.
            readd(easy)
        }
    }

    /// A network connection was chosen that is not this transfer's to use: it gets one of its own.
    ///
    /// Nothing has been sent.
    func renew(_ transfer: Transfer) {
        transfer.needsOwnConnection = false
        guard isKnown(transfer), let easy = transfer.easy else { return }
        easy.useNoOther()
        readd(easy)
    }

    private func readd(_ easy: EasyHandle) {
        enterCurl {
            unsafe expectOK(curl_multi_remove_handle(pointer, easy.pointer), "a renewal")
            unsafe expectOK(curl_multi_add_handle(pointer, easy.pointer), "a renewal")
        }
    }

    private func isKnown(_ transfer: Transfer) -> Bool {
        transfers[ObjectIdentifier(transfer)] === transfer
    }

    private func setInterest(_ interest: Readiness, for transfer: Transfer) {
        for socket in transfer.openedSockets where openers[socket] == ObjectIdentifier(transfer) {
            do {
                try watchers[socket]?.setInterest(interest)
            } catch {
                // A socket that can't be watched would never be heard of: libcurl finds out by itself.
                loop.atFlush { [weak self] in self?.socketIsReady(socket, [.read, .write]) }
            }
        }
    }
}
