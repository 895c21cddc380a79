import Testing

@testable import RunLoopNetworking

@Suite("Cache-Control", .timeLimit(.minutes(1)))
struct CacheControlTests {
    @Test(
        "Seconds are read where there are digits alone, quoted or not",
        arguments: [
            ("max-age=3600", 3600), ("MaX-aGe=3600", 3600), ("max-age=\"3600\"", 3600),
            ("max-age=003600", 3600), ("max-age=0", 0), ("foo, max-age=1 , bar", 1),
            ("max-age=2147483649", 1 << 31), ("max-age=99999999999999999999999", 1 << 31),
            ("x=\"max-age=1\", max-age=2", 2), ("max-age=2, x=\"max-age=1\"", 2),
            ("x=\"a\\\", max-age=1\", max-age=2", 2),
        ]
    )
    func seconds(value: String, seconds: Int) {
        #expect(CacheControl([value]).seconds("max-age") == seconds)
    }

    @Test(
        "A directive whose seconds can't be read is there, without seconds",
        arguments: [
            "max-age", "max-age=", "max-age=-1", "max-age=3600.0", "max-age=a1", "max-age=1a",
            "max-age='3600'", "max-age= 1", "max-age=\"1", "max-age=\"\"", "max-age=1 2",
        ]
    )
    func unreadable(value: String) {
        let control = CacheControl([value])
        #expect(control.contains("max-age"))
        #expect(control.seconds("max-age") == nil)
    }

    @Test("What is no directive is left out", arguments: ["", ",,", "max-age =1", "=1", "a b"])
    func none(value: String) {
        #expect(CacheControl([value]) == CacheControl([]))
    }

    @Test("Of a directive that is repeated the first counts, on one line or on two")
    func repeated() {
        for values in [["max-age=5, max-age=6"], ["max-age=5", "MAX-AGE=6"]] {
            #expect(CacheControl(values).seconds("max-age") == 5)
        }
    }

    @Test("The argument of no-cache names fields; without one it is meant for the whole response")
    func qualified() {
        let qualified = CacheControl(["no-cache=\"a, B\""])
        #expect(qualified.contains("no-cache"))
        #expect(!qualified.isUnqualified("no-cache"))
        #expect(qualified.fieldNames("no-cache") == ["a", "B"])
        #expect(CacheControl(["no-cache"]).isUnqualified("no-cache"))
        #expect(!CacheControl(["no-store"]).isUnqualified("no-cache"))
    }
}
