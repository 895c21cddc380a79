/// The usual file name extension of a media type, where there is one.
///
/// Apple's table is not published. This one has the types that people download. A type that says
/// nothing about the content, such as `application/octet-stream`, is not in it.
enum FilenameExtension {
    /// Returns the extension of a media type, without its full stop; nil if there is none.
    static func usual(for mimeType: String?) -> String? {
        mimeType.flatMap { table[WireText.lowercase($0)] }
    }

    /// Returns the media type of files with an extension; `application/octet-stream` when it is unknown.
    static func mimeType(for fileExtension: String) -> String {
        types[WireText.lowercase(fileExtension)] ?? "application/octet-stream"
    }

    /// The table the other way round, and what else is usual.
    private static let types: [String: String] = {
        // Where several types have one extension, the registered one counts.
        let several = [
            "gz": "application/gzip", "js": "text/javascript", "xml": "application/xml",
        ]
        let others = [
            "htm": "text/html", "jpeg": "image/jpeg", "mjs": "text/javascript", "mpg": "video/mpeg",
            "text": "text/plain", "tif": "image/tiff",
        ]
        let reversed = Dictionary(table.map { ($0.value, $0.key) }) { one, _ in one }
        return reversed.merging(several) { $1 }.merging(others) { $1 }
    }()

    private static let table: [String: String] = [
        "application/atom+xml": "atom",
        "application/epub+zip": "epub",
        "application/gzip": "gz",
        "application/java-archive": "jar",
        "application/javascript": "js",
        "application/json": "json",
        "application/msword": "doc",
        "application/pdf": "pdf",
        "application/rss+xml": "rss",
        "application/rtf": "rtf",
        "application/vnd.debian.binary-package": "deb",
        "application/vnd.ms-excel": "xls",
        "application/vnd.ms-powerpoint": "ppt",
        "application/vnd.oasis.opendocument.spreadsheet": "ods",
        "application/vnd.oasis.opendocument.text": "odt",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
        "application/vnd.rar": "rar",
        "application/wasm": "wasm",
        "application/x-7z-compressed": "7z",
        "application/x-bzip2": "bz2",
        "application/x-gzip": "gz",
        "application/x-tar": "tar",
        "application/x-xz": "xz",
        "application/xhtml+xml": "xhtml",
        "application/xml": "xml",
        "application/zip": "zip",
        "application/zstd": "zst",
        "audio/aac": "aac",
        "audio/flac": "flac",
        "audio/mp4": "m4a",
        "audio/mpeg": "mp3",
        "audio/ogg": "ogg",
        "audio/wav": "wav",
        "font/otf": "otf",
        "font/ttf": "ttf",
        "font/woff": "woff",
        "font/woff2": "woff2",
        "image/avif": "avif",
        "image/bmp": "bmp",
        "image/gif": "gif",
        "image/heic": "heic",
        "image/jpeg": "jpg",
        "image/png": "png",
        "image/svg+xml": "svg",
        "image/tiff": "tiff",
        "image/webp": "webp",
        "image/x-icon": "ico",
        "text/calendar": "ics",
        "text/css": "css",
        "text/csv": "csv",
        "text/html": "html",
        "text/javascript": "js",
        "text/markdown": "md",
        "text/plain": "txt",
        "text/vcard": "vcf",
        "text/xml": "xml",
        "video/mp4": "mp4",
        "video/mpeg": "mpeg",
        "video/quicktime": "mov",
        "video/webm": "webm",
        "video/x-matroska": "mkv",
    ]
}
