// swift-tools-version: 6.2

import PackageDescription

// MARK: - Settings

/// What every target is built with.
///
/// `WARNINGS_AS_ERRORS=1 swift build` is what .ci/run asks for.
let strict: [SwiftSetting] = {
    var settings: [SwiftSetting] = [
        .swiftLanguageMode(.v6),
        .strictMemorySafety(),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]
    if Context.environment["WARNINGS_AS_ERRORS"] == "1" {
        settings.append(.treatAllWarnings(as: .error))
    }
    return settings
}()

// MARK: - Package

let package = Package(
    name: "RunLoopNetworking",
    products: [
        .library(name: "RunLoopNetworking", targets: ["RunLoopNetworking"]),
        .library(name: "EventLoops", targets: ["EventLoops"]),
    ],
    targets: [
        // The C libraries.
        .systemLibrary(
            name: "CLibevent",
            pkgConfig: "libevent",
            providers: [.apt(["libevent-dev"])]
        ),
        .systemLibrary(
            name: "CLibcurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]
        ),

        // The layers, lowest first: each knows only those above it in this list.
        .target(name: "EventLoops", dependencies: ["CLibevent"], swiftSettings: strict),
        .target(
            name: "CurlTransfers",
            dependencies: ["EventLoops", "CLibcurl"],
            swiftSettings: strict
        ),

        .target(
            name: "RunLoopNetworking",
            dependencies: ["CurlTransfers", "EventLoops"],
            swiftSettings: strict
        ),

        // The samples.
        .executableTarget(
            name: "HelloLoop",
            dependencies: ["EventLoops"],
            path: "Samples/HelloLoop",
            swiftSettings: strict
        ),

        // The tests.
        .testTarget(
            name: "RunLoopNetworkingTests",
            dependencies: ["RunLoopNetworking"],
            swiftSettings: strict
        ),
        .testTarget(name: "EventLoopsTests", dependencies: ["EventLoops"], swiftSettings: strict),
    ]
)
