internal import CLibcurl
private import Glibc

extension NetworkAddress {
    /// Reads the address that libcurl is about to connect to; nil for another family than IPv4 and IPv6.
    @unsafe init?(_ address: UnsafeMutablePointer<curl_sockaddr>) {
        guard [AF_INET, AF_INET6].contains(unsafe address.pointee.family),
            let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr)
        else { return nil }
        // An address may be longer than the field in which it begins.
        let start = unsafe UnsafeMutableRawPointer(address) + offset
        let length = unsafe address.pointee.addrlen
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let count = socklen_t(text.count)
        let isRead =
            unsafe getnameinfo(
                start.assumingMemoryBound(to: sockaddr.self),
                length,
                &text,
                count,
                nil,
                0,
                NI_NUMERICHOST
            ) == 0
        guard isRead else { return nil }
        // Both families have the port in the same place.
        let port = unsafe start.load(fromByteOffset: 2, as: UInt16.self)
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        self.init(host: String(decoding: bytes, as: UTF8.self), port: Int(UInt16(bigEndian: port)))
    }
}
