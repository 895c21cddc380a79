internal import Foundation

/// The schemes that are loaded without a registered handler, by the means that they need.
enum LoadableScheme {
    case http
    case ftp
    case file
    case data

    /// The scheme of a URL; nil when it is none of these.
    init?(of url: URL) {
        switch url.scheme.map(WireText.lowercase) {
        case "http", "https": self = .http
        case "ftp": self = .ftp
        case "file": self = .file
        case "data": self = .data
        default: return nil
        }
    }

    /// Whether a connection can be made for a URL.
    static func canLoad(_ url: URL) -> Bool {
        switch LoadableScheme(of: url) {
        case .http: LoadableURL.isLoadable(url)
        case .ftp: (try? FTPURL(url)) != nil
        case .file: (try? FileURL(url)) != nil
        case .data: DataURL(url) != nil
        case nil: false
        }
    }
}
