// What the benchmarks run of this library, with the same commands as its peers.
//
//     BenchmarkClient download URL FILE|-     one URL to a file by FileDownload, or to nobody
//     BenchmarkClient many URL COUNT CONCURRENCY
//
// One JSON line at the end: bytes, seconds, CPU times, peak memory, messages. In the environment:
//
//     DELIVERY=loop|operation-queue|dispatch-queue   where delegates hear; the usual is loop
//     TURNS=1        the longest stays of the loop in one turn are measured as well
//     LOOPS=N        connections are spread over so many loops
//     CAFILE=FILE    whom to trust

import EventLoops
import Foundation
import RunLoopNetworking

@main
enum BenchmarkClient {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let environment = ProcessInfo.processInfo.environment
        let loops = (0..<(Int(environment["LOOPS"] ?? "") ?? 1)).map { number in
            loop(named: "loop \(number)", environment)
        }
        let turns = environment["TURNS"] == nil ? [] : loops.map { TurnTimes(of: $0) }
        for loop in loops { loop.start() }
        let begin = ContinuousClock.now
        let outcome: Outcome
        switch (arguments.first, arguments.count) {
        case ("download", 3):
            outcome = Download(arguments[1], to: arguments[2], on: loops[0]).run()
        case ("many", 4):
            outcome = Many(
                arguments[1],
                count: Int(arguments[2]) ?? 0,
                concurrency: Int(arguments[3]) ?? 1,
                loops: loops,
                delivery: environment["DELIVERY"] ?? "loop"
            ).run()
        default:
            print("usage: BenchmarkClient download URL FILE|- | many URL COUNT CONCURRENCY")
            exit(64)
        }
        let seconds = (ContinuousClock.now - begin) / .seconds(1)
        for loop in loops { loop.shutDown() }
        print(outcome.line(seconds: seconds, turns: turns.map(\.histogram)))
        exit(outcome.failed == 0 ? 0 : 1)
    }

    private static func loop(named name: String, _ environment: [String: String]) -> EventLoop {
        let loop = EventLoop(name: name)
        var settings = ConnectionSettings()
        settings.proxy = .direct
        settings.connectionsPerHost = 0
        settings.connections = 0
        settings.responseCache = nil
        settings.cookieStore = nil
        settings.certificateAuthorityFile = environment["CAFILE"]
        loop.connectionSettings = settings
        return loop
    }
}
