/// Paths taken apart by their bytes: a slash with a combining mark is a slash to the file system.
enum FolderPath {
    /// What stands before the last component, with its slash; empty for a name alone.
    static func folder(of path: String) -> String {
        String(path[..<start(ofNameIn: path)])
    }

    /// The last component.
    static func name(in path: String) -> String {
        String(path[start(ofNameIn: path)...])
    }

    private static func start(ofNameIn path: String) -> String.Index {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map(path.utf8.index(after:)) ?? path.startIndex
    }
}
