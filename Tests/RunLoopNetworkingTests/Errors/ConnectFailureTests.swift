import Foundation
import FoundationNetworking
import NetworkingTestKit
import RunLoopNetworking
import Testing

@Suite("Failures to connect", .timeLimit(.minutes(1)))
struct ConnectFailureTests {
    private func fail(_ text: String) async throws -> URLError {
        let url = try #require(URL(string: text))
        let delegate = try await load(URLRequest(url: url))
        let error = try #require(delegate.urlError)
        #expect(delegate.transcript == [.failed(error.code)])
        return error
    }

    @Test("A port at which nobody listens refuses the connection")
    func refused() async throws {
        let error = try await fail("http://127.0.0.1:1/x")
        #expect(error.code == .cannotConnectToHost)
        #expect(error.failingURL?.absoluteString == "http://127.0.0.1:1/x")
        #expect(error.userInfo["NSErrorFailingURLStringKey"] as? String == "http://127.0.0.1:1/x")
        let underlying = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
        #expect(underlying.domain == curlErrorDomain)
        #expect(underlying.code == 7)
    }

    @Test(
        "A scheme that nobody has registered a handler for is not supported",
        arguments: ["gopher://127.0.0.1/", "dict://127.0.0.1/x", "nobody:knows"]
    )
    func scheme(text: String) async throws {
        let error = try await fail(text)
        #expect(error.code == .unsupportedURL)
        #expect(error.failingURL?.absoluteString == text)
    }

    @Test(
        "A URL without a host, or that is not absolute, is a bad one",
        arguments: ["http:///x", "relative/path", "http:/127.0.0.1/"]
    )
    func badURL(text: String) async throws {
        let error = try await fail(text)
        #expect(error.code == .badURL)
    }

    @Test("A request without a URL is a bad one, and the delegate is told later, once")
    func noURL() async throws {
        var request = URLRequest(url: URL(fileURLWithPath: "/"))
        request.url = nil
        let delegate = RecordingDelegate()
        let wasTold = try await onThread { [request] in
            let connection = NSURLConnection(request: request, delegate: delegate)
            let wasTold = !delegate.transcript.isEmpty
            RunLoop.current.run()
            return withExtendedLifetime(connection) { wasTold }
        }
        #expect(!wasTold)
        #expect(delegate.transcript == [.failed(.badURL)])
        #expect(delegate.urlError?.failingURL == nil)
    }
}
