import Foundation
import Testing

/// The four programs that the project grew from, and the loop's own.
@Suite("Samples", .timeLimit(.minutes(2)))
struct SeedTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The lines but for the last, which says how much memory it took.
    private func messages(of program: Program) -> [String] {
        program.lines.filter { !$0.hasPrefix("peak resident") }
    }

    @Test("HelloLoop runs jobs, then timers, and returns from run() after stop()")
    func helloLoop() async throws {
        let program = try await Program("HelloLoop")
        let ticks = (1...3).map { "timer: tick \($0)" }
        #expect(program.lines.first == "job: the loop turns")
        #expect(program.lines.filter { $0.hasPrefix("timer") } == ticks)
        #expect(program.lines.contains("job: from another thread"))
        #expect(program.lines.last == "stopped: run() has returned")
        #expect(program.status == 0)
    }

    @Test(
        "The first seed downloads in each of its ways, and reaches the line behind its run loop",
        arguments: [[], ["--poll"], ["--file-handle"], ["--collect"]]
    )
    func outputStream(way: [String]) async throws {
        let program = try await Program(
            "SeedOutputStream",
            way + ["--size", "20000000", "--folder", folder.url.path]
        )
        #expect(
            messages(of: program) == [
                "begin off the main thread", "response 200", "finished off the main thread",
                "did I get here?", "sha256 ok",
            ]
        )
        #expect(program.errors.isEmpty && program.status == 0)
    }

    @Test("The first seed's asynchronous request gets the whole file at once")
    func asynchronousRequest() async throws {
        let program = try await Program(
            "SeedOutputStream",
            ["--asynchronous", "--size", "20000000", "--folder", folder.url.path]
        )
        #expect(messages(of: program) == ["finished", "sha256 ok"])
    }

    @Test("Without an argument the first seed downloads its 700 MB")
    func outputStreamWhole() async throws {
        let program = try await Program("SeedOutputStream", ["--folder", folder.url.path])
        #expect(messages(of: program).suffix(2) == ["did I get here?", "sha256 ok"])
        let file = folder.url.appendingPathComponent("1.mp4").path
        let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? NSNumber
        #expect(size == 734_003_200)
    }

    @Test("The second seed hears its messages on the main thread's run loop")
    func defaultScheduling() async throws {
        let program = try await Program("SeedDefaultScheduling", ["--folder", folder.url.path])
        #expect(
            messages(of: program) == ["response 200", "finished on the main thread", "sha256 ok"]
        )
    }

    @Test("The third seed, stopped half-way and run again, ends with the right file")
    func fileHandle() async throws {
        let common = ["--size", "50000000", "--folder", folder.url.path]
        let first = try await Program("SeedFileHandle", ["--stop-after", "20000000"] + common)
        #expect(first.lines.first == "response 200")
        #expect(first.lines.last?.hasPrefix("paused at 2") == true)
        let second = try await Program("SeedFileHandle", common)
        #expect(
            messages(of: second) == [
                "response 206", "finished with 50000000 bytes", "sha256 ok",
            ]
        )
    }

    @Test("Without an argument the third seed pauses and goes on by itself")
    func fileHandleByItself() async throws {
        let program = try await Program("SeedFileHandle", ["--folder", folder.url.path])
        #expect(program.lines.first == "response 200")
        #expect(
            messages(of: program).suffix(3) == [
                "response 206", "finished with 50000000 bytes", "sha256 ok",
            ]
        )
    }

    @Test("The fourth seed goes on in a second run from the position in the preferences")
    func pauseResume() async throws {
        let common = ["--folder", folder.url.path]
        let first = try await Program("SeedPauseResume", common, home: folder.url)
        #expect(first.lines.first == "response 200")
        #expect(first.lines.last?.hasSuffix("; run it again to go on") == true)
        let second = try await Program("SeedPauseResume", common, home: folder.url)
        #expect(second.lines.first?.hasPrefix("going on at ") == true)
        #expect(
            messages(of: second).suffix(3) == ["response 206", "download complete", "sha256 ok"]
        )
        let third = try await Program("SeedPauseResume", common, home: folder.url)
        #expect(third.lines.first == "response 200")
    }

    @Test("A rest of exactly 500,000 bytes reaches the file")
    func exactBuffer() async throws {
        let program = try await Program(
            "SeedPauseResume",
            ["--size", "500000", "--pause-after", "9000000", "--folder", folder.url.path],
            home: folder.url
        )
        #expect(messages(of: program) == ["response 200", "download complete", "sha256 ok"])
    }

    @Test(
        "What a sample does not know it refuses with its usage",
        arguments: ["--nonsense", "--size"]
    )
    func wrongUsage(argument: String) async throws {
        let program = try await Program("SeedFileHandle", [argument])
        #expect(program.status == 64)
        #expect(program.errors.contains("SeedFileHandle [--size BYTES]"))
    }
}
