private import CLibcrypto

/// libcrypto's state of one digest that is being made.
///
/// - SeeAlso: <https://docs.openssl.org/3.0/man3/EVP_DigestInit/>
@safe
// It changes: Digester and SHA256Hasher copy it before the first change to one that is shared, as the
// standard library's collections do.
final class DigestContext: @unchecked Sendable {
    private let pointer: OpaquePointer

    /// Begins a computation.
    init(_ algorithm: DigestAlgorithm) {
        unsafe pointer = Self.makePointer()
        unsafe expectOK(
            EVP_DigestInit_ex(pointer, Self.method(of: algorithm), nil),
            "EVP_DigestInit_ex"
        )
    }

    /// Goes on from where `other` is.
    init(copyOf other: DigestContext) {
        unsafe pointer = Self.makePointer()
        unsafe expectOK(EVP_MD_CTX_copy_ex(pointer, other.pointer), "EVP_MD_CTX_copy_ex")
    }

    deinit {
        unsafe EVP_MD_CTX_free(pointer)
    }

    /// Takes the next bytes.
    func update(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBytes { unsafe update($0) }
    }

    /// Takes the next bytes.
    func update(_ bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { unsafe update($0) }
    }

    /// Ends the computation; nothing may follow.
    func finish() -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { bytes, count in
            var length: UInt32 = 0
            unsafe expectOK(
                EVP_DigestFinal_ex(pointer, bytes.baseAddress, &length),
                "EVP_DigestFinal_ex"
            )
            count = Int(length)
        }
    }

    private func update(_ bytes: UnsafeRawBufferPointer) {
        unsafe expectOK(
            EVP_DigestUpdate(pointer, bytes.baseAddress, bytes.count),
            "EVP_DigestUpdate"
        )
    }

    private static func method(of algorithm: DigestAlgorithm) -> OpaquePointer? {
        switch algorithm {
        case .md5: unsafe EVP_md5()
        case .sha1: unsafe EVP_sha1()
        case .sha256: unsafe EVP_sha256()
        case .sha512: unsafe EVP_sha512()
        }
    }

    private static func makePointer() -> OpaquePointer {
        guard let pointer = unsafe EVP_MD_CTX_new() else {
            preconditionFailure("EVP_MD_CTX_new failed: no memory is left")
        }
        return unsafe pointer
    }

    private func expectOK(_ result: Int32, _ call: StaticString) {
        precondition(result == 1, "\(call) failed: libcrypto lacks the algorithm, or memory")
    }
}
