public import Foundation

extension OutputStream {
    /// Writes all bytes; -1 when that was not possible, as `write(_:maxLength:)` says it.
    @discardableResult
    public func write(_ data: Data) -> Int {
        var written = 0
        while written < data.count {
            let count = unsafe data.withUnsafeBytes { bytes in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
                guard let start = unsafe rest.bindMemory(to: UInt8.self).baseAddress else {
                    return -1
                }
                return unsafe write(start, maxLength: rest.count)
            }
            guard count > 0 else { return -1 }
            written += count
        }
        return written
    }
}
