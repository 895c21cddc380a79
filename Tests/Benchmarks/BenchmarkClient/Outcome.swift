import Foundation

/// What a run has loaded.
struct Outcome {
    var bytes: Int64 = 0
    var messages = 0
    var finished = 0
    var failed = 0

    /// The line that the benchmarks read.
    func line(seconds: Double, turns: [TurnHistogram]) -> String {
        let usage = Usage.now
        var fields = [
            "\"bytes\":\(bytes)",
            "\"seconds\":\(seconds)",
            "\"user\":\(usage.user)",
            "\"system\":\(usage.system)",
            "\"maxrss\":\(usage.peakKibibytes)",
            "\"messages\":\(messages)",
            "\"finished\":\(finished)",
            "\"failed\":\(failed)",
        ]
        if !turns.isEmpty {
            let all = turns.reduce(into: TurnHistogram()) { $0.add($1) }
            fields.append("\"turns\":\(all.json)")
        }
        return "{" + fields.joined(separator: ",") + "}"
    }
}
