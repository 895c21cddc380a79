@testable import RunLoopNetworking

/// A text that was to be a head and does not even begin with a status line.
struct NoStatusLine: Error {}

extension HeaderBlock {
    /// Feeds lines to a new block, one call for each, as libcurl would.
    init(lines: [[UInt8]]) throws {
        guard let first = lines.first, let block = HeaderBlock(statusLine: first) else {
            throw NoStatusLine()
        }
        self = block
        for line in lines.dropFirst() {
            try append(line: line)
        }
    }

    /// Makes a head of a status line with 200 and of field lines, each with its line end.
    init(fieldLines: [String], lineEnd: String = "\r\n") throws {
        let lines = ["HTTP/1.1 200 OK"] + fieldLines + [""]
        try self.init(lines: lines.map { Array(($0 + lineEnd).utf8) })
    }
}
