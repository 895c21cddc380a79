internal import Foundation

/// The file that a store's cookies are kept in: JSON, with a number for its form.
struct CookieFile: Sendable {
    private struct Content: Codable {
        var version = 1
        let cookies: [StoredCookie]
    }

    private let path: String

    /// Names the file, which need not be there.
    init(_ url: URL) {
        // A link stays one: what it leads to is replaced.
        path = url.resolvingSymlinksInPath().path
    }

    /// Reads the cookies, in the order in which they were made; none if there is no file.
    ///
    /// - Throws: ``CookieStoreError`` when the file can't be read, or not be put aside if it is damaged.
    func read() throws(CookieStoreError) -> [StoredCookie] {
        do throws(FileError) {
            guard let bytes = try WholeFile.read(path) else { return [] }
            if let cookies = Self.cookies(in: Data(bytes)) { return cookies }
            try WholeFile.rename(path, to: path + ".damaged")
            return []
        } catch {
            throw CookieStoreError(.cannotRead, errno: error.number, path: path)
        }
    }

    /// Replaces the file as a whole.
    ///
    /// - Throws: ``CookieStoreError`` when that fails; the old file is as it was.
    func write(_ cookies: [StoredCookie]) throws(CookieStoreError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .secondsSince1970
        guard let data = try? encoder.encode(Content(cookies: cookies)) else {
            preconditionFailure("texts, dates and truth values can always be encoded")
        }
        do throws(FileError) {
            try WholeFile.replace(path, with: [UInt8](data))
        } catch {
            throw CookieStoreError(.cannotWrite, errno: error.number, path: path)
        }
    }

    private static func cookies(in data: Data) -> [StoredCookie]? {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        // What is wrong does not matter: the file is put aside, for people to look at.
        guard let content = try? decoder.decode(Content.self, from: data), content.version == 1,
            content.cookies.allSatisfy(\.isValid)
        else { return nil }
        return content.cookies
    }
}
