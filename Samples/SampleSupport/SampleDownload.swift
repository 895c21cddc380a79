private import Digests
private import EventLoops
public import Foundation
private import FoundationNetworking
private import RunLoopNetworking
private import SampleServing

/// Where a sample loads from and to: a server of its own, unless it is given a URL.
public final class SampleDownload: Sendable {
    /// What to load.
    public let url: URL

    /// The folder that the sample writes to.
    public let folder: URL

    private let server: SampleServer?
    private let checksumURL: URL?
    private let keepsFiles: Bool

    /// Takes the URL of the command line, or starts the embedded server with a file of `size` bytes.
    ///
    /// `--folder` says where to write; without it a folder under the user's caches is used.
    public init(_ arguments: SampleArguments, size: Int64, name: String) {
        if let text = arguments.url {
            guard let url = URL(string: text), url.host != nil else {
                Terminal.fail(
                    "\(text) is no URL; give one such as http://127.0.0.1:8080/1.mp4",
                    status: 64
                )
            }
            self.url = url
            server = nil
            checksumURL = nil
        } else {
            do throws(SampleServerError) {
                let server = try SampleServer()
                let base = server.start()
                self.server = server
                let size = arguments.number("--size") ?? size
                url = base.appendingPathComponent("file/\(size)/\(name)")
                checksumURL = base.appendingPathComponent("checksum/\(size)")
                // It is on this machine, whatever the environment says about proxies.
                EventLoop.shared.connectionSettings.proxy = .direct
            } catch {
                Terminal.fail("The embedded server does not start: \(error)")
            }
        }
        keepsFiles = arguments.value("--folder") != nil
        folder = Self.folder(arguments.value("--folder"))
    }

    private static func folder(_ path: String?) -> URL {
        let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
        let standard = (caches ?? FileManager.default.temporaryDirectory)
            .appendingPathComponent("RunLoopNetworking", isDirectory: true)
        let folder = path.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? standard
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            Terminal.fail("The folder \(folder.path) can't be made: \(error.localizedDescription)")
        }
        return folder
    }

    /// Says whether the file has the checksum that the embedded server tells, and takes a file that
    /// nobody asked to keep away.
    public func check(_ path: String) -> String {
        defer {
            if !keepsFiles { try? FileManager.default.removeItem(atPath: path) }
        }
        guard let digest = FileDigest.sha256(path) else {
            return "sha256 unknown: \(path) can't be read"
        }
        guard let checksumURL else { return "sha256 \(digest)" }
        guard
            let body = try? NSURLConnection.sendSynchronousRequest(
                URLRequest(url: checksumURL),
                returning: nil
            ),
            let expected = String(decoding: body, as: UTF8.self).split(separator: " ").first
        else { return "sha256 unknown: the server does not tell" }
        return digest == expected ? "sha256 ok" : "sha256 WRONG"
    }
}
