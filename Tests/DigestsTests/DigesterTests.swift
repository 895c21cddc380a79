import Digests
import Testing

@Suite("Digests of four algorithms", .timeLimit(.minutes(1)))
struct DigesterTests {
    @Test(
        "Known messages have their known digests",
        arguments: [
            (DigestAlgorithm.md5, "", "d41d8cd98f00b204e9800998ecf8427e"),
            (.md5, "abc", "900150983cd24fb0d6963f7d28e17f72"),
            (.sha1, "", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            (.sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                .sha512, "abc",
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                    + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
            ),
        ]
    )
    func knownMessages(algorithm: DigestAlgorithm, message: String, digits: String) {
        let digest = Digester.digest(algorithm, of: Array(message.utf8))
        #expect(digest.hexadecimal == digits)
        #expect(digest.bytes.count == algorithm.byteCount)
        #expect(Digest(algorithm, hexadecimal: digits.uppercased()) == digest)
        #expect(Digest(algorithm, base64: digest.base64) == digest)
        #expect(digest.description == "\(algorithm) \(digits)")
    }

    @Test("A copy goes on by itself", arguments: DigestAlgorithm.allCases)
    func copies(algorithm: DigestAlgorithm) {
        var digester = Digester(algorithm)
        digester.update(Array("ab".utf8))
        var copy = digester
        #expect(digester.finalize() == Digester.digest(algorithm, of: Array("ab".utf8)))
        digester.update(Array("c".utf8))
        copy.update(Array("x".utf8).span)
        #expect(digester.finalize() == Digester.digest(algorithm, of: Array("abc".utf8)))
        #expect(copy.finalize() == Digester.digest(algorithm, of: Array("abx".utf8)))
    }

    @Test("Base64 is written as in RFC 4648, and read back")
    func base64() {
        let digest = Digester.digest(.md5, of: Array("abc".utf8))
        #expect(digest.base64 == "kAFQmDzST7DWlj99KOF/cg==")
        let longer = Digester.digest(.sha1, of: Array("abc".utf8))
        #expect(longer.base64 == "qZk+NkcGgWq6PiVxeFDCbJzQ2J0=")
    }

    @Test(
        "What is no digest of the algorithm is refused",
        arguments: [
            "", "kAFQmDzST7DWlj99KOF/cg", "kAFQmDzST7DWlj99KOF/cg=", "kAFQmDzST7DWlj99KOF/ch==",
            "kAFQmDzST7DWlj99KOF/cg== ", "kAFQmDzST7DWlj99KOF_cg==", "kAFQ=DzST7DWlj99KOF/cg==",
            "kAFQmDzST7DWlj99KOF/====", "qZk+NkcGgWq6PiVxeFDCbJzQ2J0=",
        ]
    )
    func badBase64(text: String) {
        #expect(Digest(.md5, base64: text) == nil)
    }

    @Test(
        "Digits that are no digest are refused",
        arguments: [
            "", "9", "900150983cd24fb0d6963f7d28e17f7", "900150983cd24fb0d6963f7d28e17f7g",
            "900150983cd24fb0d6963f7d28e17f7200",
        ]
    )
    func badDigits(text: String) {
        #expect(Digest(.md5, hexadecimal: text) == nil)
    }

    @Test("Algorithms are found by the names that are in use")
    func names() {
        #expect(["md5", "MD5"].map(DigestAlgorithm.init(name:)) == [.md5, .md5])
        #expect(["SHA-1", "sha"].map(DigestAlgorithm.init(name:)) == [.sha1, .sha1])
        #expect(["sha-256", "SHA256"].map(DigestAlgorithm.init(name:)) == [.sha256, .sha256])
        #expect(["sha-512", "Sha512"].map(DigestAlgorithm.init(name:)) == [.sha512, .sha512])
        #expect(["sha-384", "", "crc32c"].map(DigestAlgorithm.init(name:)) == [nil, nil, nil])
        #expect(DigestAlgorithm.allCases.sorted() == [.md5, .sha1, .sha256, .sha512])
    }
}
