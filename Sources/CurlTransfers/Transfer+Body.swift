// MARK: - The body that goes out

extension Transfer {
    /// Sends no more of the body: the response says that the server does not want it.
    ///
    /// Called while the response's head is received. Where the network connection stays open libcurl
    /// does so by itself from a status of 300 on, and closes it afterwards; where the server is about to
    /// close it, libcurl would go on sending until it had read the response.
    package func stopSending() {
        guard bodyProgress != nil, !isSendingStopped else { return }
        isSendingStopped = true
        // A pause that is left over would keep libcurl waiting for a body that it has given up.
        guard isSendingPaused else { return }
        isSendingPaused = false
        _ = easy?.pause(receiving: isPausedInCurl, sending: false)
    }

    /// CURLOPT_READFUNCTION: how many bytes were copied, or one of the marks.
    func read(into room: UnsafeMutableRawBufferPointer) -> Int {
        guard !isRemoved, delegate != nil, var progress = bodyProgress else {
            return EasyHandle.abortReadMark
        }
        if isSendingStopped {
            isSendingPaused = true
            heldBack?.add(self)
            return EasyHandle.pauseReadMark
        }
        if let sent = progress.asked() { delegate?.transfer(self, didSend: sent) }
        let count = progress.room(for: room.count)
        var answer = BodyRead.end
        if count > 0 {
            answer = unsafe read(into: .init(rebasing: room[..<count]), from: progress.handedOver)
        }
        switch answer {
        case .bytes(let count):
            progress.handOver(count)
            bodyProgress = progress
            return count
        case .later:
            bodyProgress = progress
            isSendingPaused = true
            return EasyHandle.pauseReadMark
        case .end:
            bodyProgress = progress
            // A body that is cut must not look whole.
            let isShort = progress.length.map { progress.handedOver < $0 } ?? false
            return isShort ? EasyHandle.abortReadMark : 0
        case .failed:
            return EasyHandle.abortReadMark
        }
    }

    private func read(into room: UnsafeMutableRawBufferPointer, from offset: Int64) -> BodyRead {
        switch request.body {
        case .bytes(let bytes):
            let count = unsafe bytes.read(from: Int(offset), into: room)
            return count > 0 ? .bytes(count) : .end
        case .source(let source, _):
            return unsafe source.read(into: room)
        case nil:
            return .end
        }
    }

    /// CURLOPT_SEEKFUNCTION: whether the body can be sent again from there.
    func rewind(to offset: Int64) -> Bool {
        guard var progress = bodyProgress else { return false }
        if case .bytes = request.body {
            progress.rewind(to: offset)
            bodyProgress = progress
            return true
        }
        return progress.handedOver == offset
    }

    /// CURLOPT_XFERINFOFUNCTION: how many bytes libcurl has written behind the head so far.
    func wrote(bytes: Int64) {
        guard bytes != bytesWritten else { return }
        bytesWritten = bytes
        didMakeProgress()
        guard !isRemoved, let sent = bodyProgress?.wrote(bytes) else { return }
        delegate?.transfer(self, didSend: sent)
    }
}
