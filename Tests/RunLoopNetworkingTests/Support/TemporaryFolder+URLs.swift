import Foundation

extension TemporaryFolder {
    /// The file: URL of the folder, or of a name in it.
    func url(_ name: String = "") -> URL { URL(fileURLWithPath: path(name)) }

    /// Makes a file in the folder.
    func write(_ bytes: Data, to name: String) throws {
        try bytes.write(to: url(name))
    }

    /// A file that may not be read, not even by root.
    func unreadableFile() throws -> URL {
        // A switch of the kernel that can only be written.
        guard geteuid() != 0 else { return URL(fileURLWithPath: "/proc/sys/vm/drop_caches") }
        try write(Data(), to: "unreadable")
        let permissions = [FileAttributeKey.posixPermissions: 0]
        try FileManager.default.setAttributes(permissions, ofItemAtPath: path("unreadable"))
        return url("unreadable")
    }
}
