import FetchOptions
import SampleSupport

@main
enum FetchProgram {
    static func main() {
        Terminal.fail("fetch: not yet", status: 2)
    }
}
