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
        let maps = ["CLibevent", "CLibcurl", "CLibpsl"].flatMap { library in
            ["-Xcc", "-fmodule-map-file=\(Page.package.path)/Sources/\(library)/module.modulemap"]
        }
        let result = try Shell.run(
            "swiftc",
            ["-typecheck", "-swift-version", "6", "-I", modules] + maps + [main.path]
        )
        return result.status == 0 ? "" : result.errors
    }

    /// Where the modules lie that the tests were built with.
    private static var modules: String {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? "/proc/self/exe"
        return URL(fileURLWithPath: bundle).resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("Modules").path
    }
}
