import NetworkingTestKit
import Testing

@testable import EventLoops

@Suite("Descriptors that can't be watched", .timeLimit(.minutes(1)))
struct DescriptorErrorTests {
    private let manual = ManualLoop()

    private func expectRefusal(of descriptor: Int32) throws {
        manual.turn {
            let error = #expect(throws: DescriptorError.self) {
                try manual.loop.watch(descriptor, for: .read) { _ in }
            }
            #expect(error?.descriptor == descriptor)
            #expect(
                error?.description
                    == "descriptor \(descriptor) can't be watched: open it first, and pass a socket, "
                    + "a pipe or another descriptor that can block"
            )
        }
    }

    @Test(
        "A regular file, a folder and the null device are refused at once",
        arguments: [
            #filePath, "/", "/dev/null",
        ]
    )
    func alwaysReady(path: String) throws {
        let descriptor = Descriptors.open(path: path)
        defer { Descriptors.close(descriptor) }
        try expectRefusal(of: descriptor)
    }

    @Test("A number that is not open is refused at once", arguments: [-1, 1_000] as [Int32])
    func notOpen(descriptor: Int32) throws {
        try expectRefusal(of: descriptor)
    }

    @Test("A number that was refused is watched once something can be heard on it")
    func watchedLater() throws {
        let pair = DescriptorPair()
        let transcript = Transcript<String>()
        let descriptor = Descriptors.open(path: "/dev/null")
        try expectRefusal(of: descriptor)
        Descriptors.reopen(descriptor, as: pair.reader)
        pair.write()
        let watcher = try manual.turn {
            try manual.loop.watch(descriptor, for: .read) { transcript.note("\($0)") }
        }
        #expect(transcript.entries == ["read"])
        manual.turn { watcher.cancel() }
        Descriptors.close(descriptor)
    }

    @Test("A new interest that is refused leaves the old one as it was")
    func interestRefused() throws {
        let pair = DescriptorPair()
        let transcript = Transcript<String>()
        let watcher = try manual.turn {
            let watcher = try manual.loop.watch(pair.reader, for: []) { transcript.note("\($0)") }
            let copy = Descriptors.copy(pair.reader)
            let file = Descriptors.open(path: "/dev/null")
            Descriptors.reopen(pair.reader, as: file)
            #expect(throws: DescriptorError(descriptor: pair.reader)) {
                try watcher.setInterest(.read)
            }
            Descriptors.reopen(pair.reader, as: copy)
            try watcher.setInterest(.read)
            Descriptors.close(copy)
            Descriptors.close(file)
            return watcher
        }
        pair.write()
        manual.turn()
        #expect(transcript.entries == ["read"])
        watcher.cancel()
    }
}
