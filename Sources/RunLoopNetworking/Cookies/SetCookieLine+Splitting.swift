extension SetCookieLine {
    /// Takes apart lines that were joined by commas, as well as that can be done.
    ///
    /// A comma is taken for the end of a line if a token and an equals sign follow it: in
    /// `Expires=Wed, 21 Oct 2026` they don't.
    static func split(_ joined: String) -> [String] {
        var lines: [String] = []
        for part in joined.split(separator: ",", omittingEmptySubsequences: false) {
            if beginsLine(part) || lines.isEmpty {
                lines.append(String(part.drop { $0 == " " || $0 == "\t" }))
            } else {
                lines[lines.count - 1] += "," + part
            }
        }
        return lines
    }

    private static func beginsLine(_ part: Substring) -> Bool {
        let text = part.drop { $0 == " " || $0 == "\t" }
        guard let equals = text.firstIndex(of: "=") else { return false }
        return WireText.isToken(String(text[..<equals]))
    }
}
