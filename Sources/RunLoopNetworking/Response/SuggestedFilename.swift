import Foundation

/// The choice of a file name for a response that is to be saved.
///
/// The order of the sources is Apple's
/// (https://developer.apple.com/documentation/foundation/urlresponse/suggestedfilename): the
/// Content-Disposition, the last path component of the URL, the host, then `unknown`. The rules
/// that make a name safe are those of RFC 6266 section 4.3.
enum SuggestedFilename {
    /// The greatest number of bytes in a name, which is `NAME_MAX` of Linux.
    static let maximumByteCount = 255

    /// Chooses a name that is safe to create directly in a folder.
    ///
    /// The name is never empty, `.` or `..`, has no `/`, no `\` and no control character, and at
    /// most 255 bytes. The extension that is usual for the media type is added where the name has
    /// none. A host has none: `example.com` may become `example.com.html`. A leading `~`, `-` or
    /// full stop is kept, because in a name without a folder it means nothing to the file system.
    static func name(disposition: String?, url: URL?, mimeType: String?) -> String {
        let usual = FilenameExtension.usual(for: mimeType)
        return disposition.flatMap { ContentDisposition($0).filename }
            .flatMap { safeName($0, usualExtension: usual) }
            ?? url.flatMap(lastPathComponent)
            .flatMap { safeName($0, usualExtension: usual) }
            ?? url.flatMap { $0.host(percentEncoded: false) }
            .flatMap { safeName($0, usualExtension: usual, isHost: true) }
            ?? add(usual, to: "unknown")
    }

    /// Returns the last path component that is not empty, decoded; nil if there is none.
    ///
    /// The path is split before it is decoded. An escaped slash in the component is left to
    /// `safeName`, and what stands before it is dropped there. The path of a URL such as
    /// `data:text/plain,hello` is no path of files, and gives nothing.
    private static func lastPathComponent(of url: URL) -> String? {
        let path = url.absoluteURL.path(percentEncoded: true)
        guard path.utf8.first == UInt8(ascii: "/") || url.absoluteURL.scheme == nil else {
            return nil
        }
        guard let component = path.split(separator: "/").last else { return nil }
        return WireText.decode(WireText.percentDecode(component) ?? Array(component.utf8))
    }

    /// Makes a safe name of what a source says; nil if nothing remains of it.
    private static func safeName(
        _ proposed: String,
        usualExtension: String?,
        isHost: Bool = false
    ) -> String? {
        let name = trim(withoutPathAndControls(proposed))
        guard hasSubstance(name) else { return nil }
        let hasExtension = !isHost && extensionStart(in: name) != nil
        let named = hasExtension ? name : add(usualExtension, to: name)
        let short = trim(shorten(named))
        // Only now is the name final, and a cut may have taken all that was not a full stop.
        return hasSubstance(short) ? short : nil
    }
}

// MARK: - Cleaning

extension SuggestedFilename {
    /// Keeps what follows the last `/` or `\`, without the characters that no name should have.
    ///
    /// This looks at Unicode scalars. As a `Character`, a slash with a combining mark would not
    /// equal a slash, yet the file system would still see one.
    private static func withoutPathAndControls(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let start = scalars.lastIndex { $0 == "/" || $0 == "\\" }.map(scalars.index(after:))
        var kept = String.UnicodeScalarView()
        kept.append(contentsOf: scalars[(start ?? scalars.startIndex)...].filter { !isControl($0) })
        return String(kept)
    }

    /// Says whether a scalar controls how text is laid out and shows nothing itself.
    ///
    /// The marks for the direction of writing count, because with them `exe.txt` can be made to
    /// look like `txt.exe`.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isBidiControl
        }
    }

    /// Removes the blanks at both ends.
    private static func trim(_ text: String) -> String {
        var rest = text.unicodeScalars.drop(while: \.properties.isWhitespace)
        while let last = rest.last, last.properties.isWhitespace {
            rest.removeLast()
        }
        return String(rest)
    }

    /// Says whether a name has more than full stops and blanks, as `.` and `..` have not.
    private static func hasSubstance(_ name: String) -> Bool {
        name.unicodeScalars.contains { $0 != "." && !$0.properties.isWhitespace }
    }
}

// MARK: - Extension and length

extension SuggestedFilename {
    /// Returns where the extension begins, after its full stop; nil if the name has none.
    ///
    /// An extension has 1 to 16 bytes, no blanks, and something other than full stops before it.
    private static func extensionStart(in name: String) -> String.Index? {
        let scalars = name.unicodeScalars
        guard
            let stop = scalars.lastIndex(of: "."),
            hasSubstance(String(scalars[..<stop]))
        else { return nil }
        let start = scalars.index(after: stop)
        let length = name.utf8.distance(from: start, to: name.endIndex)
        guard
            (1...16).contains(length),
            !scalars[start...].contains(where: \.properties.isWhitespace)
        else { return nil }
        return start
    }

    private static func add(_ usualExtension: String?, to name: String) -> String {
        guard let usualExtension else { return name }
        return name + (name.unicodeScalars.last == "." ? "" : ".") + usualExtension
    }

    /// Cuts a name to the greatest length, in front of its extension.
    private static func shorten(_ name: String) -> String {
        guard name.utf8.count > maximumByteCount else { return name }
        guard let start = extensionStart(in: name) else {
            return prefix(of: name[...], byteCount: maximumByteCount)
        }
        let ending = "." + name[start...]
        let stem = name[..<name.unicodeScalars.index(before: start)]
        return prefix(of: stem, byteCount: maximumByteCount - ending.utf8.count) + ending
    }

    /// Returns as many whole characters as fit, or whole scalars where not one character fits.
    private static func prefix(of text: Substring, byteCount: Int) -> String {
        var room = byteCount
        let characters = text.prefix { character in
            room -= character.utf8.count
            return room >= 0
        }
        guard characters.isEmpty else { return String(characters) }
        room = byteCount
        return String(
            text.unicodeScalars.prefix { scalar in
                room -= UTF8.width(scalar)
                return room >= 0
            }
        )
    }
}
