internal import CurlTransfers
internal import Foundation
internal import FoundationNetworking

// MARK: - Responses that replace one another

extension HTTPExchange {
    /// Looks whether the parts of the answer's body are to be told, in place of the response.
    func beginParts(of response: URLResponse) -> Bool {
        // The answer to a HEAD has no body that could have parts (RFC 9110 section 9.3.2).
        guard load.request.httpMethod != "HEAD", let response = response as? LoadedHTTPURLResponse
        else { return false }
        parts = MixedReplaceBody(response.headers)
        return parts != nil
    }

    /// Bytes of the answer's body have come.
    func deliver(_ piece: SlabPiece) {
        guard parts != nil else { return load.emit(.data(piece)) }
        do throws(HeaderError) {
            guard let (outputs, dropped) = try parts?.receive(piece) else { return }
            tell(outputs)
            load.giveBackRoom(for: dropped)
        } catch {
            stop()
            load.fail(Failure(error))
        }
    }

    /// libcurl is done with a body that has parts; what was told of it can't be told once more.
    func finishParts(_ outcome: TransferOutcome) {
        guard outcome.code == .ok else { return load.fail(Failure(outcome)) }
        guard let (outputs, failure) = parts?.end() else { return }
        tell(outputs)
        if let failure { load.fail(failure) } else { load.finish() }
    }

    private func tell(_ outputs: [MixedReplaceBody.Output]) {
        for output in outputs {
            switch output {
            case .data(let piece):
                load.emit(.data(piece))
            case .response(let head):
                let url = load.request.url
                let response = url.flatMap { LoadedHTTPURLResponse(url: $0, headers: head) }
                if let response { load.emit(.response(response)) }
            }
        }
    }
}
