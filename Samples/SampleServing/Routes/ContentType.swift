/// The media type of a file, by the end of its name.
enum ContentType {
    private static let types = [
        "bin": "application/octet-stream",
        "css": "text/css; charset=utf-8",
        "gif": "image/gif",
        "gz": "application/gzip",
        "html": "text/html; charset=utf-8",
        "iso": "application/x-iso9660-image",
        "jpg": "image/jpeg",
        "js": "text/javascript; charset=utf-8",
        "json": "application/json",
        "mp3": "audio/mpeg",
        "mp4": "video/mp4",
        "pdf": "application/pdf",
        "png": "image/png",
        "txt": "text/plain; charset=utf-8",
        "xml": "application/xml",
        "zip": "application/zip",
    ]

    /// The type of the file with this name; bytes that say nothing of themselves when unknown.
    static func ofFile(named name: String) -> String {
        guard let dot = name.lastIndex(of: ".") else { return "application/octet-stream" }
        let ending = name[name.index(after: dot)...].lowercased()
        return types[ending] ?? "application/octet-stream"
    }
}
