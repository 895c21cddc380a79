import Foundation
import FoundationNetworking
import NetworkingTestKit
import Testing

/// nginx with a file of passwords.
@Suite("nginx asks who is there", .timeLimit(.minutes(2)))
final class NginxAuthenticationTests {
    private let nginx: Nginx
    private let loading = LoadingLoop()
    private let passwords: URL

    init() throws {
        passwords = FileManager.default.temporaryDirectory
            .appendingPathComponent("passwords-\(UUID().uuidString)")
        // openssl passwd -apr1 -salt abcdefgh password
        try Data("login:$apr1$abcdefgh$FBwExRW4dCc8aL.OvjpIE1\n".utf8).write(to: passwords)
        nginx = try Nginx(
            locations: """
                location /closed/ {
                    alias files/;
                    auth_basic "Members, and friends";
                    auth_basic_user_file \(passwords.path);
                }
                """
        )
        try nginx.put("small.bin", Data(CounterPattern.bytes(count: 10_000)))
        let authority = nginx.certificates.authority.path
        loading.loop.connectionSettings.certificateAuthorityFile = authority
    }

    deinit {
        try? FileManager.default.removeItem(at: passwords)
    }

    private func delegate(_ password: String) -> RecordingDelegate {
        RecordingDelegate(onChallenge: { challenge, _ in
            let space = challenge.protectionSpace
            guard space.authenticationMethod == NSURLAuthenticationMethodHTTPBasic else {
                challenge.sender?.performDefaultHandling(for: challenge)
                return
            }
            guard challenge.previousFailureCount == 0 else {
                challenge.sender?.continueWithoutCredential(for: challenge)
                return
            }
            let credential = URLCredential(user: "login", password: password, persistence: .none)
            challenge.sender?.use(credential, for: challenge)
        })
    }

    @Test("Who knows the password gets the file, by each way", arguments: 0..<3)
    func right(way: Int) async throws {
        let url = [nginx.url, nginx.secureURL, nginx.secureHTTP1URL][way]
        let delegate = try await loading.load(
            url.appendingPathComponent("closed/small.bin"),
            delegate("password")
        )
        let asked = delegate.challenges.map(\.protectionSpace)
            .filter { $0.authenticationMethod == NSURLAuthenticationMethodHTTPBasic }
        #expect(asked.map(\.realm) == ["Members, and friends"])
        #expect(asked.map(\.protocol) == [way == 0 ? "http" : "https"])
        #expect(delegate.transcript.suffix(3) == [.response(200), .data(10_000), .finished])
        #expect(CounterPattern.firstDifference(in: delegate.body) == nil)
    }

    @Test("Who does not gets nginx's page")
    func wrong() async throws {
        let delegate = try await loading.load(
            nginx.url.appendingPathComponent("closed/small.bin"),
            delegate("wrong")
        )
        #expect(delegate.challenges.map(\.previousFailureCount) == [0, 1])
        #expect(delegate.response?.statusCode == 401)
        #expect(delegate.transcript.last == .finished)
        #expect(delegate.body.count > 100)
    }
}
