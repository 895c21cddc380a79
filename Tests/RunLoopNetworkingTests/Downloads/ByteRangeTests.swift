import Foundation
import FoundationNetworking
import Testing

@testable import RunLoopNetworking

@Suite("Ranges of bytes", .timeLimit(.minutes(1)))
struct ByteRangeTests {
    @Test("The five forms are read, written, and mean what they say")
    func forms() {
        let forms: [(String, [ByteRange], [ClosedRange<Int64>])] = [
            ("0-499", [.bytes(0...499)], [0...499]),
            ("500-999", [.bytes(500...999)], [500...999]),
            ("-500", [.last(500)], [734...1_233]),
            ("500-", [.from(500)], [500...1_233]),
            ("0-0,-1", [.bytes(0...0), .last(1)], [0...0, 1_233...1_233]),
        ]
        for (text, ranges, offsets) in forms {
            for spelling in [text, "bytes=" + text, "BYTES=" + text] {
                let set = ByteRangeSet(spelling)
                #expect(set == ByteRangeSet(ranges), "\(spelling)")
                #expect(set?.description == text)
                #expect(set?.fieldValue == "bytes=" + text)
                #expect(set?.offsets(inFileOf: 1_234) == offsets)
            }
        }
    }

    @Test(
        "What is no range is refused",
        arguments: [
            "", "-", "5", "5-3", "a-b", "0-499-", "--5", "0 - 5", " 0-5", "+0-5", "0x0-5", "0-5,",
            ",0-5",
            "0-5,,7-", "0-5;7-9", "bytes 0-5", "bytes=", "items=0-5", "٣-٥", "0-5\n",
            "9223372036854775808-", "-9223372036854775808", "0-9223372036854775808",
            "0-99999999999999999999",
        ]
    )
    func refused(text: String) {
        #expect(ByteRange(text) == nil)
        let hasBlankAtItsEnd = text == " 0-5"
        #expect((ByteRangeSet(text) != nil) == hasBlankAtItsEnd)
    }

    @Test("Offsets reach beyond 4 GiB, to the greatest number there is")
    func great() {
        #expect(ByteRangeSet(.from(5_368_709_120)).fieldValue == "bytes=5368709120-")
        let greatest = ByteRange("9223372036854775806-9223372036854775807")
        #expect(greatest == .bytes(Int64.max - 1...Int64.max))
        #expect(greatest?.offsets(inFileOf: .max) == Int64.max - 1...Int64.max - 1)
        #expect(ByteRange("-9223372036854775807")?.offsets(inFileOf: .max) == 0...Int64.max - 1)
        #expect(ByteRange("9223372036854775807-")?.offsets(inFileOf: .max) == nil)
    }

    @Test("Parts are cut to the file, and those that are not there are left out")
    func offsets() {
        #expect(ByteRange.bytes(5...20).offsets(inFileOf: 10) == 5...9)
        #expect(ByteRange.bytes(10...20).offsets(inFileOf: 10) == nil)
        #expect(ByteRange.from(10).offsets(inFileOf: 10) == nil)
        #expect(ByteRange.last(20).offsets(inFileOf: 10) == 0...9)
        #expect(ByteRange.last(0).offsets(inFileOf: 10) == nil)
        #expect(ByteRange.last(1).offsets(inFileOf: 0) == nil)
        #expect(ByteRangeSet("0-0, 10-, -1")?.offsets(inFileOf: 10) == [0...0, 9...9])
        #expect(ByteRangeSet([]) == nil)
    }

    @Test("A request carries them in its field Range")
    func request() throws {
        var request = URLRequest(url: try #require(URL(string: "http://h.org/f")))
        #expect(request.byteRanges == nil)
        request.byteRanges = ByteRangeSet("0-0,-1")
        #expect(request.value(forHTTPHeaderField: "Range") == "bytes=0-0,-1")
        #expect(request.byteRanges == ByteRangeSet([.bytes(0...0), .last(1)]))
        for other in ["items=0-5", "0-5", "bytes=x"] {
            request.setValue(other, forHTTPHeaderField: "Range")
            #expect(request.byteRanges == nil)
        }
        request.byteRanges = nil
        #expect(request.value(forHTTPHeaderField: "Range") == nil)
    }

    @Test("A negative offset stops the program")
    func negative() async {
        await #expect(processExitsWith: .failure) { _ = ByteRange.bytes(-1...5) }
        await #expect(processExitsWith: .failure) { _ = ByteRange.from(-1) }
        await #expect(processExitsWith: .failure) { _ = ByteRange.last(-1) }
    }
}
