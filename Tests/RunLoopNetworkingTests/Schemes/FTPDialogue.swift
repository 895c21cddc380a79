import NetworkingTestKit

/// A server that speaks FTP with one client, as far as a download needs it.
///
/// The control connection is one scripted server, the data connection another.
struct FTPDialogue {
    /// What the server says to each command, in the order in which libcurl gives them.
    var greeting = "220 ready"
    var user = "anonymous"
    var password = "ftp@example.com"
    var login = "230 in"
    var epsv: String?
    var pasv: String?
    var size = "213 5"
    var retrieval = "150 here it comes"
    var ending = "226 done"

    /// What the data connection does.
    var data: [ScriptStep] = [.send("HELLO"), .finish]

    /// What comes before the answer that ends the transfer.
    var beforeEnding: [ScriptStep] = []

    /// What the control connection does at last.
    var last: [ScriptStep] = [.hold]

    /// Starts both servers.
    func start() throws -> (control: ScriptedServer, data: ScriptedServer) {
        let data = try ScriptedServer(data)
        return (try ScriptedServer(steps(dataPort: data.port)), data)
    }

    private func steps(dataPort: Int) -> [ScriptStep] {
        let port = "\(dataPort >> 8),\(dataPort & 255)"
        let replies: [(String, String?)] = [
            ("USER \(user)", "331 who"), ("PASS \(password)", login), ("PWD", "257 \"/\""),
            ("EPSV", epsv ?? "229 (|||\(dataPort)|)"),
            ("PASV", pasv.map { $0.replacing("PORT", with: port) }),
            ("TYPE I", "200 fine"), ("SIZE f", size), ("RETR f", retrieval),
        ]
        let dialogue = replies.flatMap { command, reply -> [ScriptStep] in
            reply.map { [.take(command.utf8.count + 2), .send($0 + "\r\n")] } ?? []
        }
        return [.send(greeting + "\r\n")] + dialogue + beforeEnding + [.send(ending + "\r\n")]
            + last
    }
}
