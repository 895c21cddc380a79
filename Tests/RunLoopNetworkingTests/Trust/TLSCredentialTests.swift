import Foundation
import FoundationNetworking
import NetworkingTestKit
import Testing

@testable import CurlTransfers
@testable import RunLoopNetworking

@Suite("Credentials for TLS")
struct TLSCredentialTests {
    private func trust(_ identity: TLSIdentity) throws -> ServerTrust {
        let pem = String(decoding: identity.certificatePEM, as: UTF8.self)
        let certificate = try #require(Certificate(pem: pem))
        let chain = PresentedChain(
            certificates: [[UInt8](certificate.der)],
            verdict: 18,
            depth: 0,
            message: "self-signed certificate"
        )
        return try #require(ServerTrust(host: "h.test", chain: chain))
    }

    @Test("Only the credential for the certificate that was shown accepts it")
    func verdicts() throws {
        let shown = try trust(TLSIdentity.selfSigned())
        let other = try trust(TLSIdentity.selfSigned())
        let right = URLCredential(trust: shown)
        let identity = try TLSIdentity.selfSigned()
        let shownIdentity = try ClientIdentity(
            certificatePEM: Data(identity.certificatePEM),
            keyPEM: Data(identity.keyPEM())
        )
        let wrong = [
            URLCredential(trust: other),
            URLCredential(user: "user", password: "password", persistence: .none),
            URLCredential(identity: shownIdentity),
            URLCredential(user: "", password: "", persistence: .none),
            URLCredential(
                user: shown.certificates[0].fingerprint,
                password: "",
                persistence: .none
            ),
        ]
        #expect(TrustVerdict(.use(right), to: shown) == .accept)
        #expect(TrustVerdict(.use(right), to: other) == .refuse)
        for credential in wrong { #expect(TrustVerdict(.use(credential), to: shown) == .refuse) }
        #expect(TrustVerdict(.cancel, to: shown) == .cancel)
        let rest: [ChallengeAnswer] = [
            .continueWithoutCredential, .performDefaultHandling, .rejectProtectionSpace,
        ]
        for answer in rest { #expect(TrustVerdict(answer, to: shown) == .leave) }
    }

    @Test("An identity comes out of its credential as it went in")
    func identity() throws {
        let identity = try TLSIdentity.selfSigned(for: ["client.test"])
        let more = try trust(TLSIdentity.selfSigned()).certificates
        let made = try ClientIdentity(
            certificatePEM: Data(identity.certificatePEM),
            keyPEM: Data(identity.keyPEM())
        )
        let credential = URLCredential(identity: made, certificates: more, persistence: .forSession)
        guard case .identity(let read) = TLSCredential(credential) else {
            Issue.record("it is none")
            return
        }
        #expect(read == ClientIdentity(certificates: made.certificates + more, key: made.key))
    }

    @Test("A password is no credential for TLS")
    func password() {
        let credential = URLCredential(user: "u", password: "p", persistence: .none)
        #expect(TLSCredential(credential) == nil)
    }

    @Test("Apple's names are there, and lead to what was shown")
    func names() throws {
        let trust = try trust(TLSIdentity.selfSigned())
        let space: URLProtectionSpace = TLSProtectionSpace(port: 8443, trust: trust)
        #expect(space.authenticationMethod == NSURLAuthenticationMethodServerTrust)
        #expect(space.authenticationMethod == "NSURLAuthenticationMethodServerTrust")
        #expect(space.serverTrust == trust)
        #expect(space.acceptableIssuers == nil)
        #expect((space.host, space.port, space.protocol) == ("h.test", 8443, "https"))
        let other: URLProtectionSpace = TLSProtectionSpace(host: "h", port: 1, issuers: ["CN=a"])
        #expect(other.authenticationMethod == NSURLAuthenticationMethodClientCertificate)
        #expect(other.authenticationMethod == "NSURLAuthenticationMethodClientCertificate")
        #expect(other.serverTrust == nil)
        #expect(other.acceptableIssuers == ["CN=a"])
    }
}
