import Foundation
import Testing

@testable import SampleServing

@Suite("The program SampleServer", .timeLimit(.minutes(1)))
struct ProgramTests {
    @Test("It says where it listens, serves, and ends when its standard input closes")
    func serves() async throws {
        let server = try ServerProcess()
        #expect(server.greeting == "listening on http://127.0.0.1:\(server.port)\n")
        let fetched = try await Fetched.get("http://127.0.0.1:\(server.port)/file/3/a")
        #expect(fetched.body == [0, 0, 0])
        #expect(try server.closeInput() == 0)
        #expect(!RawConnection(port: server.port).isConnected)
    }

    @Test("A taken port ends it with a sentence that says what to do")
    func portTaken() async throws {
        let server = try SampleServer()
        let program = try await Program.run(
            Program.built("SampleServer"),
            ["--port", String(server.port), "--until-stdin-closes"]
        )
        #expect(program.status == 1)
        let message = String(decoding: program.errorOutput, as: UTF8.self)
        #expect(message.contains("port \(server.port) is taken"))
        #expect(message.contains("another port"))
        #expect(program.output.isEmpty)
    }

    @Test(
        "Wrong usage ends it with status 64 and the usage",
        arguments: [["--port"], ["--port", "65536"], ["--port", "x"], ["--verbose"], ["8080"]]
    )
    func wrongUsage(arguments: [String]) async throws {
        let program = try await Program.run(Program.built("SampleServer"), arguments)
        #expect(program.status == 64)
        let message = String(decoding: program.errorOutput, as: UTF8.self)
        #expect(message.contains("usage: SampleServer"))
    }

    @Test("Help is printed to the standard output")
    func help() async throws {
        let program = try await Program.run(Program.built("SampleServer"), ["--help"])
        #expect(program.status == 0)
        #expect(String(decoding: program.output, as: UTF8.self).contains("--until-stdin-closes"))
    }
}
