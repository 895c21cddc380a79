package import ContentCodings

/// One request and its response at libcurl's level.
///
/// Loop affinity: made anywhere, and touched on its loop from the moment it is added.
package final class Transfer {
    /// What is asked for.
    package let request: TransferRequest

    /// Who hears of it; the transfer keeps no one alive.
    package weak var delegate: (any TransferDelegate)?

    /// Whether the delegate hears how far it has come, and gets figures at the end.
    package var isObserved = false

    /// Whether bytes are held back until ``MultiHandle/resume(_:)``.
    package internal(set) var isPaused = false

    /// Whether libcurl holds bytes back as well, and reads no more.
    var isPausedInCurl = false

    /// Whether libcurl waits for more of the body before it sends on.
    package internal(set) var isSendingPaused = false

    /// Whether the rest of the body is not wanted any more.
    var isSendingStopped = false

    /// Where it waits while its body is held back.
    var heldBack: HeldBackBodies?

    /// How far the body has come; nil when there is none, or an empty one.
    var bodyProgress: BodyProgress?

    /// What takes the codings off the body; nil when it is handed on as it comes.
    var decoding: BodyDecoding?

    /// The easy handle while the transfer is in a multi handle.
    var easy: EasyHandle?

    /// Whether it was ever added to a multi handle.
    var wasAdded = false

    /// Whether it was taken out while libcurl was in a callback, and libcurl does not know yet.
    var isRemoved = false

    /// Sockets that were opened for this transfer: readiness on them is progress of its own.
    var openedSockets: [Int32] = []

    /// Whether the easy handle is kept when the transfer is over, instead of being used for others.
    private(set) var keepsEasy = false

    /// The easy handle of a transfer that is over, for one that continues it.
    var keptEasy: EasyHandle?

    private var continued: Transfer?

    /// Whether it may go out more than once.
    private(set) var repeats: RepeatRules

    /// Whether libcurl was kept from sending it again.
    private(set) var isRepetitionRefused = false

    /// Whether the network connection stands, to the server or through a tunnel.
    private var isConnected = false

    /// The last head that a proxy sent in answer to CONNECT.
    private(set) var proxyHead: [[UInt8]] = []

    /// How many lines of it are kept.
    private static let proxyHeadLimit = 100

    /// The last TLS handshake with the server that was made for this transfer.
    var handshake: TLSHandshake?

    /// How many TLS handshakes have begun since a socket was opened: the first one may be a proxy's.
    var handshakeCount = 0

    /// Whether whoever was asked in the handshake left the decision to OpenSSL.
    var sharesConnection = true

    /// Whether libcurl chose a network connection that belongs to others.
    var needsOwnConnection = false

    private(set) var hasBegun = false

    /// Whether the request is on its way.
    private(set) var hasSent = false
    private var hasFirstByte = false
    var bytesWritten: Int64 = 0
    var filler: SlabFiller?
    private var idle: IdleConnections?
    private var seen: SeenConnections?
    private var hold: ((Transfer, HandshakeQuestion) -> Void)?

    /// Makes a transfer that has not begun.
    ///
    /// - Parameters:
    ///   - request: What is asked for.
    ///   - delegate: Who hears of it.
    ///   - continued: A transfer of the same request that is over, and was told to keep what libcurl knows:
    ///     the server's nonce, so that a credential for Digest goes out with the first request.
    package init(
        request: TransferRequest,
        delegate: any TransferDelegate,
        continuing continued: Transfer? = nil
    ) {
        self.request = request
        self.delegate = delegate
        self.continued = continued
        repeats = RepeatRules(method: request.method)
    }

    /// Closes the network connection when this transfer is over, instead of keeping it for others.
    ///
    /// May be called inside libcurl, as soon as the response's head shows that it has to be.
    package func forbidReuse() {
        easy?.forbidReuse()
    }

    /// How many bytes the server has announced; nil if none, or if it has not begun to answer.
    package var announcedLength: Int64? { easy?.announcedLength }

    /// Takes these codings off the body, in this order; none hands it on as it comes.
    ///
    /// Called when a response's head has come, and before its body. Several heads come when libcurl
    /// answers a challenge by itself; it throws the bodies of all but the last away.
    package func decode(_ codings: [ContentCoding]) {
        decoding = codings.isEmpty ? nil : BodyDecoding(codings)
    }

    /// Keeps what libcurl knows of this transfer for one that continues it.
    ///
    /// Called when a response's head has come.
    package func keepForContinuation() {
        keepsEasy = true
    }

    /// Takes over what a transfer that is over was told to keep; it can be taken once.
    func takeContinued() -> EasyHandle? {
        defer { continued = nil }
        defer { continued?.keptEasy = nil }
        return continued?.keptEasy
    }

    func prepare(
        easy: EasyHandle,
        pool: SlabPool,
        idle: IdleConnections,
        seen: SeenConnections,
        hold: @escaping (Transfer, HandshakeQuestion) -> Void
    ) {
        self.easy = easy
        self.idle = idle
        self.seen = request.isPlain ? nil : seen
        self.hold = hold
        filler = SlabFiller(pool: pool)
        if let body = request.body, body.length != 0 {
            bodyProgress = BodyProgress(length: body.length)
        }
    }
}

