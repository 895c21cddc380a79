/// The program can't do what it was called for.
package struct UsageError: Error, Equatable {
    /// What is wrong, and what to write instead.
    package let sentence: String

    package init(_ sentence: String) {
        self.sentence = sentence
    }
}
