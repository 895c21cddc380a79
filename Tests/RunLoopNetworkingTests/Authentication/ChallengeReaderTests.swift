import Testing

@testable import RunLoopNetworking

@Suite("Challenges in a field")
struct ChallengeReaderTests {
    /// A challenge as a test writes it: the scheme, then its token or its parameters.
    private func texts(_ value: String) -> [String] {
        ChallengeReader.read(value).map { challenge in
            let parameters = challenge.parameters.map { "\($0.name)=\($0.value)" }
            return ([challenge.scheme] + [challenge.token68].compactMap { $0 } + parameters)
                .joined(separator: "|")
        }
    }

    @Test(
        "A list of challenges is taken apart",
        arguments: [
            ("", []),
            (" , ,", []),
            ("Basic", ["Basic"]),
            (#"Basic realm="r""#, ["Basic|realm=r"]),
            ("basic realm=x", ["basic|realm=x"]),
            (#"BASIC REALM = "r" , charset="UTF-8""#, ["BASIC|realm=r|charset=UTF-8"]),
            (
                #"Basic realm="one, two", note="say \"hi\"""#,
                [#"Basic|realm=one, two|note=say "hi""#]
            ),
            ("NTLM, Negotiate", ["NTLM", "Negotiate"]),
            ("Negotiate YII/+a==", ["Negotiate|YII/+a=="]),
            ("NTLM TlRM=, Basic realm=x", ["NTLM|TlRM=", "Basic|realm=x"]),
            (
                #"Custom realm="one, two", mode=1, note="say \"hi\"", Basic realm="simple""#,
                [#"Custom|realm=one, two|mode=1|note=say "hi""#, "Basic|realm=simple"]
            ),
            (
                #"Digest realm="d", nonce="n", qop="auth,auth-int", Basic"#,
                ["Digest|realm=d|nonce=n|qop=auth,auth-int", "Basic"]
            ),
        ] as [(String, [String])]
    )
    func grammar(value: String, expected: [String]) {
        #expect(texts(value) == expected)
    }

    @Test(
        "What servers send beside the grammar is understood",
        arguments: [
            ("Basic realm='TestSuit'", ["Basic|realm=TestSuit"]),
            ("Basic realm='a, b', Digest nonce=n", ["Basic|realm=a, b", "Digest|nonce=n"]),
            ("Basic realm='t Hooft", ["Basic|realm='t Hooft"]),
            ("Basic realm='t Hooft's site'", ["Basic|realm='t Hooft's site'"]),
            ("Basic realm=My Site, charset=x", ["Basic|realm=My Site|charset=x"]),
            (#"Basic realm="open"#, ["Basic|realm=open"]),
            (#"Digest realm="a" nonce="b""#, ["Digest|realm=a|nonce=b"]),
            (#"Basic realm="a" Digest nonce=n"#, ["Basic|realm=a", "Digest|nonce=n"]),
            ("Basic ,realm=x", ["Basic|realm=x"]),
            ("realm=x, Basic", ["Basic"]),
            (#"= "x" Basic"#, ["Basic"]),
            ("B@sic realm=x, Basic realm=y", ["Basic|realm=y"]),
            ("Basic realm=", ["Basic|realm="]),
        ] as [(String, [String])]
    )
    func tolerance(value: String, expected: [String]) {
        #expect(texts(value) == expected)
    }

    @Test("A line that leaves a quote open does not reach into the next line")
    func lines() {
        let head = HeaderBlock(
            statusCode: 401,
            httpVersion: "HTTP/1.1",
            reason: "",
            fields: [
                HeaderField(name: "WWW-Authenticate", value: #"Digest realm="open"#),
                HeaderField(name: "www-authenticate", value: "Basic realm=x"),
                HeaderField(name: "Proxy-Authenticate", value: "NTLM"),
            ]
        )
        let all = OfferedChallenge.all(in: head, field: "WWW-Authenticate")
        #expect(all.map(\.scheme) == ["Digest", "Basic"])
        #expect(all.map { $0.value(of: "realm") } == ["open", "x"])
    }

    @Test("A server that lists challenges and parameters without end is heard to a limit")
    func bounds() {
        let many = [String](repeating: "Basic realm=x", count: 10_000).joined(separator: ", ")
        let head = HeaderBlock(
            statusCode: 401,
            httpVersion: "HTTP/1.1",
            reason: "",
            fields: [HeaderField(name: "WWW-Authenticate", value: many)]
        )
        #expect(OfferedChallenge.all(in: head, field: "WWW-Authenticate").count == 32)
        let wide = "Basic " + [String](repeating: "a=b", count: 10_000).joined(separator: ",")
        #expect(ChallengeReader.read(wide).map(\.parameters.count) == [64])
    }
}
