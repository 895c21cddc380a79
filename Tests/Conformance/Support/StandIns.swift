import EventLoops
import Foundation
import FoundationNetworking

/// A handler that answers in place of a server; subclasses say what they take and what they tell.
class StandIn: URLProtocol {
    /// The host that none of these lets through to the network.
    static let host = "intercepted.test"

    override class func canInit(with request: URLRequest) -> Bool {
        request.url?.host == host
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest {
        request
    }

    /// What is told, piece by piece; the path of the URL says which.
    var pieces: [Data] {
        switch request.url?.lastPathComponent {
        case "empty": []
        case "single": [Data([0x00, 0x66, 0xFF, 0x41])]
        default: [Data([0x00, 0x66]), Data([0xFF, 0x41])]
        }
    }

    override func startLoading() {
        tellResponse(203, ["X-Pieces": "\(pieces.count)"])
        for piece in pieces { client?.urlProtocol(self, didLoad: piece) }
        if request.url?.lastPathComponent == "failure" {
            client?.urlProtocol(self, didFailWithError: URLError(.networkConnectionLost))
        } else {
            client?.urlProtocolDidFinishLoading(self)
        }
    }

    override func stopLoading() {}

    /// Tells a response, of the request's URL or of another one.
    func tellResponse(_ status: Int, _ fields: [String: String] = [:], url: URL? = nil) {
        guard let url = url ?? request.url,
            let response = HTTPURLResponse(
                url: url,
                statusCode: status,
                httpVersion: "HTTP/1.1",
                headerFields: fields
            )
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    }
}

/// Refuses everything, with a text.
final class RefusingStandIn: StandIn {
    override func startLoading() {
        tellResponse(429)
        client?.urlProtocol(self, didLoad: Data("too often".utf8))
        client?.urlProtocolDidFinishLoading(self)
    }
}

/// Takes a scheme that no server is asked for, and answers for another URL.
final class SchemeStandIn: StandIn {
    override class func canInit(with request: URLRequest) -> Bool {
        request.url?.scheme == "ssh"
    }

    override func startLoading() {
        tellResponse(200, url: URL(string: "http://elsewhere.test"))
        client?.urlProtocolDidFinishLoading(self)
    }
}

/// Comes to its end without ever having told a response.
final class SilentStandIn: StandIn {
    override func startLoading() {
        client?.urlProtocolDidFinishLoading(self)
    }
}
