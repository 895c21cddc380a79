import Foundation
import FoundationNetworking
import Testing

@testable import RunLoopNetworking

@Suite("Stored credentials")
struct CredentialStoreTests {
    private let store = CredentialStore()

    private func space(
        host: String = "h",
        port: Int = 80,
        protocol: String = "http",
        realm: String? = "r",
        method: String = NSURLAuthenticationMethodHTTPBasic
    ) -> URLProtectionSpace {
        URLProtectionSpace(
            host: host,
            port: port,
            protocol: `protocol`,
            realm: realm,
            authenticationMethod: method
        )
    }

    private func credential(
        _ user: String,
        _ persistence: URLCredential.Persistence = .forSession
    ) -> URLCredential {
        URLCredential(user: user, password: "p", persistence: persistence)
    }

    @Test("A protection space is the same that says the same")
    func byValue() {
        store.setDefaultCredential(credential("a"), for: space(host: "Host"))
        #expect(store.defaultCredential(for: space(host: "hOST"))?.user == "a")
    }

    @Test("A protection space is another one that differs in anything")
    func others() {
        store.setDefaultCredential(credential("a"), for: space())
        let proxy = URLProtectionSpace(
            proxyHost: "h",
            port: 80,
            type: NSURLProtectionSpaceHTTPProxy,
            realm: "r",
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic
        )
        let others = [
            space(host: "i"), space(port: 81), space(protocol: "https"), space(realm: "R"),
            space(realm: nil), space(method: NSURLAuthenticationMethodHTTPDigest), proxy,
        ]
        for other in others { #expect(store.defaultCredential(for: other) == nil) }
        #expect(store.defaultCredential(for: space())?.user == "a")
    }

    @Test("Credentials of several users lie side by side, and one is proposed")
    func several() {
        store.set(credential("a"), for: space())
        #expect(store.defaultCredential(for: space()) == nil)
        store.setDefaultCredential(credential("b"), for: space())
        #expect(store.credentials(for: space()).keys.sorted() == ["a", "b"])
        #expect(store.defaultCredential(for: space())?.user == "b")
    }

    @Test("A new password of the proposed user is the one that is proposed")
    func replaced() {
        store.setDefaultCredential(credential("a"), for: space())
        let newer = URLCredential(user: "a", password: "new", persistence: .permanent)
        store.set(newer, for: space())
        #expect(store.defaultCredential(for: space())?.password == "new")
        #expect(store.credentials(for: space()).count == 1)
    }

    @Test("What is removed is gone")
    func removed() {
        store.set(credential("a"), for: space())
        store.setDefaultCredential(credential("b"), for: space())
        store.remove(credential("b"), for: space())
        #expect(store.defaultCredential(for: space()) == nil)
        #expect(Array(store.credentials(for: space()).keys) == ["a"])
        store.remove(credential("b"), for: space())
        store.removeAll()
        #expect(store.credentials(for: space()).isEmpty)
    }

    @Test("A credential without persistence is not kept")
    func notKept() {
        store.setDefaultCredential(credential("a", .none), for: space())
        store.set(credential("a", .none), for: space())
        #expect(store.credentials(for: space()).isEmpty)
        #expect(store.defaultCredential(for: space()) == nil)
    }

    @Test("Realms without end push the oldest out")
    func bound() {
        for number in 0...1000 {
            store.setDefaultCredential(credential("a"), for: space(realm: "\(number)"))
        }
        #expect(store.defaultCredential(for: space(realm: "0")) == nil)
        #expect(store.defaultCredential(for: space(realm: "1")) != nil)
        #expect(store.defaultCredential(for: space(realm: "1000")) != nil)
    }

    @Test("A store is equal to itself alone, and settings name one")
    func equality() {
        #expect(store == store)
        #expect(store != CredentialStore())
        #expect(ConnectionSettings().credentialStore == .shared)
    }
}
