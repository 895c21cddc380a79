import Testing

@testable import RunLoopNetworking

@Suite("Validators of a file", .timeLimit(.minutes(1)))
struct ValidatorsTests {
    private static let noon = "Sun, 06 Nov 1994 12:00:00 GMT"
    private static let noonAndOneSecond = "Sun, 06 Nov 1994 12:00:01 GMT"

    @Test("They are read from a head, just as they came")
    func head() throws {
        let head = try HeaderBlock(fieldLines: [
            "etag: \"v1\"", "Last-Modified: \(Self.noon)", "Date: \(Self.noonAndOneSecond)",
        ])
        #expect(
            Validators(head)
                == Validators(
                    entityTag: "\"v1\"",
                    lastModified: Self.noon,
                    date: Self.noonAndOneSecond
                )
        )
        #expect(Validators(try HeaderBlock(fieldLines: [])) == Validators())
    }

    @Test(
        "A strong tag is worth an If-Range, a weak or broken one never is, nor is a date beside it"
    )
    func tags() {
        for tag in ["\"v1\"", "\"\"", "\"é!#\"", "\"W/\""] {
            #expect(Validators(entityTag: tag).ifRange == tag)
        }
        for tag in ["W/\"v1\"", "v1", "\"", "\"a\"b\"", "\"a b\"", "", "w/\"v1\"", "\"a\u{7F}\""] {
            let validators = Validators(
                entityTag: tag,
                lastModified: Self.noon,
                date: Self.noonAndOneSecond
            )
            #expect(validators.ifRange == nil, "\(tag)")
        }
    }

    @Test("A date is worth one if the file was a second old then")
    func dates() {
        func ifRange(_ modified: String?, _ date: String?) -> String? {
            Validators(lastModified: modified, date: date).ifRange
        }
        #expect(ifRange(Self.noon, Self.noonAndOneSecond) == Self.noon)
        #expect(ifRange(Self.noon, Self.noon) == nil)
        #expect(ifRange(Self.noonAndOneSecond, Self.noon) == nil)
        #expect(ifRange(Self.noon, nil) == nil)
        #expect(ifRange(nil, Self.noon) == nil)
        #expect(ifRange("yesterday", Self.noon) == nil)
        #expect(ifRange(Self.noon, "today") == nil)
    }

    @Test("Tags decide where both have one, else dates, and silence contradicts nothing")
    func contradict() {
        let both = Validators(entityTag: "\"a\"", lastModified: Self.noon)
        let cases: [(Validators, Bool)] = [
            (both, false),
            (Validators(entityTag: "\"a\"", lastModified: Self.noonAndOneSecond), false),
            (Validators(entityTag: "\"b\"", lastModified: Self.noon), true),
            (Validators(entityTag: "W/\"a\""), true),
            (Validators(lastModified: Self.noon), false),
            (Validators(lastModified: Self.noonAndOneSecond), true),
            (Validators(), false),
        ]
        for (other, contradicts) in cases {
            #expect(both.contradict(other) == contradicts, "\(other)")
            #expect(other.contradict(both) == contradicts, "\(other)")
        }
    }
}
