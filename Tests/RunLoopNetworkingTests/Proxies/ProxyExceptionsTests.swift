import RunLoopNetworking
import Testing

@Suite("What needs no proxy", .timeLimit(.minutes(1)))
struct ProxyExceptionsTests {
    @Test(
        "An entry covers what the table says",
        arguments: [
            ("*", "a.test", 80, true), ("a.test", "a.test", 80, true),
            ("A.Test", "a.tEST", 80, true), ("a.test", "b.a.test", 80, true),
            (".a.test", "a.test", 80, true), (".a.test", "b.a.test", 80, true),
            ("*.a.test", "b.a.test", 80, true), ("*.a.test", "ba.test", 80, false),
            ("a.test", "ba.test", 80, false), ("test", "a.test", 80, true),
            ("a.test.", "a.test", 80, true), ("a.test", "a.test.", 80, true),
            ("b.a.test", "a.test", 80, false), ("a.test:81", "a.test", 81, true),
            ("a.test:81", "a.test", 80, false), ("*:81", "a.test", 81, true),
            ("*:81", "a.test", 80, false), ("127.0.0.1", "127.0.0.1", 80, true),
            ("127.0.0.1", "127.0.0.2", 80, false), ("127.0.0.1:81", "127.0.0.1", 80, false),
            ("127.0.0.0/8", "127.9.9.9", 80, true), ("127.0.0.0/8", "128.0.0.1", 80, false),
            ("10.20.30.128/25", "10.20.30.129", 80, true),
            ("10.20.30.128/25", "10.20.30.127", 80, false), ("0.0.0.0/0", "9.9.9.9", 80, true),
            ("0.0.0.0/0", "::1", 80, false), ("127.0.0.0/33", "127.0.0.1", 80, false),
            ("127.0.0.0/-1", "127.0.0.1", 80, false), ("127.0.0.0/8", "localhost", 80, false),
            ("127.0.0.1", "localhost", 80, false), ("localhost", "127.0.0.1", 80, false),
            ("0.1", "127.0.0.1", 80, false), ("::1", "::1", 80, true), ("[::1]", "::1", 80, true),
            ("[::1]", "[::1]", 80, true), ("0:0::1", "[::1]", 80, true),
            ("[::1]:81", "::1", 81, true), ("[::1]:81", "::1", 80, false),
            ("fe80::/10", "[fe80::1%eth0]", 80, true), ("2001:db8::/32", "2001:db9::1", 80, false),
            ("", "a.test", 80, false), (".", "a.test", 80, false), (":80", "a.test", 80, false),
        ]
    )
    func entry(entry: String, host: String, port: Int, isCovered: Bool) {
        let exceptions: ProxyExceptions = [entry]
        #expect(exceptions.cover(host: host, port: port) == isCovered)
    }

    @Test("Entries stand between commas and blanks, and each counts")
    func list() {
        let exceptions = ProxyExceptions(" a.test , localhost\t10.0.0.0/8,,")
        for host in ["a.test", "localhost", "10.1.2.3"] {
            #expect(exceptions.cover(host: host, port: 80))
        }
        #expect(!exceptions.cover(host: "b.test", port: 80))
        #expect(exceptions == ["a.test", "localhost", "10.0.0.0/8"])
        #expect(!ProxyExceptions("").cover(host: "a.test", port: 80))
    }
}
