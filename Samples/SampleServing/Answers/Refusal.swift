/// Why a request gets no plan: the status, and a sentence that says what to write instead.
struct Refusal: Error, Equatable {
    let status: Int
    let sentence: String
    var headers: [Answer.Header] = []

    /// The sentence as an answer.
    var answer: Answer { .text(status: status, headers: headers, sentence) }
}
