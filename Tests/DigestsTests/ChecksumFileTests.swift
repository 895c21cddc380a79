import Digests
import Testing

@Suite("Checksum files", .timeLimit(.minutes(1)))
struct ChecksumFileTests {
    private let abc = Digester.digest(.sha256, of: Array("abc".utf8))
    private let md5 = Digester.digest(.md5, of: Array("abc".utf8))
    private let empty = Digester.digest(.sha256, of: [])

    private func entry(_ name: String?, _ digest: Digest) -> ChecksumFile.Entry {
        ChecksumFile.Entry(name: name, digest: digest)
    }

    @Test("The forms of sha256sum and md5sum are read, in text, in binary, and escaped")
    func digitsFirst() {
        let text = """
            # a comment
            \(abc.hexadecimal)  a b.iso
            \(md5.hexadecimal) *folder/c.iso\r

            \(abc.hexadecimal.uppercased()) one blank
            \\\(empty.hexadecimal)  back\\\\slash\\nline\\rreturn
            \(abc.hexadecimal)   begins with a blank
            """
        #expect(
            ChecksumFile(text).entries == [
                entry("a b.iso", abc), entry("folder/c.iso", md5), entry("one blank", abc),
                entry("back\\slash\nline\rreturn", empty), entry(" begins with a blank", abc),
            ]
        )
    }

    @Test("The form with the algorithm first is read, also as openssl writes it")
    func algorithmFirst() {
        let sha512 = Digester.digest(.sha512, of: [])
        let text = """
            SHA256 (a (1).iso) = \(abc.hexadecimal)
            MD5 (b) = \(md5.hexadecimal)
            SHA2-512(c)= \(sha512.hexadecimal)
            SHA512(c)= \(sha512.hexadecimal)
            \\SHA256 (x\\ny) = \(abc.hexadecimal)
            """
        #expect(
            ChecksumFile(text).entries == [
                entry("a (1).iso", abc), entry("b", md5), entry("c", sha512), entry("x\ny", abc),
            ]
        )
    }

    @Test("A digest alone is one, and what is no digest is passed over")
    func others() {
        #expect(ChecksumFile(abc.hexadecimal + "\n").entries == [entry(nil, abc)])
        let text = """
            -----BEGIN PGP SIGNED MESSAGE-----
            abc  f
            \(abc.hexadecimal)f  f
            \(abc.hexadecimal)-f
            SHA384 (f) = \(abc.hexadecimal)
            SHA256 (f) \(abc.hexadecimal)
            MD5 (f) = \(abc.hexadecimal)
            SHA256 )f( = \(abc.hexadecimal)
            \\\(abc.hexadecimal)  bad\\escape
            \\\(abc.hexadecimal)  ends\\
            """
        #expect(ChecksumFile(text).entries.isEmpty)
        #expect(ChecksumFile("").entries.isEmpty)
    }

    @Test("A file is found by its name, then by its last component, then where there is one digest")
    func lookup() {
        let file = ChecksumFile(
            """
            \(abc.hexadecimal)  ./a/f
            \(empty.hexadecimal)  f
            \(md5.hexadecimal)  f
            \(abc.hexadecimal)  ./a/g
            \(abc.hexadecimal)  b/h
            \(empty.hexadecimal)  c/h
            """
        )
        #expect(file.digests(of: "f") == [md5, empty])
        #expect(file.digests(of: "./a/f") == [abc])
        #expect(file.digests(of: "g") == [abc])
        #expect(file.digests(of: "h").isEmpty, "two that contradict each other count for nothing")
        #expect(file.digests(of: "i").isEmpty)
        #expect(file.digests(of: "").isEmpty)
        #expect(ChecksumFile(abc.hexadecimal).digests(of: "anything") == [abc])
        #expect(ChecksumFile("\(abc.hexadecimal)  f").digests(of: "g").isEmpty)
    }
}
