import Foundation
import NetworkingTestKit
import Testing

@testable import CurlTransfers
@testable import RunLoopNetworking

@Suite("Certificates")
struct CertificateTests {
    private func certificate(_ identity: TLSIdentity) throws -> Certificate {
        let pem = String(decoding: identity.certificatePEM, as: UTF8.self)
        return try #require(Certificate(pem: pem))
    }

    @Test("What stands in a certificate is read")
    func contents() throws {
        let names = ["example.test", "*.example.test", "127.0.0.1", "::1"]
        let now = Date()
        let certificate = try certificate(TLSAuthority(name: "Ä, B").identity(for: names))
        #expect(certificate.subject == "CN=example.test")
        #expect(certificate.issuer == #"CN=Ä\, B"#)
        #expect(certificate.subjectAlternativeNames == names)
        #expect(!certificate.isSelfSigned)
        let day: TimeInterval = 86_400
        #expect((now.addingTimeInterval(-day - 60)...now).contains(certificate.notBefore))
        #expect((now...now.addingTimeInterval(day + 60)).contains(certificate.notAfter))
        #expect(!certificate.serialNumber.isEmpty)
        #expect(certificate.serialNumber.allSatisfy { $0.isHexDigit && !$0.isLowercase })
        #expect(certificate.fingerprint.count == 64)
    }

    @Test("It is written as it was read")
    func text() throws {
        let identity = try TLSIdentity.selfSigned(for: ["a.test"])
        let certificate = try certificate(identity)
        #expect(certificate.isSelfSigned)
        #expect(certificate.pem == String(decoding: identity.certificatePEM, as: UTF8.self))
        #expect(Certificate(der: certificate.der) == certificate)
        #expect(Certificate(pem: "before\n\(certificate.pem)after\n") == certificate)
        #expect(try self.certificate(TLSIdentity.selfSigned(for: ["a.test"])) != certificate)
    }

    @Test("What is no certificate is not read")
    func damaged() throws {
        let certificate = try certificate(TLSIdentity.selfSigned())
        #expect(Certificate(der: Data()) == nil)
        #expect(Certificate(der: certificate.der.dropLast()) == nil)
        #expect(Certificate(der: certificate.der + [0]) == nil)
        #expect(Certificate(pem: "") == nil)
        #expect(Certificate(pem: "-----BEGIN CERTIFICATE-----\nAAAA") == nil)
        #expect(Certificate(pem: "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----") == nil)
    }

    @Test(
        "OpenSSL's verdicts become kinds, codes and sentences",
        arguments: [
            (9, .notYetValid, .serverCertificateNotYetValid),
            (10, .expired, .serverCertificateHasBadDate),
            (18, .selfSigned, .serverCertificateUntrusted),
            (19, .unknownAuthority, .serverCertificateHasUnknownRoot),
            (20, .unknownAuthority, .serverCertificateHasUnknownRoot),
            (62, .otherName, .serverCertificateUntrusted),
            (64, .otherName, .serverCertificateUntrusted),
            (7, .other, .serverCertificateUntrusted),
        ] as [(Int, TrustFailure.Kind, URLError.Code)]
    )
    func verdicts(verdict: Int, kind: TrustFailure.Kind, code: URLError.Code) throws {
        let failure = try #require(
            TrustFailure(verdict: verdict, message: "certificate signature failure", host: "h.test")
        )
        #expect(failure.kind == kind)
        #expect(failure.code == code)
        #expect(failure.description.contains("of h.test "))
        #expect(failure.localizedDescription == failure.description)
        #expect(TrustFailure(verdict: 0, message: "ok", host: "h.test") == nil)
    }

    @Test("What a server showed is there in its order, or not at all")
    func trust() throws {
        let leaf = try certificate(TLSIdentity.selfSigned(for: ["leaf.test"]))
        let other = try certificate(TLSIdentity.selfSigned(for: ["other.test"]))
        let chain = PresentedChain(
            certificates: [[UInt8](leaf.der), [UInt8](other.der)],
            verdict: 10,
            depth: 0,
            message: "certificate has expired"
        )
        let trust = try #require(ServerTrust(host: "leaf.test", chain: chain))
        #expect(trust.certificates == [leaf, other])
        #expect(trust.failure?.kind == .expired)
        let broken = PresentedChain(certificates: [[1]], verdict: 0, depth: 0, message: "ok")
        #expect(ServerTrust(host: "leaf.test", chain: broken) == nil)
    }
}
