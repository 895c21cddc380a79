import Foundation

/// What `transcript` printed, without what is another each time.
struct TranscriptLines {
    /// The lines but for the last, without their times and without libcurl's sentences.
    let messages: [TranscriptLine]

    /// When each message was heard, in milliseconds.
    let times: [Double]

    /// What the last line counts, the figures of the process left out.
    let summary: TranscriptLine

    /// The figures of the process in the last line.
    let figures: [Double]

    let status: Int32
    let errors: String

    /// Runs the program.
    init(_ arguments: [String]) async throws {
        let program = try await Program("transcript", arguments)
        status = program.status
        errors = program.errors
        messages = program.lines.dropLast().map { line in
            TranscriptLine(
                line.replacing(/,"t":[0-9.]+/, with: "")
                    .replacing(/"description":"[^"]+"/, with: #""description":"…""#)
            )
        }
        times = program.lines.dropLast().compactMap { line in
            line.firstMatch(of: /,"t":([0-9.]+)/).flatMap { Double($0.output.1) }
        }
        let last = program.lines.last ?? ""
        let border = last.range(of: #","milliseconds""#)?.lowerBound ?? last.endIndex
        summary = TranscriptLine(String(last[..<border]))
        let names = ["milliseconds", "peakResidentKiB", "descriptors", "threads"]
        let pattern = "," + names.map { "\"\($0)\":([0-9.]+)" }.joined(separator: ",") + "}"
        let match = try Regex(pattern).wholeMatch(in: last[border...])
        figures = match?.output.dropFirst().compactMap { $0.substring.flatMap { Double($0) } } ?? []
    }

    /// The lines of one of several connections.
    func messages(of connection: Int) -> [TranscriptLine] {
        messages.filter { $0.description.contains("\"connection\":\(connection)") }
    }
}
