internal import ContentCodings

// MARK: - Coded bodies

extension Transfer {
    /// CURLOPT_WRITEFUNCTION for a body that is decoded here: all is taken, or nothing.
    func received(codedBody body: UnsafeRawBufferPointer) -> Int {
        guard decoding?.held == nil else {
            // libcurl keeps these bytes, and brings all of them again.
            isPausedInCurl = true
            return EasyHandle.pauseMark
        }
        return unsafe decodeAndDeliver(body) ? body.count : -1
    }

    /// Goes on with what was held back; returns false when the transfer has to end.
    func deliverHeld() -> Bool {
        guard let held = decoding?.held else { return true }
        decoding?.held = nil
        switch offer(held.piece) {
        case .taken:
            return unsafe held.rest.withUnsafeBytes { unsafe decodeAndDeliver($0) }
        case .refused:
            decoding?.held = held
            return true
        case .ended:
            return false
        }
    }

    /// libcurl is done; returns how the transfer ends, or nil while bytes are held back.
    func ended(with outcome: TransferOutcome) -> TransferOutcome? {
        guard let decoding else { return outcome }
        guard decoding.held == nil else {
            self.decoding?.ending = outcome
            return nil
        }
        if let failure = decoding.failure { return outcome.failed(failure.sentence) }
        guard outcome.code == .ok else { return outcome }
        do throws(CodingError) {
            try decoding.decoder.end()
            return outcome
        } catch {
            return outcome.failed(error.sentence)
        }
    }

    /// Returns false when the transfer has to end.
    private func decodeAndDeliver(_ body: UnsafeRawBufferPointer) -> Bool {
        guard let decoder = decoding?.decoder else { return false }
        var rest = unsafe body
        while true {
            var progress = DecodingProgress()
            let piece: SlabPiece?
            do throws(CodingError) {
                piece = unsafe try filler?.fill(upTo: BodyDecoding.step) {
                    (room: UnsafeMutableRawBufferPointer) throws(CodingError) -> Int in
                    progress = unsafe try decoder.decode(rest, into: room)
                    return progress.written
                }
            } catch {
                decoding?.failure = error
                return false
            }
            unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest[progress.consumed...])
            if let piece {
                switch offer(piece) {
                case .taken: break
                case .refused:
                    decoding?.held = unsafe BodyDecoding.Held(piece: piece, rest: Array(rest))
                    return true
                case .ended: return false
                }
            }
            if progress.isDrained { return true }
        }
    }

    private enum Offer {
        case taken
        case refused
        case ended
    }

    private func offer(_ piece: SlabPiece) -> Offer {
        guard !isRemoved, let delegate else { return .ended }
        let answer = delegate.transfer(self, willReceive: piece.count)
        // A delegate that removes its transfer while it is asked hears nothing more.
        guard !isRemoved else { return .ended }
        switch answer {
        case .take:
            delegate.transfer(self, didReceive: piece)
            return .taken
        case .discard:
            return .taken
        case .pause:
            isPaused = true
            return .refused
        case .stop:
            return .ended
        }
    }
}
