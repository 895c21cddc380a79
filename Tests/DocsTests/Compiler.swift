import Foundation

/// The Swift compiler, as a user of the package has it: public names only.
enum Compiler {
    /// What the compiler says against a program; nothing when it compiles.
    static func complaints(about program: String) throws -> String {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("snippet-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: file) }
        let main = file.appendingPathComponent("main.swift")
        try Data(program.utf8).write(to: main)
        let maps = try Self.moduleMaps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
        let result = try Shell.run(
            "swiftc",
            ["-typecheck", "-swift-version", "6", "-I", modules] + maps + [main.path]
        )
        return result.status == 0 ? "" : result.errors
    }

    /// The maps of the C libraries, which a package that uses this one is given as well.
    private static var moduleMaps: [String] {
        get throws {
            let sources = Page.package.appendingPathComponent("Sources").path
            return try FileManager.default.contentsOfDirectory(atPath: sources).sorted()
                .map { "\(sources)/\($0)/module.modulemap" }
                .filter { FileManager.default.fileExists(atPath: $0) }
        }
    }

    /// Where the modules lie that the tests were built with.
    private static var modules: String {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? "/proc/self/exe"
        return URL(fileURLWithPath: bundle).resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("Modules").path
    }
}
