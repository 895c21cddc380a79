internal import Foundation
public import FoundationNetworking

extension NSURLConnection {
    /// Whether a connection could load this request.
    ///
    /// It could when its URL is absolute and has what its scheme needs: a host for http and https, a
    /// path on this machine for file, content that can be decoded for data; or when a registered handler
    /// takes it, which is asked on the calling thread. No server and no disk is asked; a load may still
    /// fail. The method does not count.
    /// See <https://developer.apple.com/documentation/foundation/nsurlconnection/canhandle(_:)>.
    public class func canHandle(_ request: URLRequest) -> Bool {
        ProtocolHandlers.areRegistered && ProtocolHandlers.match(for: request) != nil
            || request.url.map(LoadableScheme.canLoad) ?? false
    }
}
