private import Glibc

/// An address of a host, as its bytes: 4 of them, or 16.
///
/// - SeeAlso: <https://man7.org/linux/man-pages/man3/inet_pton.3.html>
struct IPAddress: Equatable, Sendable {
    let bytes: [UInt8]

    /// Reads four decimal numbers, or an IPv6 address without brackets; nil for anything else.
    init?(_ text: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        let isFourth = unsafe inet_pton(AF_INET, text, &bytes) == 1
        guard unsafe isFourth || inet_pton(AF_INET6, text, &bytes) == 1 else { return nil }
        self.bytes = isFourth ? Array(bytes.prefix(4)) : bytes
    }

    /// Whether the first bits are those of another address of the same family.
    func hasPrefix(_ other: IPAddress, bits: Int) -> Bool {
        guard bytes.count == other.bytes.count, (0...bytes.count * 8).contains(bits) else {
            return false
        }
        return (0..<bits).allSatisfy { bit in
            (bytes[bit / 8] ^ other.bytes[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
        }
    }
}
