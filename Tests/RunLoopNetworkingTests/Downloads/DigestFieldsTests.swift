import Digests
import Testing

@testable import RunLoopNetworking

@Suite("Digests in a head", .timeLimit(.minutes(1)))
struct DigestFieldsTests {
    private static let abc = Array("abc".utf8)
    private let md5 = Digester.digest(.md5, of: abc)
    private let sha1 = Digester.digest(.sha1, of: abc)
    private let sha256 = Digester.digest(.sha256, of: abc)
    private let sha512 = Digester.digest(.sha512, of: abc)
    private let other = Digester.digest(.sha256, of: [])

    private func fields(_ lines: String...) throws -> DigestFields {
        DigestFields(try HeaderBlock(fieldLines: lines))
    }

    @Test("Repr-Digest and Content-Digest are dictionaries of byte sequences")
    func dictionaries() throws {
        let fields = try fields(
            "Repr-Digest: sha-256=:\(sha256.base64):,\tsha-512=:\(sha512.base64):;p=1",
            "Content-Digest: md5=:\(md5.base64):",
            "content-digest: sha=:\(sha1.base64):"
        )
        #expect(fields.ofRepresentation == [sha256, sha512])
        #expect(fields.ofContent == [md5, sha1])
    }

    @Test("Digest is a list, and Content-MD5 one digest")
    func old() throws {
        let fields = try fields(
            "Digest: SHA-256=\(sha256.base64),md5=\(md5.base64), unixsum=30637, broken",
            "Content-MD5: \(md5.base64)"
        )
        #expect(fields.ofRepresentation == [sha256, md5])
        #expect(fields.ofContent == [md5])
    }

    @Test("Of a key that comes twice the last one counts; algorithms of others are passed over")
    func twice() throws {
        let fields = try fields(
            "Repr-Digest: sha-256=:\(other.base64):, crc32c=:AAAAAA==:, sha-256=:\(sha256.base64):"
        )
        #expect(fields.ofRepresentation == [sha256])
    }

    @Test(
        "A field that is broken says nothing",
        arguments: [
            "", "sha-256", "sha-256=", "sha-256=:", "sha-256=::", "sha-256=:!:", "sha-256=abc",
            "sha-256=:kAFQmDzST7DWlj99KOF/cg==:", "SHA-256=:kAFQmDzST7DWlj99KOF/cg==:",
            "md5=:kAFQmDzST7DWlj99KOF/cg==:, ", "md5=:kAFQmDzST7DWlj99KOF/cg==:, x",
            "md5=:kAFQmDzST7DWlj99KOF/cg:",
        ]
    )
    func broken(value: String) throws {
        let fields = try fields("Repr-Digest: \(value)", "Content-Digest: \(value)")
        #expect(fields.ofRepresentation.isEmpty)
        #expect(fields.ofContent.isEmpty)
    }

    @Test("A head without digests has none, and a broken Content-MD5 is none")
    func none() throws {
        let fields = try fields("Content-MD5: abc", "Digest: md5")
        #expect(fields == (try self.fields()))
        #expect(fields.ofFile(isPart: false, isDecoded: false).isEmpty)
    }

    @Test("The digest of a part says nothing about the file, and none about decoded bytes")
    func ofFile() throws {
        let fields = try fields(
            "Repr-Digest: sha-256=:\(sha256.base64):",
            "Content-MD5: \(md5.base64)"
        )
        #expect(fields.ofFile(isPart: false, isDecoded: false) == [sha256, md5])
        #expect(fields.ofFile(isPart: true, isDecoded: false) == [sha256])
        #expect(fields.ofFile(isPart: false, isDecoded: true).isEmpty)
    }
}
