internal import Foundation
public import FoundationNetworking

extension ScriptedServer {
    /// A request for a path on this server.
    public func request(
        _ path: String = "/",
        method: String = "GET",
        fields: [String: String] = [:],
        timeout: Double = 60
    ) -> URLRequest {
        var request = URLRequest(url: url(path), timeoutInterval: timeout)
        request.httpMethod = method
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }
}
