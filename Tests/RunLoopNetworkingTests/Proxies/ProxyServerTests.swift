import RunLoopNetworking
import Testing

@Suite("The text that names a proxy", .timeLimit(.minutes(1)))
struct ProxyServerTests {
    @Test(
        "A proxy is read as curl reads it",
        arguments: [
            ("proxy.test", "http://proxy.test:1080"),
            ("proxy.test:", "http://proxy.test:1080"),
            ("proxy.test:3128", "http://proxy.test:3128"),
            ("http://proxy.test:3128/", "http://proxy.test:3128"),
            ("HTTP://Proxy.test:3128/path?x#y", "http://Proxy.test:3128"),
            ("https://proxy.test", "https://proxy.test:443"),
            ("socks://127.0.0.1:9", "socks4://127.0.0.1:9"),
            ("socks4a://127.0.0.1:9", "socks4a://127.0.0.1:9"),
            ("socks5://127.0.0.1", "socks5://127.0.0.1:1080"),
            ("socks5h://[::1]:9", "socks5h://[::1]:9"),
            ("[fe80::1%lo]:65535", "http://[fe80::1%lo]:65535"),
            ("http://user:secret@proxy.test:3128", "http://proxy.test:3128"),
        ]
    )
    func read(text: String, description: String) throws {
        let proxy = try ProxyServer(text)
        #expect("\(proxy)" == description)
        #expect(String(reflecting: proxy) == description)
    }

    @Test(
        "User and password are percent-decoded, and may be empty",
        arguments: [
            ("proxy.test", nil, nil), ("u@proxy.test", "u", nil), ("u:@proxy.test", "u", ""),
            (":@proxy.test", "", ""), ("u:p:q@proxy.test", "u", "p:q"),
            ("a%40b:c%2Fd%3A@proxy.test", "a@b", "c/d:"), ("u:a@b@proxy.test", "u", "a@b"),
        ] as [(String, String?, String?)]
    )
    func credentials(text: String, user: String?, password: String?) throws {
        let proxy = try ProxyServer("http://" + text)
        #expect(proxy.host == "proxy.test")
        #expect(proxy.user == user)
        #expect(proxy.password == password)
    }

    @Test(
        "What names no proxy is refused, and no password is repeated",
        arguments: [
            ("ftp://u:secret@proxy.test", .unknownKind), ("://proxy.test", .unknownKind),
            ("", .badHost), ("http://", .badHost), ("http://u:secret@:80", .badHost),
            ("pro xy", .badHost), ("[proxy.test]:80", .badHost), ("[::1", .badHost),
            ("a\r\nb", .badHost), ("proxy.test:0", .badPort), ("proxy.test:65536", .badPort),
            ("u:secret@proxy.test:+80", .badPort), ("proxy.test:80x", .badPort),
            ("[::1]80", .badPort), ("::1", .badHost), ("u:secret%@proxy.test", .badCredentials),
            ("u:secret%0D@proxy.test", .badCredentials),
        ] as [(String, ProxyError.Code)]
    )
    func refused(text: String, code: ProxyError.Code) {
        let error = #expect(throws: ProxyError.self) { try ProxyServer(text) }
        #expect(error?.code == code)
        #expect(error?.description.contains("secret") == false)
    }
}
