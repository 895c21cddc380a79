internal import Foundation
internal import FoundationNetworking

extension CachedURLResponse {
    /// The form in which a kept response is handed out; nil when its body can't be read any more.
    convenience init?(_ entry: StoredEntry) {
        guard let url = URL(string: entry.response.url),
            let response = LoadedHTTPURLResponse(
                url: url,
                headers: entry.response.head,
                isDecoded: entry.response.isDecoded
            )
        else { return nil }
        var data = Data()
        do throws(FileError) {
            try entry.body.forEachBlock { (block) throws(FileError) in
                data.append(contentsOf: block)
            }
        } catch {
            return nil
        }
        self.init(
            response: response,
            data: data,
            userInfo: entry.response.userInfo.flatMap(Self.userInfo),
            storagePolicy: .allowed
        )
    }

    /// What the owner keeps with the response, as a property list; nil when it can't be one.
    var userInfoList: Data? {
        guard let userInfo else { return nil }
        let list = NSDictionary(dictionary: userInfo)
        guard PropertyListSerialization.propertyList(list, isValidFor: .binary) else { return nil }
        return try? PropertyListSerialization.data(
            fromPropertyList: list,
            format: .binary,
            options: 0
        )
    }

    private static func userInfo(_ list: Data) -> [AnyHashable: Any]? {
        let value = unsafe try? PropertyListSerialization.propertyList(from: list, format: nil)
        return value as? [AnyHashable: Any]
    }
}

extension StoredResponse {
    /// What is kept of a response that its owner, or a delegate, gives; nil when it can't be kept.
    init?(
        _ cached: CachedURLResponse,
        _ key: CacheKey,
        _ fields: RequestFields,
        requestTime: Date,
        responseTime: Date
    ) {
        guard cached.storagePolicy != .notAllowed,
            let response = cached.response as? HTTPURLResponse
        else { return nil }
        let loaded = response as? LoadedHTTPURLResponse
        let head = loaded?.headers ?? HeaderBlock(response)
        guard CacheRules.isWhole(head), let vary = VarySelection(head, fields) else { return nil }
        let isCoded = head.contentCodings.contains { !$0.isEmpty && $0 != "identity" }
        self.init(
            url: key.url,
            head: StorableFields.kept(of: head),
            isDecoded: loaded?.isDecoded ?? isCoded,
            vary: vary,
            requestTime: requestTime,
            responseTime: responseTime,
            userInfo: cached.userInfoList
        )
    }
}

extension HeaderBlock {
    /// The head of a response that somebody else has made.
    fileprivate init(_ response: HTTPURLResponse) {
        let fields = response.allHeaderFields.compactMap { name, value -> HeaderField? in
            guard let name = name as? String, let value = value as? String else { return nil }
            return HeaderField(name: name, value: value)
        }
        self.init(
            statusCode: response.statusCode,
            httpVersion: "HTTP/1.1",
            reason: "",
            fields: fields.sorted { $0.name < $1.name }
        )
    }
}
