// MARK: - Lookup

extension HeaderBlock {
    /// The fields with one key for each name; the spelling that came first is the key.
    ///
    /// Values of the same name are joined with a comma and a space in order of arrival
    /// (RFC 9110 section 5.3).
    var joined: [String: String] {
        var spellings: [String: String] = [:]
        var joined: [String: String] = [:]
        for field in fields {
            let key = WireText.lowercase(field.name)
            if let spelling = spellings[key] {
                joined[spelling, default: ""] += ", " + field.value
            } else {
                spellings[key] = field.name
                joined[field.name] = field.value
            }
        }
        return joined
    }

    /// Returns the values of a name apart, in order of arrival, whatever the letter case.
    ///
    /// Set-Cookie is to be read this way: its lines cannot be joined and taken apart again
    /// (RFC 9110 section 5.3).
    func values(for name: String) -> [String] {
        fields.filter { $0.isNamed(name) }.map(\.value)
    }

    /// Returns the values of a name joined with a comma and a space; nil if there is none.
    func value(for name: String) -> String? {
        let values = values(for: name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}
