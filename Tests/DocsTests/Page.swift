import Foundation

/// A page of documentation, and what is in it.
struct Page: CustomStringConvertible, Sendable {
    /// Where the package lies.
    static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Every page of the package, by its path in it.
    static let all = [
        Page("README.md"), Page("CONTRIBUTING.md"), Page("Docs/Architecture.md"),
        Page("Docs/Transcript.md"), Page("Docs/Porting.md"), Page("Docs/AppleSymbols.md"),
    ]

    let description: String
    let text: String

    private init(_ path: String) {
        description = path
        let url = Self.package.appendingPathComponent(path)
        text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    }

    /// The Swift programs between fences.
    var swiftSnippets: [String] {
        text.components(separatedBy: "```swift\n").dropFirst()
            .map { $0.components(separatedBy: "\n```")[0] }
    }

    /// The targets of `make` that the page names.
    var makeTargets: Set<String> {
        Set(
            text.matches(of: /(?m)(?:`|^    )make ([a-z]+(?:-[a-z]+)*)/).map { String($0.output.1) }
        )
    }

    /// The files of the package that the page links or shows.
    var linkedPaths: [String] {
        text.matches(of: /\]\(([^):]+)\)/).map { String($0.output.1) }
    }
}
