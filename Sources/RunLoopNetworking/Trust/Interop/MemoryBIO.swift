private import CLibssl

/// OpenSSL's streams that lie in memory.
///
/// - SeeAlso: <https://docs.openssl.org/3.0/man3/BIO_s_mem/>
enum MemoryBIO {
    /// Everything that was written to one.
    @unsafe static func take(_ memory: OpaquePointer?) -> [UInt8] {
        let count = unsafe BIO_ctrl_pending(memory)
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { bytes, initialized in
            initialized = unsafe Int(max(0, BIO_read(memory, bytes.baseAddress, Int32(count))))
        }
    }

    /// Calls `body` with one that has these bytes to read.
    @unsafe static func reading<Result>(
        _ bytes: [UInt8],
        _ body: (OpaquePointer?) -> Result
    ) -> Result {
        unsafe bytes.withUnsafeBytes { bytes in
            let memory = unsafe BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count))
            defer { unsafe BIO_free(memory) }
            return unsafe body(memory)
        }
    }
}
