// transcript: every message of a connection, one JSON line each.
//
// Watch for: the order of the lines, where each was heard, and how many bytes one data message has.
// Outside scripts drive the library through this program: Docs/Transcript.md is its contract.

import EventLoops
import Foundation
import SampleSupport
import TranscriptFormat

@main
enum TranscriptProgram {
    static func main() {
        do throws(UsageError) {
            let options = try TranscriptOptions(CommandLine.arguments.dropFirst())
            if options.wantsHelp {
                print(TranscriptOptions.help)
                Terminal.end()
            }
            if let proxy = options.proxy { EventLoop.shared.connectionSettings.proxy = proxy }
            if let file = options.authorityFile {
                EventLoop.shared.connectionSettings.certificateAuthorityFile = file
            }
            Terminal.end(try status(of: options))
        } catch {
            Terminal.fail(
                "transcript: \(error.sentence)\ntranscript --help lists what there is.",
                status: 64
            )
        }
    }

    private static func status(of options: TranscriptOptions) throws(UsageError) -> Int32 {
        if options.readsQuestions {
            AnsweringDesk(timeout: options.timeout).answerAll()
            return 0
        }
        return try Rounds(options).run()
    }
}
