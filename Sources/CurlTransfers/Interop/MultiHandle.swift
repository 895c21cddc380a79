private import CLibcurl
package import EventLoops

/// libcurl's object for all transfers of a loop, driven by readiness and one timer.
///
/// libcurl asks for two things, and is told two things in return:
///
///     libcurl  ──"tell me when this socket is readable" ──► socketInterestChanged ──► a watcher
///     libcurl  ──"tell me when so much time has passed"  ──► timerChanged          ──► a timer
///     the loop ──a watcher was called ──► socketIsReady ──► curl_multi_socket_action ──► drain
///     the loop ──the timer fired      ──► timerFired    ──► curl_multi_socket_action ──► drain
///
/// Loop affinity.
///
/// - SeeAlso: <https://curl.se/libcurl/c/curl_multi_socket_action.html>
@safe
package final class MultiHandle {
    let pointer: UnsafeMutableRawPointer
    unowned let loop: EventLoop
    private let pool: SlabPool

    private(set) var transfers: [ObjectIdentifier: Transfer] = [:]
    private(set) var watchers: [Int32: Watcher] = [:]
    private var timer: LoopTimer?

    /// Who opened a socket; a socket outlives the transfer that it was opened for.
    private(set) var openers: [Int32: ObjectIdentifier] = [:]

    /// Sockets that a body goes out on while a response may come.
    private var sendingSockets: Set<Int32> = []

    private let idle = IdleConnections()
    private let seen = SeenConnections()

    /// Transfers whose handshake waits for an answer.
    var held = HeldHandshakes()

    private let heldBack = HeldBackBodies()
    private var isReleasing = false

    /// Easy handles that are free.
    private var spare: [EasyHandle] = []
    private static let spareLimit = 64

    /// Whether libcurl is at work further up on this thread's stack.
    private(set) var isInCurl = false

    /// What has to wait until libcurl has returned.
    var deferred: [() -> Void] = []

    /// Whether transfers are refused because the loop was shut down.
    private var isClosed = false

    /// Makes a multi handle for the loop that this is called on.
    package init(loop: EventLoop, pool: SlabPool, limits: TransferLimits) {
        loop.preconditionIsCurrent()
        CurlLibrary.prepare()
        guard let multi = unsafe curl_multi_init() else {
            preconditionFailure("curl_multi_init found no memory")
        }
        unsafe pointer = multi
        self.loop = loop
        self.pool = pool
        setCallbacks()
        setLimits(limits)
    }

    deinit {
        close(with: CurlCode(CURLE_ABORTED_BY_CALLBACK))
        unsafe expectOK(shim_multi_setSocketCallback(pointer, nil), "no socket callback")
        unsafe expectOK(shim_multi_setTimerCallback(pointer, nil), "no timer callback")
        spare = []
        unsafe expectOK(curl_multi_cleanup(pointer), "curl_multi_cleanup")
    }

    /// How many transfers are under way or waiting for a place.
    package var count: Int { transfers.count }

    /// Changes the limits; connections that are open stay open.
    package func setLimits(_ limits: TransferLimits) {
        unsafe expectOK(
            shim_multi_setLong(
                pointer,
                CURLMOPT_MAX_HOST_CONNECTIONS,
                limits.connectionsPerHost
            ),
            "the limit of connections per host"
        )
        unsafe expectOK(
            shim_multi_setLong(pointer, CURLMOPT_MAX_TOTAL_CONNECTIONS, limits.connections),
            "the limit of connections"
        )
    }
}

// MARK: - Transfers

extension MultiHandle {
    /// Begins a transfer; its first message comes later, never from inside this call.
    package func add(_ transfer: Transfer) {
        loop.preconditionIsCurrent()
        guard !isInCurl else { return deferred.append { [unowned self] in add(transfer) } }
        precondition(!transfer.wasAdded, "a transfer can be added once; make another one")
        transfer.wasAdded = true
        guard !transfer.isRemoved else { return }
        transfers[ObjectIdentifier(transfer)] = transfer
        let continued = transfer.takeContinued()
        guard !isClosed, let easy = continued ?? spare.popLast() ?? EasyHandle() else {
            return failLater(transfer, isClosed ? .abortedByCallback : .outOfMemory)
        }
        transfer.heldBack = heldBack
        transfer.prepare(easy: easy, pool: pool, idle: idle, seen: seen) { [unowned self] in
            hold($0, $1)
        }
        guard easy.configure(for: transfer) else {
            return failLater(transfer, .malformedURL)
        }
        if held.areLong { easy.waitForNoOther() }
        enterCurl { unsafe expectOK(curl_multi_add_handle(pointer, easy.pointer), "a transfer") }
    }

