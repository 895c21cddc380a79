import EventLoops
import Foundation
import RunLoopNetworking
import SampleServing
import SampleSupport
import TranscriptFormat

/// Makes the connections, round after round, and sums them up.
final class Rounds {
    private let options: TranscriptOptions
    private let url: URL
    private let server: SampleServer?
    private let context: Conversation.Context

    /// Prepares the connections; starts a server if no URL is given.
    init(_ options: TranscriptOptions) throws(UsageError) {
        self.options = options
        if let url = options.url {
            self.url = url
            server = nil
        } else {
            do throws(SampleServerError) {
                let server = try SampleServer()
                url = server.start().appendingPathComponent("file/100000/sample.txt")
                self.server = server
                if options.proxy == nil { EventLoop.shared.connectionSettings.proxy = .direct }
            } catch {
                Terminal.fail("transcript: the embedded server does not start: \(error)")
            }
        }
        var file: BodyFile?
        if let path = options.outputFile { file = try BodyFile(path) }
        context = Conversation.Context(
            options: options,
            stage: Stage(options.place),
            writer: LineWriter(),
            tally: Tally(),
            file: file,
            begin: .now
        )
    }

    /// Runs all rounds; returns the exit status.
    func run() throws(UsageError) -> Int32 {
        for round in 0..<options.rounds {
            for index in 0..<options.parallel { try start(round * options.parallel + index) }
            context.stage.wait(for: options.parallel, of: context.tally)
        }
        let counts = context.tally.counts
        context.writer.write([
            "message": "summary",
            "connections": .count(counts.connections),
            "finished": .count(counts.finished),
            "failed": .count(counts.failed),
            "cancelled": .count(counts.cancelled),
            "bytes": .integer(counts.bytes),
            "milliseconds": .milliseconds(context.begin.duration(to: .now)),
            "peakResidentKiB": .count(PeakMemory.kibibytes),
            "descriptors": .count(ProcessFigures.descriptors),
            "threads": .count(ProcessFigures.threads),
        ])
        return counts.failed == 0 ? 0 : 1
    }

    private func start(_ index: Int) throws(UsageError) {
        let request = try options.request(for: url)
        let conversation = Conversation(index, context)
        let connection = NSURLConnection(
            request: request,
            delegate: conversation,
            startImmediately: false
        )
        guard let connection else {
            throw UsageError("there is no connection for \(url.absoluteString)")
        }
        context.tally.began()
        context.stage.take(connection)
        connection.start()
    }
}
