internal import Digests
internal import Foundation

/// The checksum of a file.
public enum FileDigest {
    /// The SHA-256 of a file in hexadecimal; nil when it can't be read.
    public static func sha256(_ path: String) -> String? {
        guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? handle.close() }
        var hasher = SHA256Hasher()
        do {
            while let block = try handle.read(upToCount: 1 << 18), !block.isEmpty {
                hasher.update(block.span)
            }
        } catch {
            return nil
        }
        return "\(hasher.finalize())"
    }
}
