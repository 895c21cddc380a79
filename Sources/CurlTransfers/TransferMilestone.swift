/// How far a transfer has come, for whoever observes it.
package enum TransferMilestone: Sendable, Equatable {
    /// libcurl looks up the name of the server, or of the proxy.
    case lookingUpName

    /// A connect to an address begins; another one may follow, or go on beside it.
    case connecting(NetworkAddress)

    /// Everything up to the first byte of the request is done; that goes out next.
    case sending(over: NetworkPath)

    /// The first byte of an answer has come.
    case firstByte
}
