import Testing

@testable import SampleServing

@Suite("Range headers", .timeLimit(.minutes(1)))
struct ByteRangesTests {
    @Test(
        "Each form means its bytes, cut to the file",
        arguments: [
            ("bytes=0-0", [Int64(0)..<1]),
            ("bytes=2-", [2..<10]),
            ("bytes=-3", [7..<10]),
            ("bytes=-30", [0..<10]),
            ("bytes=5-99999999999999999999", [5..<10]),
            ("Bytes= 0-1 ,\t4-5,", [0..<2, 4..<6]),
            ("bytes=9-9,10-10,-0", [9..<10]),
            ("bytes=0-9,0-9", [0..<10, 0..<10]),
        ]
    )
    func forms(header: String, parts: [Range<Int64>]) {
        #expect(ByteRanges(header, size: 10) == .parts(parts))
    }

    @Test(
        "What can't be read counts for nothing",
        arguments: [
            "bytes", "bytes=", "bytes=a-b", "bytes=3-2", "bytes=-", "bytes=--1", "bytes=1-2-3",
            "lines=0-1", "bytes=1", "bytes=0-1;2-3", "bytes=0-1,x", "bytes=+1-2", "bytes=,",
            "bytes=0 - 1",
        ]
    )
    func malformed(header: String) {
        #expect(ByteRanges(header, size: 10) == .whole)
    }

    @Test(
        "Ranges that lie beyond the end are unsatisfiable",
        arguments: ["bytes=10-", "bytes=-0", "bytes=99-100,10-10"]
    )
    func unsatisfiable(header: String) {
        #expect(ByteRanges(header, size: 10) == .unsatisfiable)
    }

    @Test("A file of no byte has no range")
    func emptyFile() {
        #expect(ByteRanges("bytes=0-", size: 0) == .unsatisfiable)
        #expect(ByteRanges("bytes=-5", size: 0) == .unsatisfiable)
        #expect(ByteRanges(nil, size: 0) == .whole)
    }

    @Test("Too many ranges, or more bytes than can be counted, give the whole file")
    func tooMuch() {
        let many = (0..<65).map { "\($0)-\($0)" }.joined(separator: ",")
        #expect(ByteRanges("bytes=" + many, size: 100) == .whole)
        #expect(ByteRanges("bytes=0-,0-,0-", size: .max) == .whole)
        #expect(ByteRanges("bytes=0-0,1-", size: .max) == .whole)
        #expect(ByteRanges("bytes=1-", size: .max) == .parts([1..<Int64.max]))
    }
}
