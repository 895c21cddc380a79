import Foundation
import RunLoopNetworking
import Testing
import TranscriptFormat

@Suite("How transcript is called", .timeLimit(.minutes(1)))
struct TranscriptUsageTests {
    @Test(
        "What can't be done is refused with status 64 and a sentence, and no line is printed",
        arguments: [
            ["--nonsense"], ["--data", "@/nowhere/body"], ["--stream", "/nowhere/body"],
            ["--output", "/nowhere/file"], ["--user", "me"],
        ]
    )
    func refused(arguments: [String]) async throws {
        let program = try await Program("transcript", arguments)
        #expect(program.status == 64)
        #expect(program.lines.isEmpty)
        #expect(program.errors.hasPrefix("transcript: "))
        #expect(program.errors.hasSuffix("\ntranscript --help lists what there is.\n"))
    }

    @Test("A file that takes nothing more ends the program")
    func fullDisk() async throws {
        let program = try await Program("transcript", ["--output", "/dev/full"])
        #expect(program.status == 1)
        #expect(program.errors.hasPrefix("transcript: /dev/full can't be written"))
    }

    @Test("--help prints every option on standard output, and so does the page")
    func help() async throws {
        let program = try await Program("transcript", ["--slow", "5", "--help"])
        #expect(program.status == 0 && program.errors.isEmpty)
        #expect(program.lines == TranscriptOptions.help.split(separator: "\n").map(String.init))
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(
            contentsOf: package.appendingPathComponent("Docs/Transcript.md"),
            encoding: .utf8
        )
        let pattern = /--[a-z]+(?:-[a-z]+)*/
        let inHelp = Set(TranscriptOptions.help.matches(of: pattern).map { String($0.output) })
        let onPage = Set(page.matches(of: pattern).map { String($0.output) })
        #expect(inHelp.count == 23 && inHelp == onPage)
    }

    @Test(
        "What is wrong in a command line is said in a sentence",
        arguments: [
            (["--nonsense"], "there is no option --nonsense"),
            (["-x"], "there is no option -x"),
            (["--method"], "--method needs a value behind it"),
            (["--body=1"], "--body takes no value"),
            (["http://a", "http://b"], "one URL is loaded at a time; http://b is another"),
            (["--", "--body"], "--body is no URL; write one such as http://127.0.0.1:8080/f"),
            (["--header", "X"], "--header wants a name, a colon and a value, not X"),
            (["--header", ": x"], "--header wants a name, a colon and a value, not : x"),
            (
                ["--data", "a", "--stream", "b"],
                "a request has one body: give --data or --stream, once"
            ),
            (
                ["--on", "moon"],
                "--on takes one of main, operation-queue, dispatch-queue, loop, not moon"
            ),
            (["--slow", "-1"], "--slow wants a whole number, not -1"),
            (["--repeat", "0"], "--repeat wants a whole number from 1 on"),
            (
                ["--cancel-after-messages=0"],
                "--cancel-after-messages wants a whole number from 1 on"
            ),
            (["--timeout", "nan"], "--timeout wants a number of seconds, such as 2.5, not nan"),
            (["--pause-for", "3"], "--pause-after-bytes and --pause-for go together"),
            (
                ["--output", "f", "--parallel", "2"],
                "--output takes one body at a time: leave --parallel out"
            ),
            (
                ["--json-lines", "--body"],
                "--json-lines reads its requests from standard input: leave --body out"
            ),
            (
                ["--json-lines", "http://a"],
                "--json-lines reads its requests from standard input: leave the URL out"
            ),
            (
                ["--json-lines", "--refuse-redirects"],
                "--json-lines reads its requests from standard input: leave --refuse-redirects out"
            ),
            (
                ["--user", "somebody"],
                "--user wants a name, a colon and a password"
            ),
            (
                ["--proxy=http://u:secret@p:x"],
                "--proxy names no proxy. A proxy's port is a number from 1 to 65535."
            ),
        ]
    )
    func sentences(arguments: [String], sentence: String) throws {
        #expect(throws: UsageError(sentence)) { try TranscriptOptions(arguments) }
    }

    @Test("Every option is read, with a blank or an equals sign before its value")
    func options() throws {
        var wanted = TranscriptOptions()
        #expect(try TranscriptOptions([String]()) == wanted)
        wanted.method = "PUT"
        wanted.fields = [
            .init(name: "X-A", value: "b: c"), .init(name: "X-A", value: ""),
            .init(name: "Range", value: "bytes=-5"),
        ]
        wanted.body = .text("x=y")
        wanted.timeout = 0
        wanted.authorityFile = "ca.pem"
        wanted.proxy = .server(try ProxyServer("socks5h://u:p@h:1"))
        wanted.user = .init(name: "me", password: "a:b")
        wanted.place = .dispatchQueue
        wanted.slowness = .milliseconds(7)
        wanted.cancelAfterBytes = 0
        wanted.cancelAfterMessages = 2
        wanted.pauseAfterBytes = 3
        wanted.pause = .milliseconds(4)
        wanted.refusesRedirects = true
        wanted.showsBody = true
        wanted.outputFile = "-x"
        wanted.rounds = 5
        wanted.url = URL(string: "http://a/b?c=d")
        let words = [
            "--method=PUT", "--header", "X-A: b: c", "--header=X-A:", "--range", "bytes=-5",
            "--data=x=y", "--timeout", "0", "--cacert", "ca.pem", "--proxy",
            "socks5h://u:p@h:1", "--user", "me:a:b", "--on", "dispatch-queue", "--slow", "7",
            "--cancel-after-bytes",
            "0", "--cancel-after-messages", "2",
            "--pause-after-bytes=3", "--pause-for=4", "--refuse-redirects", "--body", "--output",
            "-x", "--repeat", "5",
            "--", "http://a/b?c=d",
        ]
        #expect(try TranscriptOptions(words) == wanted)
        #expect(try TranscriptOptions(["--proxy="]).proxy == .direct)
        #expect(try TranscriptOptions(["--parallel", "9"]).parallel == 9)
        #expect(try TranscriptOptions(["--json-lines", "--timeout=1"]).readsQuestions)
    }
}