    /// Takes a transfer out: it is not heard of again.
    ///
    /// Nothing happens when it has completed.
    package func remove(_ transfer: Transfer) {
        loop.preconditionIsCurrent()
        transfer.isRemoved = true
        guard !isInCurl else { return deferred.append { [unowned self] in remove(transfer) } }
        takeOut(transfer)
    }

    /// Lets a paused transfer go on, and drives libcurl, which would not begin by itself.
    package func resume(_ transfer: Transfer) {
        loop.preconditionIsCurrent()
        guard !isInCurl else { return deferred.append { [unowned self] in resume(transfer) } }
        guard let easy = transfer.easy, transfer.isPaused else { return }
        transfer.isPaused = false
        // What is held back on this side of libcurl came first.
        var goesOn = true
        enterCurl { goesOn = transfer.deliverHeld() }
        guard goesOn else { return end(transfer, with: easy.outcome(.writeError, of: transfer)) }
        guard !transfer.isPaused else { return }
        if let ending = transfer.decoding?.ending { return end(transfer, with: ending) }
        guard transfer.isPausedInCurl, transfer.easy != nil else { return }
        transfer.isPausedInCurl = false
        goOn(transfer, easy)
    }

    /// Asks for the body again that a source did not have when it was asked, and drives libcurl.
    package func resumeSending(_ transfer: Transfer) {
        loop.preconditionIsCurrent()
        guard !isInCurl else {
            return deferred.append { [unowned self] in resumeSending(transfer) }
        }
        guard let easy = transfer.easy, transfer.isSendingPaused else { return }
        transfer.isSendingPaused = false
        goOn(transfer, easy)
    }

    /// Lets libcurl go on in the directions that are not paused any more.
    private func goOn(_ transfer: Transfer, _ easy: EasyHandle) {
        var code = CurlCode.ok
        enterCurl {
            code = easy.pause(
                receiving: transfer.isPausedInCurl,
                sending: transfer.isSendingPaused
            )
            var running: Int32 = 0
            unsafe expectOK(
                curl_multi_socket_action(pointer, CURL_SOCKET_TIMEOUT, 0, &running),
                "a resume"
            )
        }
        // libcurl says it only here, has dropped the bytes that it held back, and would go on. A
        // bad argument is a transfer that is over: its completion is on its way.
        if code != .ok, code != .badArgument {
            end(transfer, with: easy.outcome(code, of: transfer))
        }
        drain()
    }

    /// Ends every transfer with `code` and refuses later ones.
    package func close(with code: CurlCode) {
        isClosed = true
        for transfer in Array(transfers.values) {
            complete(transfer, with: TransferOutcome(code: code))
        }
        timer = nil
    }

    /// libcurl is done with a transfer, which completes when all that came is decoded.
    private func end(_ transfer: Transfer, with outcome: TransferOutcome) {
        if let outcome = transfer.ended(with: outcome) { complete(transfer, with: outcome) }
    }

    /// Takes a transfer out and tells its delegate; a delegate told before may have done it already.
    private func complete(_ transfer: Transfer, with outcome: TransferOutcome) {
        guard takeOut(transfer) else { return }
        transfer.delegate?.transfer(transfer, didCompleteWith: outcome)
    }

    /// Returns false when the transfer is not in any more.
    @discardableResult
    private func takeOut(_ transfer: Transfer) -> Bool {
        guard transfers.removeValue(forKey: ObjectIdentifier(transfer)) != nil else { return false }
        guard let easy = transfer.easy else { return true }
        transfer.easy = nil
        held.remove(ObjectIdentifier(transfer))
        heldBack.remove(transfer)
        for socket in transfer.openedSockets where openers[socket] == ObjectIdentifier(transfer) {
            openers[socket] = nil
        }
        enterCurl {
            unsafe expectOK(curl_multi_remove_handle(pointer, easy.pointer), "an end")
        }
        guard !transfer.keepsEasy else {
            transfer.keptEasy = easy
            return true
        }
        easy.reset()
        if spare.count < Self.spareLimit { spare.append(easy) }
        return true
    }

    private func failLater(_ transfer: Transfer, _ code: CurlCode) {
        loop.atFlush { [weak self] in
            self?.complete(transfer, with: TransferOutcome(code: code))
        }
    }

    /// Calls libcurl; what its callbacks ask for in between is done afterwards.
    func enterCurl(_ body: () -> Void) {
        isInCurl = true
        body()
        isInCurl = false
        while !deferred.isEmpty {
            let actions = deferred
            deferred = []
            for action in actions { action() }
        }
    }
}

// MARK: - What libcurl asks for