// MARK: - What libcurl's callbacks say

extension Transfer {
    /// It is being worked on: heard once.
    func didBegin() {
        guard !isRemoved, !hasBegun else { return }
        hasBegun = true
        delegate?.transferDidBegin(self)
    }

    /// CURLOPT_RESOLVER_START_FUNCTION: a name is looked up.
    func willLookUpName() {
        didBegin()
        if isObserved { reach(.lookingUpName) }
    }

    /// CURLOPT_OPENSOCKETFUNCTION: an address is tried on a socket of this number, or -1.
    func willConnect(on socket: Int32) {
        didBegin()
        // libcurl may have to begin anew, when a network connection that it had kept is dead.
        isConnected = false
        handshakeCount = 0
        if socket >= 0 { openedSockets.append(socket) }
    }

    /// CURLOPT_PREREQFUNCTION: the request goes out next, on a connection with this end here.
    ///
    /// Returns false when it may not.
    func willSend(from end: SeenConnections.End) -> Bool {
        didBegin()
        isConnected = true
        proxyHead = []
        guard mayUse(end) else { return false }
        let attempt = RepeatRules.Attempt(
            isOnKept: openedSockets.isEmpty,
            isHTTP2: !request.isPlain && easy?.speaksHTTP2 == true,
            isInVain: idle?.leave(port: end.port, usesTLS: request.usesTLS) == false
        )
        isRepetitionRefused = !repeats.send(attempt, isWithoutError: easy?.hasError == false)
        guard !isRepetitionRefused else { return false }
        hasSent = true
        return true
    }

    /// Whether whoever is to be asked has agreed to a network connection.
    private func mayUse(_ end: SeenConnections.End) -> Bool {
        guard case .ask(let owner) = request.trust, let seen else { return true }
        if let handshake,
            openedSockets.contains(where: { IdleConnections.port(of: $0) == end.port })
        {
            guard handshake.isAgreed else { return false }
            seen.enter(end, owner: owner, isShared: sharesConnection)
            return true
        }
        needsOwnConnection = !seen.mayUse(end, owner)
        return !needsOwnConnection
    }

    /// OpenSSL waits for an answer before the handshake goes on.
    func handshakeAsks(_ question: HandshakeQuestion) {
        if !isRemoved { hold?(self, question) }
    }

    /// The same, for whoever observes.
    func willConnect(to address: NetworkAddress) {
        reach(.connecting(address))
    }

    /// The same as ``willSend(from:)``, for whoever observes.
    func willSend(from local: NetworkAddress, to remote: NetworkAddress) {
        let path = NetworkPath(
            remote: remote,
            local: local,
            isReused: openedSockets.isEmpty,
            tlsVersion: request.isPlain ? nil : easy?.tlsVersion
        )
        hasFirstByte = false
        reach(.sending(over: path))
    }

    private func reach(_ milestone: TransferMilestone) {
        if !isRemoved { delegate?.transfer(self, didReach: milestone) }
    }

    /// CURLMSG_DONE: libcurl may keep the network connection for another transfer.
    func didLeaveConnection() {
        if request.isFTP { return easy?.endKeptControlConnection() ?? () }
        if let socket = easy?.keptSocket { idle?.enter(socket) }
    }

    /// Something moved before or beside the response.
    func didMakeProgress() {
        if !isRemoved { delegate?.transferDidMakeProgress(self) }
    }

    /// CURLOPT_HEADERFUNCTION: how many bytes were taken, anything but all ends the transfer.
    func received(headerLine: UnsafeRawBufferPointer) -> Int {
        guard !isRemoved, let delegate else { return -1 }
        didBegin()
        guard isConnected || request.proxy == nil else {
            // It is none of the server's (RFC 9110 section 9.3.6).
            if unsafe headerLine.starts(with: "HTTP/".utf8) { proxyHead = [] }
            if proxyHead.count < Self.proxyHeadLimit { unsafe proxyHead.append(Array(headerLine)) }
            return headerLine.count
        }
        repeats.answer()
        if isObserved, !hasFirstByte {
            hasFirstByte = true
            reach(.firstByte)
        }
        let isFine = unsafe delegate.transfer(self, didReceiveHeaderLine: Array(headerLine))
        return isFine ? headerLine.count : -1
    }

    /// CURLOPT_WRITEFUNCTION: as above, or the mark that pauses.
    func received(body: UnsafeRawBufferPointer) -> Int {
        guard !isRemoved, let delegate else { return -1 }
        let count = body.count
        guard count > 0 else { return 0 }
        guard decoding == nil else { return unsafe received(codedBody: body) }
        let answer = delegate.transfer(self, willReceive: count)
        // A delegate that removes its transfer while it is asked hears nothing more.
        guard !isRemoved else { return -1 }
        switch answer {
        case .take:
            if let piece = unsafe filler?.append(body) {
                delegate.transfer(self, didReceive: piece)
            }
            return count
        case .discard:
            return count
        case .pause:
            isPaused = true
            isPausedInCurl = true
            return EasyHandle.pauseMark
        case .stop:
            return -1
        }
    }
}
