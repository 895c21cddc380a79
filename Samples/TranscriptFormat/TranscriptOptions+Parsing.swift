internal import Foundation
internal import RunLoopNetworking

extension TranscriptOptions {
    /// Reads the words behind the program's name.
    ///
    /// - Throws: ``UsageError`` for what it does not know.
    package init(_ words: some Sequence<String>) throws(UsageError) {
        self.init()
        var reader = ArgumentReader(words)
        var names: Set<String> = []
        while let word = try reader.next() {
            switch word {
            case .operand(let text): try takeURL(text)
            case .option("--help"), .option("-h"):
                wantsHelp = true
                return
            case .option(let name):
                names.insert(name)
                try take(name, from: &reader)
            }
        }
        try checkTogether(names)
    }

    private mutating func takeURL(_ text: String) throws(UsageError) {
        guard url == nil else {
            throw UsageError("one URL is loaded at a time; \(text) is another")
        }
        guard let url = URL(string: text), url.scheme != nil else {
            throw UsageError("\(text) is no URL; write one such as http://127.0.0.1:8080/f")
        }
        self.url = url
    }

    private mutating func take(
        _ name: String,
        from reader: inout ArgumentReader
    ) throws(UsageError) {
        if try takeForRequest(name, from: &reader) { return }
        if try takeForDelegate(name, from: &reader) { return }
        switch name {
        case "--repeat": rounds = try Self.times(name, from: &reader)
        case "--parallel": parallel = try Self.times(name, from: &reader)
        case "--json-lines": readsQuestions = true
        default:
            throw UsageError("there is no option \(name)")
        }
    }

    private mutating func takeForRequest(
        _ name: String,
        from reader: inout ArgumentReader
    ) throws(UsageError) -> Bool {
        switch name {
        case "--method": method = try reader.value(of: name)
        case "--header": fields.append(try Self.field(reader.value(of: name)))
        case "--range":
            let range = try reader.value(of: name)
            let value = range.hasPrefix("bytes=") ? range : "bytes=" + range
            fields.append(Field(name: "Range", value: value))
        case "--data":
            let data = try reader.value(of: name)
            try setBody(data.hasPrefix("@") ? .file(String(data.dropFirst())) : .text(data))
        case "--stream": try setBody(.stream(try reader.value(of: name)))
        case "--timeout": timeout = try Self.seconds(name, from: &reader)
        case "--cacert": authorityFile = try reader.value(of: name)
        case "--proxy": proxy = try Self.proxy(reader.value(of: name))
        default: return false
        }
        return true
    }

    private mutating func takeForDelegate(
        _ name: String,
        from reader: inout ArgumentReader
    ) throws(UsageError) -> Bool {
        switch name {
        case "--on": place = try Self.place(reader.value(of: name))
        case "--slow": slowness = try Self.milliseconds(name, from: &reader)
        case "--cancel-after-bytes": cancelAfterBytes = try Self.number(name, from: &reader)
        case "--cancel-after-messages":
            cancelAfterMessages = Int64(try Self.times(name, from: &reader))
        case "--pause-after-bytes": pauseAfterBytes = try Self.number(name, from: &reader)
        case "--pause-for": pause = try Self.milliseconds(name, from: &reader)
        case "--user": user = try Self.user(reader.value(of: name))
        case "--accept-untrusted": acceptsUntrusted = true
        case "--refuse-redirects": refusesRedirects = true
        case "--body": showsBody = true
        case "--output": outputFile = try reader.value(of: name)
        default: return false
        }
        return true
    }

    private mutating func setBody(_ body: Body) throws(UsageError) {
        guard self.body == nil else {
            throw UsageError("a request has one body: give --data or --stream, once")
        }
        self.body = body
    }

    private func checkTogether(_ names: Set<String>) throws(UsageError) {
        guard (pauseAfterBytes == nil) == (pause == nil) else {
            throw UsageError("--pause-after-bytes and --pause-for go together")
        }
        guard outputFile == nil || parallel == 1 else {
            throw UsageError("--output takes one body at a time: leave --parallel out")
        }
        guard readsQuestions else { return }
        let others = names.subtracting(["--json-lines", "--timeout", "--cacert", "--proxy"])
        guard others.isEmpty, url == nil else {
            let first = others.min() ?? "the URL"
            throw UsageError(
                "--json-lines reads its requests from standard input: leave \(first) out"
            )
        }
    }
}

// MARK: - Values

extension TranscriptOptions {
    private static func field(_ text: String) throws(UsageError) -> Field {
        let sides = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard sides.count == 2, !sides[0].isEmpty else {
            throw UsageError("--header wants a name, a colon and a value, not \(text)")
        }
        return Field(name: sides[0], value: sides[1])
    }

    private static func proxy(_ text: String) throws(UsageError) -> ProxySettings {
        guard !text.isEmpty else { return .direct }
        do throws(ProxyError) {
            return .server(try ProxyServer(text))
        } catch {
            throw UsageError("--proxy names no proxy. \(error.description)")
        }
    }

    private static func user(_ text: String) throws(UsageError) -> User {
        guard let colon = text.firstIndex(of: ":") else {
            throw UsageError("--user wants a name, a colon and a password")
        }
        return User(
            name: String(text[..<colon]),
            password: String(text[text.index(after: colon)...])
        )
    }

    private static func place(_ text: String) throws(UsageError) -> Place {
        guard let place = Place(rawValue: text) else {
            let places = Place.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("--on takes one of \(places), not \(text)")
        }
        return place
    }

    private static func number(
        _ name: String,
        from reader: inout ArgumentReader
    ) throws(UsageError) -> Int64 {
        let text = try reader.value(of: name)
        guard let number = Int64(text), number >= 0 else {
            throw UsageError("\(name) wants a whole number, not \(text)")
        }
        return number
    }

    private static func times(
        _ name: String,
        from reader: inout ArgumentReader
    ) throws(UsageError) -> Int {
        let number = try number(name, from: &reader)
        guard (1...1_000_000_000).contains(number) else {
            throw UsageError("\(name) wants a whole number from 1 on")
        }
        return Int(number)
    }

    private static func milliseconds(
        _ name: String,
        from reader: inout ArgumentReader
    ) throws(UsageError) -> Duration {
        let number = try number(name, from: &reader)
        guard number <= 1_000_000_000 else {
            throw UsageError("\(name) wants milliseconds; \(number) are more than eleven days")
        }
        return .milliseconds(number)
    }

    private static func seconds(
        _ name: String,
        from reader: inout ArgumentReader
    ) throws(UsageError) -> Double {
        let text = try reader.value(of: name)
        guard let seconds = Double(text), seconds.isFinite, seconds >= 0 else {
            throw UsageError("\(name) wants a number of seconds, such as 2.5, not \(text)")
        }
        return seconds
    }
}
