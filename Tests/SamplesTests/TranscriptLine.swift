import Digests
import Foundation

/// A line that `transcript` prints, without what is another each time.
struct TranscriptLine: Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

// MARK: - What is expected

extension TranscriptLine {
    static func willSend(
        _ url: URL,
        _ method: String = "GET",
        headers: String = "",
        after status: Int? = nil,
        on place: String = "main",
        connection: Int = 0
    ) -> TranscriptLine {
        let redirect = status.map { #","redirectStatus":\#($0)"# } ?? ""
        let fields = #","url":"\#(url)","method":"\#(method)","headers":{\#(headers)}"#
        return line("willSend", on: place, connection, fields + redirect)
    }

    /// The line of a body that goes out in one message.
    static func sentBody(_ count: Int, of expected: Int? = nil) -> TranscriptLine {
        let fields = #","bytes":\#(count),"total":\#(count),"expected":\#(expected ?? count)"#
        return line("sentBody", on: "main", 0, fields)
    }

    static func needNewBodyStream(_ url: URL) -> TranscriptLine {
        line("needNewBodyStream", on: "main", 0, #","url":"\#(url)""#)
    }

    /// The line of a response with a plain text of that many bytes.
    static func response(
        _ url: URL,
        _ status: Int = 200,
        length: Int = 4,
        further headers: String = "",
        on place: String = "main",
        connection: Int = 0
    ) -> TranscriptLine {
        let fields =
            #","status":\#(status),"url":"\#(url)","#
            + #""headers":{"Content-Length":"\#(length)","Content-Type":"text/plain"\#(headers)},"#
            + #""expected":\#(length),"mime":"text/plain","encoding":null,"#
            + #""filename":"\#(url.lastPathComponent).txt""#
        return line("response", on: place, connection, fields)
    }

    /// The line of a body that comes in one message.
    static func data(
        _ text: String = "ABCD",
        further: String = "",
        on place: String = "main",
        connection: Int = 0
    ) -> TranscriptLine {
        let count = text.utf8.count
        let fields = #","bytes":\#(count),"total":\#(count),"sha256":"\#(digest(text))"\#(further)"#
        return line("data", on: place, connection, fields)
    }

    static func failed(_ code: Int, curl: String = "null", _ url: URL) -> TranscriptLine {
        let fields =
            #","domain":"NSURLErrorDomain","code":\#(code),"curl":\#(curl),"#
            + #""url":"\#(url)","description":"…""#
        return line("failed", on: "main", 0, fields)
    }

    /// A line without fields of its own.
    static func last(
        _ message: String,
        on place: String = "main",
        connection: Int = 0
    ) -> TranscriptLine {
        line(message, on: place, connection, "")
    }

    static func summary(
        _ connections: Int,
        finished: Int = 0,
        failed: Int = 0,
        cancelled: Int = 0,
        bytes: Int
    ) -> TranscriptLine {
        TranscriptLine(
            #"{"message":"summary","connections":\#(connections),"finished":\#(finished),"#
                + #""failed":\#(failed),"cancelled":\#(cancelled),"bytes":\#(bytes)"#
        )
    }

    static func digest(_ text: String) -> String { "\(SHA256Hasher.hash(Array(text.utf8)))" }

    private static func line(
        _ message: String,
        on place: String,
        _ connection: Int,
        _ fields: String
    ) -> TranscriptLine {
        let begin = #"{"message":"\#(message)","on":"\#(place)","connection":\#(connection)"#
        return TranscriptLine(begin + fields + "}")
    }
}
