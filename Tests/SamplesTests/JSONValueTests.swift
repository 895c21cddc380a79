import Testing
import TranscriptFormat

@Suite("JSON that keeps its order")
struct JSONValueTests {
    @Test(
        "A value is written on one line, without blanks",
        arguments: [
            (["b": 1, "a": .list([.null, .boolean(true), "x"])], #"{"b":1,"a":[null,true,"x"]}"#),
            ([:], "{}"),
            ([], "[]"),
            (.number(0.5), "0.5"),
            (.number(.infinity), "null"),
            (.integer(.min), "-9223372036854775808"),
            (.milliseconds(.microseconds(12_345) + .nanoseconds(600)), "12.346"),
            (
                .text("a\"\\/\n\r\t\u{0}\u{1f}\u{7f}é\u{1F600}"),
                #""a\"\\/\n\r\t\u0000\u001f"# + "\u{7f}é\u{1F600}\""
            ),
            (.text("\r\n"), #""\r\n""#),
            (JSONValue(dictionaryLiteral: ("a\"", 1)), #"{"a\"":1}"#),
        ] as [(JSONValue, String)]
    )
    func text(value: JSONValue, text: String) {
        #expect("\(value)" == text)
    }
}
