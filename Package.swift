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

// MARK: - Kinds of targets

/// A C library of the system, seen through a shim.h of its own.
func cLibrary(_ name: String, _ pkgConfig: String, package: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

/// A layer under Sources/.
func layer(_ name: String, on dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// A library that samples share, under Samples/.
func sampleLibrary(_ name: String, on dependencies: [Target.Dependency]) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: "Samples/\(name)",
        swiftSettings: strict
    )
}

/// A program under Samples/ that runs with no argument.
func sample(
    _ name: String,
    on dependencies: [Target.Dependency] = ["RunLoopNetworking", "SampleSupport"]
) -> Target {
    .executableTarget(
        name: name,
        dependencies: dependencies,
        path: "Samples/\(name)",
        swiftSettings: strict
    )
}

/// The tests of a target, or of several.
func tests(_ name: String, of dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// The programs of Tests/Benchmarks, which only `BENCHMARKS=1` builds.
let benchmarks: [Target] = {
    guard Context.environment["BENCHMARKS"] == "1" else { return [] }
    let folder = "Tests/Benchmarks"
    let optimized: [CSetting] = [.unsafeFlags(["-O2", "-Wall", "-Wextra", "-Werror"])]
    return [
        .executableTarget(
            name: "BareClient",
            dependencies: ["CLibevent", "CLibcurl"],
            path: "\(folder)/BareClient",
            cSettings: optimized
        ),
        .executableTarget(
            name: "Launcher",
            path: "\(folder)/Launcher",
            cSettings: optimized
        ),
        .executableTarget(
            name: "BenchmarkClient",
            dependencies: ["RunLoopNetworking", "EventLoops"],
            path: "\(folder)/BenchmarkClient",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "SessionClient",
            path: "\(folder)/SessionClient",
            swiftSettings: strict
        ),
    ]
}()

/// The targets to build.
///
/// All, or, with `ONLY_TESTS=EventLoopsTests,CurlTransfersTests`, the libraries and these tests:
/// what one builds again and again while working on one of them.
func wanted(_ targets: [Target]) -> [Target] {
    guard let names = Context.environment["ONLY_TESTS"]?.split(separator: ",") else {
        return targets
    }
    return targets.filter { target in
        switch target.type {
        case .test: names.contains { $0 == target.name }
        case .executable: false
        default: true
        }
    }
}

// MARK: - Package

let package = Package(
    name: "RunLoopNetworking",
    products: [
        .library(name: "RunLoopNetworking", targets: ["RunLoopNetworking"]),
        .library(name: "EventLoops", targets: ["EventLoops"]),
        .library(name: "NetworkingTestKit", targets: ["NetworkingTestKit"]),
    ],
    targets: wanted(
        [
            cLibrary("CLibevent", "libevent", package: "libevent-dev"),
            cLibrary("CLibcurl", "libcurl", package: "libcurl4-openssl-dev"),
            cLibrary("CLibcrypto", "libcrypto", package: "libssl-dev"),
            cLibrary("CLibssl", "libssl", package: "libssl-dev"),
            cLibrary("CLibpsl", "libpsl", package: "libpsl-dev"),
            .systemLibrary(name: "CLinux"),
            cLibrary("CZlib", "zlib", package: "zlib1g-dev"),
            cLibrary("CBrotli", "libbrotlidec", package: "libbrotli-dev"),
            cLibrary("CZstd", "libzstd", package: "libzstd-dev"),

            // The layers, lowest first: each knows only those above it in this list.
            layer("SharedState", on: []),
            layer("EventLoops", on: ["SharedState", "CLibevent"]),
            layer("Digests", on: ["CLibcrypto"]),
            layer("ContentCodings", on: ["CZlib", "CBrotli", "CZstd"]),
            layer("CurlTransfers", on: ["EventLoops", "ContentCodings", "CLibcurl", "CLibssl"]),
            layer(
                "RunLoopNetworking",
                on: [
                    "CurlTransfers", "ContentCodings", "EventLoops", "Digests", "CLibpsl",
                    "CLibssl",
                    "CLinux",
                ]
            ),

            // Beside the layers: what users test their own code with.
            layer("NetworkingTestKit", on: ["RunLoopNetworking", "EventLoops", "CLibssl"]),

            // The samples, and what they share.
            sampleLibrary("SampleServing", on: ["EventLoops", "Digests", "CLibevent"]),
            sampleLibrary(
                "SampleSupport",
                on: ["Digests", "EventLoops", "RunLoopNetworking", "SampleServing"]
            ),
            sample("SampleServer", on: ["EventLoops", "SampleServing"]),
            sample("HelloLoop", on: ["EventLoops"]),
            sample("Demo"),
            sample("SeedOutputStream"),
            sample("SeedDefaultScheduling"),
            sample("SeedFileHandle"),
            sample("SeedPauseResume"),
            sample("ManyAtOnce", on: ["RunLoopNetworking", "EventLoops", "SampleSupport"]),
            sampleLibrary("TranscriptFormat", on: ["Digests", "RunLoopNetworking"]),
            sample(
                "transcript",
                on: [
                    "EventLoops", "RunLoopNetworking", "Digests", "SampleServing", "SampleSupport",
                    "TranscriptFormat",
                ]
            ),
            sample("SlowDelegate", on: ["RunLoopNetworking", "SampleSupport", "Digests"]),

            // The tests.
            tests("EventLoopsTests", of: ["EventLoops", "NetworkingTestKit"]),
            tests("ContentCodingsTests", of: ["ContentCodings"]),
            tests(
                "CurlTransfersTests",
                of: ["CurlTransfers", "ContentCodings", "EventLoops", "NetworkingTestKit"]
            ),
            tests(
                "RunLoopNetworkingTests",
                of: [
                    "RunLoopNetworking", "CurlTransfers", "ContentCodings", "EventLoops",
                    "NetworkingTestKit", "Digests",
                ]
            ),
            tests(
                "BugBankTests",
                of: [
                    "RunLoopNetworking", "CurlTransfers", "ContentCodings", "EventLoops",
                    "NetworkingTestKit",
                ]
            ),
            tests(
                "NetworkingTestKitTests",
                of: ["NetworkingTestKit", "RunLoopNetworking", "EventLoops"]
            ),
            tests(
                "RealServersTests",
                of: ["RunLoopNetworking", "EventLoops", "NetworkingTestKit", "Digests"]
            ),
            tests(
                "StressTests",
                of: ["RunLoopNetworking", "EventLoops", "NetworkingTestKit", "SampleServing"]
            ),
            .testTarget(
                name: "ConformanceTests",
                dependencies: ["RunLoopNetworking", "EventLoops", "NetworkingTestKit"],
                path: "Tests/Conformance",
                exclude: ["README.md", "Cookies.md", "Cache.md"],
                swiftSettings: strict
            ),
            tests("DocsTests", of: ["RunLoopNetworking", "EventLoops"]),
            tests("DigestsTests", of: ["Digests"]),
            tests("SampleServingTests", of: ["SampleServing", "SampleServer"]),
            tests(
                "SamplesTests",
                of: [
                    "HelloLoop", "Demo", "SampleServer", "SeedOutputStream",
                    "SeedDefaultScheduling",
                    "SeedFileHandle", "SeedPauseResume", "SlowDelegate", "ManyAtOnce", "transcript",
                    "TranscriptFormat", "SampleServing", "NetworkingTestKit", "Digests",
                ]
            ),
        ] + benchmarks
    )
)
