import Foundation

/// How many threads of this process have a name: Dispatch's come and go, ours don't.
enum OwnThreads {
    static func count(named name: String) throws -> Int {
        let tasks = "/proc/self/task"
        return try FileManager.default.contentsOfDirectory(atPath: tasks).count { task in
            let comm = try? String(contentsOfFile: "\(tasks)/\(task)/comm", encoding: .utf8)
            return comm?.trimmingCharacters(in: .newlines) == name
        }
    }
}
