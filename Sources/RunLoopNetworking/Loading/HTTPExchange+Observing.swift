internal import CurlTransfers

// MARK: - What observers hear

extension HTTPExchange {
    /// libcurl has come so far.
    func tell(_ milestone: TransferMilestone) {
        switch milestone {
        case .lookingUpName:
            load.tell(.lookingUpName)
        case .connecting(let address):
            load.tell(.connecting(address: address.host, port: address.port))
        case .sending(let path):
            load.tell(.connected(NetworkConnectionDetails(path)))
            load.tell(.sending(method: transferRequest.method))
        case .firstByte:
            load.tell(.firstByte)
        }
    }

    /// libcurl is done.
    func tellFigures(of outcome: TransferOutcome) {
        guard let figures = outcome.figures, let observation = load.observation else { return }
        let timings = TransferTimings(figures, before: observation.timeBeforeRequest)
        observation.tell(.transferEnded(timings))
    }
}