extension MultiHandle {
    private func setCallbacks() {
        let context = CallbackContext(unretained: self)
        unsafe expectOK(
            shim_multi_setPointer(pointer, CURLMOPT_SOCKETDATA, context.pointer),
            "the context"
        )
        unsafe expectOK(
            shim_multi_setPointer(pointer, CURLMOPT_TIMERDATA, context.pointer),
            "the context"
        )
        unsafe expectOK(
            shim_multi_setSocketCallback(pointer) { easy, socket, what, context, _ in
                unsafe CallbackContext<MultiHandle>.owner(behind: context)
                    .socketInterestChanged(socket, what, easy: easy)
                return 0
            },
            "CURLMOPT_SOCKETFUNCTION"
        )
        unsafe expectOK(
            shim_multi_setTimerCallback(pointer) { _, milliseconds, context in
                unsafe CallbackContext<MultiHandle>.owner(behind: context)
                    .timerChanged(milliseconds)
                return 0
            },
            "CURLMOPT_TIMERFUNCTION"
        )
    }

    /// libcurl wants to hear of a socket, or of it no more.
    private func socketInterestChanged(
        _ socket: Int32,
        _ what: Int32,
        easy: UnsafeMutableRawPointer?
    ) {
        let interest: Readiness
        switch what {
        case CURL_POLL_IN: interest = .read
        case CURL_POLL_OUT: interest = .write
        case CURL_POLL_INOUT: interest = [.read, .write]
        default: interest = []
        }
        if what == CURL_POLL_INOUT {
            sendingSockets.insert(socket)
        } else {
            sendingSockets.remove(socket)
        }
        guard !interest.isEmpty else {
            watchers.removeValue(forKey: socket)?.cancel()
            return
        }
        let transfer = unsafe EasyHandle.transfer(of: easy)
        if transfer.openedSockets.contains(socket) {
            openers[socket] = ObjectIdentifier(transfer)
        }
        do {
            if let watcher = watchers[socket] {
                try watcher.setInterest(interest)
            } else {
                watchers[socket] = try loop.watch(socket, for: interest) { [unowned self] in
                    socketIsReady(socket, $0)
                }
            }
        } catch {
            // A socket that can't be watched would never be heard of: let libcurl find out by itself.
            loop.atFlush { [weak self] in self?.socketIsReady(socket, [.read, .write]) }
        }
    }

    /// libcurl wants to be called after some milliseconds; -1: no more.
    private func timerChanged(_ milliseconds: Int) {
        timer = nil
        guard milliseconds >= 0 else { return }
        // Even when no time is left it must not be called from inside its own callback.
        timer = loop.timer(after: .milliseconds(milliseconds)) { [unowned self] in timerFired() }
    }
}

// MARK: - What libcurl is told

extension MultiHandle {
    func socketIsReady(_ socket: Int32, _ readiness: Readiness) {
        if let opener = openers[socket] { transfers[opener]?.didMakeProgress() }
        var mask: Int32 = 0
        if readiness.contains(.read) { mask |= CURL_CSELECT_IN }
        if readiness.contains(.write) { mask |= CURL_CSELECT_OUT }
        // A server that refuses a body answers and closes. Whoever writes into the closed connection
        // before reading never sees the answer, and it may have come since the loop woke up.
        if mask == CURL_CSELECT_OUT, sendingSockets.contains(socket), PendingInput.isThere(socket) {
            mask |= CURL_CSELECT_IN
        }
        enterCurl {
            var running: Int32 = 0
            unsafe expectOK(
                curl_multi_socket_action(pointer, socket, mask, &running),
                "readiness"
            )
        }
        drain()
    }

    private func timerFired() {
        timer = nil
        enterCurl {
            var running: Int32 = 0
            unsafe expectOK(
                curl_multi_socket_action(pointer, CURL_SOCKET_TIMEOUT, 0, &running),
                "a time-out"
            )
        }
        drain()
    }

    /// Takes all finished transfers from libcurl, then tells their delegates.
    private func drain() {
        var finished: [(Transfer, TransferOutcome)] = []
        var refused: [Transfer] = []
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(pointer, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE else { continue }
            let transfer = unsafe EasyHandle.transfer(of: message.pointee.easy_handle)
            let code = unsafe CurlCode(shim_message_result(message))
            guard !transfer.needsOwnConnection else {
                refused.append(transfer)
                continue
            }
            transfer.didLeaveConnection()
            if let easy = transfer.easy {
                finished.append((transfer, easy.outcome(code, of: transfer)))
            }
        }
        for transfer in refused { renew(transfer) }
        for (transfer, outcome) in finished { end(transfer, with: outcome) }
        releaseBodies()
    }

    private func releaseBodies() {
        guard !isReleasing else { return }
        isReleasing = true
        for transfer in heldBack.takeAll() { resumeSending(transfer) }
        isReleasing = false
    }
}
