import Digests
import Testing

@Suite("SHA-256", .timeLimit(.minutes(1)))
struct SHA256HasherTests {
    @Test(
        "Known messages have their known digests",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ]
    )
    func knownMessages(message: String, digest: String) {
        #expect(SHA256Hasher.hash(Array(message.utf8)).description == digest)
    }

    @Test("A million times the letter a, in pieces, has its known digest")
    func million() {
        let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000)
        var hasher = SHA256Hasher()
        for _ in 0..<1_000 { hasher.update(piece) }
        #expect(
            hasher.finalize().description
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        )
    }

    @Test("Where a message is cut makes no difference")
    func cuts() {
        let message = (0..<300).map { UInt8($0 % 251) }
        let whole = SHA256Hasher.hash(message)
        for cut in [0, 1, 63, 64, 65, 128, 299, 300] {
            var hasher = SHA256Hasher()
            hasher.update(Array(message[..<cut]))
            hasher.update(message.span.extracting(cut..<300))
            #expect(hasher.finalize() == whole, "cut at \(cut)")
        }
    }

    @Test("A digest taken midway changes nothing, and a copy goes on by itself")
    func copies() {
        var hasher = SHA256Hasher()
        hasher.update(Array("ab".utf8))
        var copy = hasher
        #expect(hasher.finalize() == SHA256Hasher.hash(Array("ab".utf8)))
        hasher.update(Array("c".utf8))
        copy.update(Array("x".utf8))
        #expect(hasher.finalize() == SHA256Hasher.hash(Array("abc".utf8)))
        #expect(copy.finalize() == SHA256Hasher.hash(Array("abx".utf8)))
    }
}
