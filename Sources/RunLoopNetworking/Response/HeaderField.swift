/// One header field as the server sent it.
struct HeaderField: Sendable, Hashable {
    /// The name in the server's spelling.
    let name: String

    /// The value without the blanks around it, with folds replaced by a space.
    var value: String

    /// Says whether this is the field of a name, whatever the letter case (RFC 9110 section 5.1).
    func isNamed(_ other: String) -> Bool {
        WireText.isSameName(name, other)
    }
}
