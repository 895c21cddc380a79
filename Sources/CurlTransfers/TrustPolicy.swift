/// Whose verdict on a server's certificate counts for a transfer.
package enum TrustPolicy: Sendable {
    /// OpenSSL's alone, by the authorities of the request.
    case system

    /// OpenSSL's, and then the owner's on each network connection that it has not seen.
    ///
    /// While the handshake waits, ``TransferDelegate/transfer(_:asks:)`` is called. A certificate that
    /// OpenSSL refuses ends the transfer; the outcome's ``HandshakeRecord`` says what was shown.
    case ask(TrustOwner)

    /// This one certificate (DER) is accepted, whatever OpenSSL says of it, and no other.
    ///
    /// Only transfers of the same exception share its network connections.
    case exactly([UInt8])
}

/// Who decides on a server's certificate.
///
/// A network connection is used again by its owner. Owners of one kind share those on which the owner
/// left the decision to OpenSSL.
package struct TrustOwner: @unchecked Sendable {
    // A weak constant and an identity: the object itself is never called.
    private weak let object: AnyObject?
    private let kind: ObjectIdentifier

    /// Stands for an object, which is not kept alive.
    package init(_ object: AnyObject) {
        self.object = object
        kind = ObjectIdentifier(type(of: object))
    }

    func isSame(as other: TrustOwner) -> Bool {
        object != nil && object === other.object
    }

    func isOfKind(of other: TrustOwner) -> Bool {
        kind == other.kind
    }
}
