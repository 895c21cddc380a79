import Foundation

/// vsftpd from Debian on a free port of the loopback, with files of its own that anybody may read.
final class Vsftpd {
    /// Where the files are served.
    let url: URL

    private let folder: URL
    private let process: Process

    /// Starts the server; each call starts one of its own.
    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("vsftpd-\(UUID().uuidString)", isDirectory: true)
        for name in ["files/folder", "empty"] {
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent(name),
                withIntermediateDirectories: true
            )
        }
        let port = FreePorts.take(1)[0]
        var components = URLComponents()
        components.scheme = "ftp"
        components.host = "127.0.0.1"
        components.port = Int(port)
        components.path = "/"
        url = components.url ?? folder
        try Data(Self.configuration(port, folder).utf8)
            .write(to: folder.appendingPathComponent("vsftpd.conf"))
        process = try Tool.serve("vsftpd", ["./vsftpd.conf"], in: folder, port: port)
    }

    deinit {
        // It inherits from the threads of the tests that signals are blocked, and hears no other.
        kill(process.processIdentifier, SIGKILL)
        try? FileManager.default.removeItem(at: folder)
    }

    /// Puts a file on the server.
    func put(_ name: String, _ bytes: Data) throws {
        try bytes.write(to: folder.appendingPathComponent("files").appendingPathComponent(name))
    }

    private static func configuration(_ port: UInt16, _ folder: URL) -> String {
        """
        listen=YES
        listen_address=127.0.0.1
        listen_port=\(port)
        background=NO
        run_as_launching_user=YES
        anonymous_enable=YES
        local_enable=NO
        no_anon_password=YES
        anon_root=\(folder.path)/files
        allow_writeable_chroot=YES
        secure_chroot_dir=\(folder.path)/empty
        vsftpd_log_file=\(folder.path)/log
        seccomp_sandbox=NO
        isolate=NO
        isolate_network=NO

        """
    }
}
