import Foundation
import Testing

@Suite("Pages", .timeLimit(.minutes(3)))
struct PageTests {
    @Test("No page is empty", arguments: Page.all)
    func isThere(page: Page) {
        #expect(page.text.count > 500)
    }

    @Test("Each Swift program on a page compiles as it stands", arguments: Page.all)
    func snippets(page: Page) throws {
        for snippet in page.swiftSnippets {
            let said = try Compiler.complaints(about: snippet)
            #expect(said.isEmpty, "\(snippet)\n\(said)")
        }
    }

    @Test("A program that is wrong would be noticed")
    func wrongSnippet() throws {
        let said = try Compiler.complaints(about: "import EventLoops\nEventLoop().fly()")
        #expect(said.contains("fly"))
    }

    @Test("Each make target that a page names is there", arguments: Page.all)
    func makeTargets(page: Page) throws {
        for target in page.makeTargets {
            #expect(try Shell.status("make", ["--dry-run", target]) == 0, "make \(target)")
        }
    }

    @Test("A make target that is not there would be noticed")
    func wrongTarget() throws {
        #expect(try Shell.status("make", ["--dry-run", "coffee"]) != 0)
    }

    @Test("Each file that a page links is there", arguments: Page.all)
    func links(page: Page) {
        let folder = Page.package.appendingPathComponent(page.description)
            .deletingLastPathComponent()
        for path in page.linkedPaths {
            let linked = folder.appendingPathComponent(path).path
            #expect(FileManager.default.fileExists(atPath: linked), "\(path)")
        }
    }

    @Test("The README names each sample there is, and none that is not")
    func samples() throws {
        let readme = try #require(Page.all.first)
        let rows = readme.text.matches(of: /(?m)^\| ([A-Za-z]+) \| (?!what it shows)/)
        let named = Set(rows.map { String($0.output.1) })
        let folder = Page.package.appendingPathComponent("Samples").path
        // What samples share is no program.
        let shared: Set = ["SampleServing", "SampleSupport", "TranscriptFormat"]
        let there = Set(try FileManager.default.contentsOfDirectory(atPath: folder))
        #expect(named == there.subtracting(shared))
    }
}
