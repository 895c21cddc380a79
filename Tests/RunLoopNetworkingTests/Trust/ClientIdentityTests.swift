import Foundation
import NetworkingTestKit
import Testing

@testable import RunLoopNetworking

@Suite("Identities of clients")
struct ClientIdentityTests {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("identity-\(UUID().uuidString)")
    private let identity: TLSIdentity

    init() throws {
        identity = try TLSAuthority().identity(for: ["client.test"])
    }

    private func code(_ body: () throws -> ClientIdentity) -> ClientIdentityError.Code? {
        do {
            _ = try body()
            return nil
        } catch {
            let error = error as? ClientIdentityError
            #expect(error?.description.hasSuffix(".") == true)
            return error?.code
        }
    }

    @Test("PEM and PKCS#12 give the same identity, with a password and without")
    func same() throws {
        let certificate = Data(identity.certificatePEM)
        let plain = try ClientIdentity(certificatePEM: certificate, keyPEM: Data(identity.keyPEM()))
        #expect(plain.certificates.map(\.subject) == ["CN=client.test"])
        let encrypted = Data(identity.keyPEM(password: "päss"))
        let opened = try ClientIdentity(
            certificatePEM: certificate,
            keyPEM: encrypted,
            password: "päss"
        )
        let packed = try ClientIdentity(
            pkcs12: Data(identity.pkcs12(password: "päss")),
            password: "päss"
        )
        let unprotected = try ClientIdentity(
            pkcs12: Data(identity.pkcs12(password: "")),
            password: ""
        )
        #expect([opened, packed, unprotected] == [plain, plain, plain])
    }

    @Test("Files are read, also when both stand in one, and the chain stays in its order")
    func files() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let other = try TLSIdentity.selfSigned(for: ["other.test"])
        let both = folder.appendingPathComponent("both.pem")
        let key = folder.appendingPathComponent("key.pem")
        let packed = folder.appendingPathComponent("both.p12")
        let certificates = identity.certificatePEM + other.certificatePEM
        try Data(identity.keyPEM() + certificates).write(to: both)
        try Data(identity.keyPEM()).write(to: key)
        try Data(identity.pkcs12(password: "secret")).write(to: packed)
        let first = try ClientIdentity(certificateFile: both.path)
        #expect(first.certificates.map(\.subject) == ["CN=client.test", "CN=other.test"])
        #expect(try ClientIdentity(certificateFile: both.path, keyFile: key.path) == first)
        let third = try ClientIdentity(pkcs12File: packed.path, password: "secret")
        #expect(third.certificates == [first.certificates[0]])
        #expect(code { try ClientIdentity(certificateFile: "/nowhere") } == .unreadableFile)
        #expect(code { try ClientIdentity(certificateFile: folder.path) } == .unreadableFile)
        #expect(
            code { try ClientIdentity(pkcs12File: "/nowhere", password: "") } == .unreadableFile
        )
    }

    @Test("What is wrong is told apart")
    func errors() throws {
        let certificate = Data(identity.certificatePEM)
        let key = Data(identity.keyPEM())
        let locked = Data(identity.keyPEM(password: "secret"))
        let stranger = try Data(TLSIdentity.selfSigned().keyPEM())
        let text = String(decoding: key, as: UTF8.self)
        let broken = Data(text.replacingOccurrences(of: "M", with: "!").utf8)
        let pem: (Data, Data, String?) -> ClientIdentityError.Code? = {
            certificate,
            key,
            password in
            code {
                try ClientIdentity(certificatePEM: certificate, keyPEM: key, password: password)
            }
        }
        #expect(pem(certificate, key, nil) == nil)
        #expect(pem(certificate, locked, nil) == .wrongPassword)
        #expect(pem(certificate, locked, "secreT") == .wrongPassword)
        #expect(pem(certificate, locked, String(repeating: "x", count: 5000)) == .wrongPassword)
        #expect(pem(certificate, certificate, nil) == .noKey)
        #expect(pem(key, key, nil) == .noCertificate)
        #expect(pem(Data(), key, nil) == .noCertificate)
        #expect(pem(certificate, broken, nil) == .damaged)
        #expect(pem(certificate, stranger, nil) == .otherKey)
        let packed = Data(identity.pkcs12(password: "secret"))
        #expect(code { try ClientIdentity(pkcs12: packed, password: "no") } == .wrongPassword)
        let cut = packed.dropLast(10)
        #expect(code { try ClientIdentity(pkcs12: cut, password: "secret") } == .damaged)
        #expect(code { try ClientIdentity(pkcs12: key, password: "secret") } == .damaged)
    }
}
