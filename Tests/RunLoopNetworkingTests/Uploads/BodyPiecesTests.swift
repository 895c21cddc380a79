import CurlTransfers
import Testing

@testable import RunLoopNetworking

@Suite("Pieces of a body stream")
struct BodyPiecesTests {
    private func take(
        _ count: Int = 10,
        from pieces: inout BodyPieces
    ) -> (BodyRead, bytes: [UInt8], reads: Bool) {
        var room = [UInt8](repeating: 0, count: count)
        let (answer, reads) = unsafe room.withUnsafeMutableBytes { unsafe pieces.take(into: $0) }
        if case .bytes(let count) = answer {
            room.removeLast(room.count - count)
        } else {
            room = []
        }
        return (answer, room, reads)
    }

    @Test("The first look starts the reader, and who had to wait is told")
    func waits() {
        var pieces = BodyPieces(length: nil)
        let first = take(from: &pieces)
        #expect(first == (.later, [], true))
        #expect(take(from: &pieces) == (.later, [], false))
        #expect(pieces.append([1, 2, 3]) == BodyPieces.Order(wakes: true, goesOn: true))
        #expect(pieces.append([4]) == BodyPieces.Order(wakes: false, goesOn: true))
        #expect(take(2, from: &pieces) == (.bytes(2), [1, 2], false))
        #expect(take(2, from: &pieces) == (.bytes(1), [3], false))
        #expect(take(2, from: &pieces) == (.bytes(1), [4], false))
        #expect(take(from: &pieces) == (.later, [], false))
        #expect(pieces.end() == BodyPieces.Order(wakes: true, goesOn: false))
        #expect(take(from: &pieces) == (.end, [], false))
        #expect(pieces.isOver)
    }

    @Test("A reader that is ahead rests, and goes on when half of it is taken")
    func limit() {
        var pieces = BodyPieces(length: nil)
        _ = take(from: &pieces)
        for _ in 1..<BodyPieces.limit { #expect(pieces.append([1]).goesOn) }
        #expect(!pieces.append([1]).goesOn)
        #expect(!take(from: &pieces).reads)
        #expect(take(from: &pieces).reads)
        #expect(!take(from: &pieces).reads)
    }

    @Test("What completes the promised length waits until the stream has ended")
    func rightLength() {
        var pieces = BodyPieces(length: 3)
        _ = take(from: &pieces)
        #expect(pieces.append([1, 2]) == BodyPieces.Order(wakes: true, goesOn: true))
        #expect(take(from: &pieces) == (.bytes(2), [1, 2], false))
        #expect(take(from: &pieces) == (.later, [], false))
        #expect(pieces.append([3]) == BodyPieces.Order(wakes: false, goesOn: true))
        #expect(take(from: &pieces) == (.later, [], false))
        #expect(pieces.end() == BodyPieces.Order(wakes: true, goesOn: false))
        #expect(take(from: &pieces) == (.bytes(1), [3], false))
        #expect(take(from: &pieces) == (.end, [], false))
        #expect(pieces.failure == nil)
    }

    @Test("Fewer and more bytes than promised are failures", arguments: [[1], [1, 2, 3, 4]])
    func wrongLength(bytes: [UInt8]) {
        var pieces = BodyPieces(length: 3)
        _ = take(from: &pieces)
        _ = pieces.append(bytes)
        _ = pieces.end()
        #expect(pieces.failure?.code == .requestBodyStreamExhausted)
        #expect(pieces.isOver)
        if bytes.count < 3 { #expect(take(from: &pieces).0 == .bytes(1)) }
        #expect(take(from: &pieces).0 == .failed)
    }

    @Test("One byte more behind the last piece is noticed as well")
    func oneMore() {
        var pieces = BodyPieces(length: 3)
        _ = take(from: &pieces)
        _ = pieces.append([1, 2, 3])
        #expect(pieces.append([4]) == BodyPieces.Order(wakes: true, goesOn: false))
        #expect(pieces.failure?.sentence.contains("more bytes than the 3") == true)
        #expect(take(from: &pieces).0 == .failed)
    }

    @Test("Stopped, it takes nothing more and starts nobody")
    func stopped() {
        var pieces = BodyPieces(length: nil)
        _ = take(from: &pieces)
        pieces.stop()
        #expect(pieces.append([1]) == BodyPieces.Order())
        #expect(pieces.end() == BodyPieces.Order())
        #expect(pieces.isOver)
        #expect(!take(from: &pieces).reads)
    }

    @Test("Progress that waits becomes one message, unless the body begins anew")
    func progress() {
        var sent = SentBody(total: 10, before: 0, expected: 30)
        let more = SentBody(total: 25, before: 10, expected: 30)
        let extended = sent.extend(with: more)
        #expect(extended)
        #expect((sent.bytes, sent.total) == (25, 25))
        let anew = SentBody(total: 5, before: 25, expected: 30)
        #expect((anew.bytes, anew.total) == (5, 5))
        let isOne = sent.extend(with: anew)
        #expect(!isOne)
        #expect(sent.total == 25)
    }
}
