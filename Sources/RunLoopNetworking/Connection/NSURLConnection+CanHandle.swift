internal import Foundation
public import FoundationNetworking

extension NSURLConnection {
    /// Whether a connection could load this request: an absolute http or https URL with a host.
    ///
    /// It asks nobody; a load may still fail. The method does not count.
    /// See <https://developer.apple.com/documentation/foundation/nsurlconnection/canhandle(_:)>.
    public class func canHandle(_ request: URLRequest) -> Bool {
        request.url.map(LoadableURL.isLoadable) ?? false
    }
}
