/// Whether the delegate lets the credential store be used, and who waits to know.
enum StorageConsent {
    case notAsked
    case asked([@Sendable () -> Void])
    case known(Bool)
}
