import Foundation
import FoundationNetworking
import Testing

@testable import RunLoopNetworking

@Suite("Credentials in a URL")
struct URLCredentialsTests {
    @Test(
        "They are decoded, and taken out",
        arguments: [
            ("http://u:p@h/x?y#z", "u", "p", "http://h/x?y#z"),
            ("https://us%40er:p%3Aw%2F@h:8/", "us@er", "p:w/", "https://h:8/"),
            ("http://u@h/", "u", "", "http://h/"),
            ("http://u:@h/", "u", "", "http://h/"),
            ("http://:p@h/", "", "p", "http://h/"),
            ("http://%C3%A9:%E2%82%AC@h/", "é", "€", "http://h/"),
        ]
    )
    func taken(text: String, user: String, password: String, bare: String) throws {
        var request = URLRequest(url: try #require(URL(string: text)))
        let taken = try #require(URLCredentials.take(from: &request))
        #expect(taken.credential.user == user)
        #expect(taken.credential.password == password)
        #expect(request.url?.absoluteString == bare)
    }

    @Test(
        "A URL without any stays as it is",
        arguments: ["http://h/", "http://h/a@b:c", "http://h/?u:p@h", "data:,u:p@h", "x"]
    )
    func none(text: String) throws {
        var request = URLRequest(url: try #require(URL(string: text)))
        #expect(URLCredentials.take(from: &request) == nil)
        #expect(request.url?.absoluteString == text)
    }

    @Test("They stay within their origin, until another URL has its own")
    func origin() throws {
        var authentication = LoadAuthentication()
        let space = URLProtectionSpace(
            host: "h",
            port: 80,
            protocol: "http",
            realm: nil,
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic
        )
        let visited = [
            "http://u:p@h/", "http://h:80/other", "http://v:p@i/", "https://i/", "http://i/",
        ]
        let users = visited.map { text in
            let bare = URL(string: text).map { authentication.adopt(URLRequest(url: $0)) }
            return authentication.proposal(for: space, of: .server, url: bare?.url)?.user
        }
        // It does not come back with the origin.
        #expect(users == ["u", "u", "v", nil, nil])
    }
}
