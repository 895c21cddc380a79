// SampleServer: the server of the samples as a program of its own.
//
// Watch for: the line it prints. Open the address in a browser, or with curl, for a list of what it
// serves; `curl -O http://127.0.0.1:PORT/1.mp4` is a download of 700 MiB. End it with Control-C.

private import EventLoops
private import SampleServing

@main
enum SampleServerProgram {
    static func main() {
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            if options.wantsHelp { return Console.say(Options.usage) }
            try serve(options)
        } catch let error as UsageError {
            Console.fail("\(error.sentence)\n\n\(Options.usage)", status: 64)
        } catch {
            Console.fail("\(error)", status: 1)
        }
    }

    private static func serve(_ options: Options) throws {
        let server = try SampleServer(port: options.port)
        Console.say("listening on \(server.start().absoluteString)")
        if options.endsWithInput {
            while readLine() != nil {}
        } else {
            // Nobody stops this loop: a signal ends the program.
            EventLoop(name: "main").run()
        }
        server.stop()
    }
}
