/// The command line can't be understood.
struct UsageError: Error {
    let sentence: String
}
