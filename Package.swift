// swift-tools-version: 6.2
import Foundation
import PackageDescription

// The floors and the rooms on them. Which room may import which is decided in one place, here; CI checks
// the imports against it (tools/check-imports).

enum Floor: String {
    case base = "Base"
    case decoder = "Decoder"
    case capture = "Capture"
    case stack = "Stack"
    case replay = "Replay"
    case command = "Command"
}

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableExperimentalFeature("Lifetimes"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
]

func names(_ rooms: [String]) -> [Target.Dependency] { rooms.map { .byName(name: $0) } }

/// A room, with the folder whose files its code holds as arrays of bytes.
func room(
    _ name: String, on floor: Floor, _ imports: String..., embeds folder: String? = nil, plugin: String? = nil
) -> Target {
    .target(
        name: name, dependencies: names(imports), path: "Sources/\(floor.rawValue)/\(name)",
        resources: folder.map { [.embedInCode($0)] }, swiftSettings: settings,
        plugins: plugin.map { [.plugin(name: $0)] })
}

func tests(_ name: String, on floor: Floor, _ imports: String..., files: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: names(imports), path: "Tests/\(floor.rawValue)/\(name)",
        exclude: files, swiftSettings: settings)
}

let package = Package(
    name: "blecap",
    products: [
        .executable(name: "blecap", targets: ["blecap"]),
        .library(name: "CoreBluetooth", targets: ["CoreBluetooth"]),
        .library(name: "OSLog", targets: ["OSLog", "os"]),
        .library(name: "UQDKBle", targets: ["UQDKBle"]),
        .library(name: "Adapters", targets: ["Adapters", "LEHost", "Runtime"]),
        .library(name: "SimulatedDevices", targets: ["SimulatedDevices", "VirtualController", "Runtime"]),
        .library(name: "ReplayHarness", targets: ["Replay", "ReplayHarness"]),
        .library(name: "ReplayTesting", targets: ["ReplayTesting"]),
    ],
    targets: [
        // Bytes and time
        room("WireBytes", on: .base),
        room("PayloadFormat", on: .base, "Crypto", "WireBytes"),
        room("Crypto", on: .base, "CCrypto"),
        room("BluetoothCore", on: .base, "WireBytes", plugin: "MadeSources"),
        // Makes the types of PDUs and codes from the rows of tables.
        .plugin(name: "MadeSources", capability: .buildTool(), path: "Plugins/MadeSources"),
        room("Runtime", on: .base),

        // Decoding
        room("CaptureFile", on: .decoder, "CArchive", "CCompression", "WireBytes"),
        room("UQDK", on: .decoder, "BluetoothCore", "Crypto", "PayloadFormat", "WireBytes"),
        room("Gadgets", on: .decoder, "WireBytes"),
        room(
            "Profiles", on: .decoder, "BluetoothCore", "PayloadFormat", "WireBytes", embeds: "Shipped",
            plugin: "MadeSources"),
        room("LinkLayer", on: .decoder, "BluetoothCore", "CaptureFile", "Crypto", "WireBytes"),
        room(
            "Analysis", on: .decoder, "BluetoothCore", "CaptureFile", "Crypto", "LinkLayer", "PayloadFormat",
            "Profiles", "UQDK", "WireBytes"),
        room(
            "Comparison", on: .decoder, "Analysis", "BluetoothCore", "CaptureFile", "PayloadFormat",
            "WireBytes"),
        room(
            "Rendering", on: .decoder, "Analysis", "BluetoothCore", "CaptureFile", "Crypto", "LinkLayer",
            "PayloadFormat", "WireBytes", embeds: "PageFiles"),

        // Recording
        room(
            "MonitorCapture", on: .capture, "BluetoothCore", "CBluez", "CPcap", "CaptureFile", "WireBytes"),

        // The stack
        room("LEHost", on: .stack, "BluetoothCore", "Crypto", "Runtime", "WireBytes"),
        room("Adapters", on: .stack, "BluetoothCore", "CLinux", "LEHost", "Runtime", "WireBytes"),
        room(
            "CoreBluetooth", on: .stack, "Adapters", "BluetoothCore", "CoreBluetoothHeaders", "LEHost",
            "Runtime", "WireBytes", plugin: "MadeSources"),
        // What code written for iOS imports beside CoreBluetooth.
        room("OSLog", on: .stack, "CoreBluetooth"),
        room("os", on: .stack, "OSLog"),
        room(
            "UQDKBle", on: .stack, "BluetoothCore", "CoreBluetooth", "Gadgets", "LEHost", "PayloadFormat",
            "Runtime", "UQDK", "WireBytes"),

        // The far end
        room("VirtualController", on: .replay, "BluetoothCore", "Crypto", "Runtime", "WireBytes"),
        room(
            "SimulatedDevices", on: .replay, "BluetoothCore", "CoreBluetooth", "Gadgets", "LEHost",
            "PayloadFormat", "Runtime", "UQDK", "VirtualController", "WireBytes"),

        // Replaying
        room(
            "Replay", on: .replay, "Analysis", "BluetoothCore", "CaptureFile", "CoreBluetooth", "LEHost",
            "LinkLayer", "PayloadFormat", "Runtime", "SimulatedDevices", "UQDK", "UQDKBle",
            "VirtualController", "WireBytes"),
        room(
            "ReplayHarness", on: .replay, "Analysis", "BluetoothCore", "CaptureFile", "CoreBluetooth",
            "Replay", "Runtime", "UQDK"),

        // What imports Swift Testing: only tests link it.
        room("ReplayTesting", on: .replay, "Replay", "ReplayHarness"),

        // The rim
        room("CommandLineKit", on: .command, "CEdit", "CLinux", "WireBytes"),
        .executableTarget(
            name: "blecap",
            dependencies: names([
                "Adapters", "Analysis", "BluetoothCore", "CaptureFile", "CommandLineKit", "Comparison",
                "CoreBluetooth", "Crypto", "Gadgets", "LEHost", "LinkLayer", "MonitorCapture",
                "PayloadFormat", "Profiles",
                "Rendering", "Replay", "Runtime", "SimulatedDevices", "UQDK", "UQDKBle", "VirtualController",
                "WireBytes",
            ]),
            path: "Sources/Command/blecap", swiftSettings: settings),

        // System libraries
        .systemLibrary(
            name: "CCrypto", path: "Sources/System/CCrypto", pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CArchive", path: "Sources/System/CArchive", pkgConfig: "libarchive",
            providers: [.apt(["libarchive-dev"])]),
        // No pkgConfig: bzip2 has none, and the headers of all five are on the compiler's own path.
        .systemLibrary(
            name: "CCompression", path: "Sources/System/CCompression",
            providers: [.apt(["libbz2-dev", "liblz4-dev", "liblzma-dev", "libzstd-dev", "zlib1g-dev"])]),
        .systemLibrary(
            name: "CPcap", path: "Sources/System/CPcap", pkgConfig: "libpcap",
            providers: [.apt(["libpcap-dev"])]),
        // Of the C library itself; no package has to be installed.
        .systemLibrary(name: "CLinux", path: "Sources/System/CLinux"),
        // Names only: for `import CoreBluetooth.CBPeripheral`.
        .systemLibrary(name: "CoreBluetoothHeaders", path: "Sources/System/CoreBluetoothHeaders"),
        .systemLibrary(
            name: "CEdit", path: "Sources/System/CEdit", providers: [.apt(["libedit-dev"])]),
        // GPL: only the command, and through it MonitorCapture and the adapters, may link it.
        .systemLibrary(
            name: "CBluez", path: "Sources/System/CBluez", pkgConfig: "bluez",
            providers: [.apt(["libbluetooth-dev"])]),

        // Tests
        tests("WireBytesTests", on: .base, "PayloadFormat", "WireBytes"),
        tests("PayloadFormatTests", on: .base, "PayloadFormat", "TestSupport", "WireBytes"),
        tests("CryptoTests", on: .base, "Crypto", "TestSupport", "WireBytes"),
        tests(
            "LinkLayerTests", on: .decoder, "BluetoothCore", "CaptureFile", "Crypto", "LinkLayer",
            "TestSupport", "WireBytes"),
        tests("CaptureFileTests", on: .decoder, "CaptureFile", "TestSupport", "WireBytes"),
        .target(
            name: "TestSupport", dependencies: names(["PayloadFormat"]),
            path: "Tests/Support/TestSupport",
            swiftSettings: settings),
        tests(
            "DocumentTests", on: .decoder, "PayloadFormat", "Profiles", "TestSupport", "UQDK",
            files: ["keys.json"]),
        tests("GadgetsTests", on: .decoder, "Gadgets", "WireBytes"),
        tests(
            "ProfilesTests", on: .decoder, "BluetoothCore", "Crypto", "PayloadFormat", "Profiles",
            "TestSupport", "WireBytes",
            files: ["everything.json"]),
        tests(
            "UQDKTests", on: .decoder, "BluetoothCore", "PayloadFormat", "TestSupport", "UQDK", "WireBytes",
            files: ["other-dialect.json"]),
        tests(
            "AnalysisTests", on: .decoder, "Analysis", "BluetoothCore", "CaptureFile", "Crypto",
            "PayloadFormat", "Profiles", "TestSupport", "UQDK", "WireBytes"),
        tests(
            "ComparisonTests", on: .decoder, "Analysis", "BluetoothCore", "CaptureFile", "Comparison",
            "PayloadFormat", "WireBytes"),
        tests("BluetoothCoreTests", on: .base, "BluetoothCore", "WireBytes"),
        tests("RuntimeTests", on: .base, "Runtime"),
        tests(
            "VirtualControllerTests", on: .replay, "Analysis", "BluetoothCore", "CaptureFile", "Crypto",
            "LEHost", "LinkLayer", "Runtime", "TestSupport", "VirtualController", "WireBytes"),
        tests(
            "SimulatedDevicesTests", on: .replay, "BluetoothCore", "CoreBluetooth", "PayloadFormat",
            "Runtime", "SimulatedDevices", "TestSupport", "UQDK", "VirtualController", "WireBytes"),
        tests(
            "CoreBluetoothTests", on: .stack, "Adapters", "BluetoothCore", "CoreBluetooth", "LEHost",
            "PulseActor", "PulseSignals", "Runtime", "TestSupport", "VirtualController"),
        tests(
            "MonitorCaptureTests", on: .capture, "BluetoothCore", "CaptureFile", "MonitorCapture", "WireBytes"
        ),
        tests(
            "ReplayTests", on: .replay, "Analysis", "BluetoothCore", "CaptureFile", "CoreBluetooth", "LEHost",
            "PayloadFormat", "Replay", "ReplayHarness", "Runtime", "SampleApp", "SimulatedDevices",
            "TestSupport", "UQDK", "UQDKBle", "WireBytes"),
        tests(
            "ReplayHarnessTests", on: .replay, "Analysis", "BluetoothCore", "CoreBluetooth", "OSLog",
            "Replay",
            "ReplayHarness", "ReplayTesting", "Runtime", "SampleApp", "UQDK", "os"),
        tests(
            "UQDKBleTests", on: .stack, "BluetoothCore", "CoreBluetooth", "Gadgets", "LEHost",
            "PayloadFormat", "Runtime", "SimulatedDevices", "TestSupport", "UQDK", "UQDKBle",
            "VirtualController", "WireBytes"),
        tests(
            "AdaptersTests", on: .stack, "Adapters", "BluetoothCore", "LEHost", "Runtime", "TestSupport",
            "VirtualController"
        ),
        tests(
            "LEHostTests", on: .stack, "BluetoothCore", "Crypto", "LEHost", "Runtime", "TestSupport",
            "WireBytes",
            files: ["SecureConnectionsPairings.json"]),
        tests(
            "RenderingTests", on: .decoder, "Analysis", "BluetoothCore", "CaptureFile", "Crypto",
            "PayloadFormat", "Profiles", "Rendering", "TestSupport", "UQDK", "WireBytes"),
        // The application of Tests/Sample/KeyVisit, as it stands there: tests switch faults into it.
        .target(
            name: "SampleApp", dependencies: ["CoreBluetooth"],
            path: "Tests/Sample/KeyVisit/Sources/KeyVisit", swiftSettings: [.swiftLanguageMode(.v5)]),
        // Applications in other styles of iOS code.
        .target(
            name: "PulseActor", dependencies: ["CoreBluetooth"], path: "Tests/Sample/PulseActor",
            swiftSettings: [.swiftLanguageMode(.v6)]),
        .target(
            name: "PulseSignals", dependencies: ["CoreBluetooth"], path: "Tests/Sample/PulseSignals",
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .target(
            name: "HostileHosts",
            dependencies: names(["BluetoothCore", "Crypto", "LEHost", "Runtime"]),
            path: "Tests/Fuzz/HostileHosts", swiftSettings: settings),
        .target(
            name: "FuzzTargets",
            dependencies: names([
                "Adapters", "Analysis", "BluetoothCore", "CaptureFile", "HostileHosts", "LEHost", "Profiles",
                "Rendering", "Replay", "Runtime", "SimulatedDevices", "UQDK", "WireBytes",
            ]),
            path: "Tests/Fuzz/FuzzTargets", swiftSettings: settings),
        .testTarget(
            name: "FuzzTests",
            dependencies: names(["BluetoothCore", "FuzzTargets", "HostileHosts", "LEHost"]),
            path: "Tests/Fuzz/FuzzTests",
            swiftSettings: settings),
        tests("CommandLineKitTests", on: .command, "CommandLineKit", "WireBytes"),
        tests(
            "blecapTests", on: .command, "blecap", "Adapters", "Analysis", "BluetoothCore", "CaptureFile",
            "CommandLineKit", "CoreBluetooth", "Crypto", "Gadgets", "LEHost", "MonitorCapture",
            "PayloadFormat", "Runtime", "SimulatedDevices", "TestSupport", "UQDK", "UQDKBle", "WireBytes"),
    ]
)

// The fuzzer's entry has no main of its own, so it is built only for tools/fuzz, which sets this.
if Context.environment["BLECAP_FUZZ"] != nil {
    package.products.append(.executable(name: "fuzz", targets: ["FuzzEntry"]))
    package.targets.append(
        .executableTarget(
            name: "FuzzEntry", dependencies: names(["FuzzTargets"]), path: "Tests/Fuzz/FuzzEntry",
            swiftSettings: settings))
    package.products.append(.executable(name: "hostile", targets: ["HostileEntry"]))
    package.targets.append(
        .executableTarget(
            name: "HostileEntry", dependencies: names(["HostileHosts", "Runtime"]),
            path: "Tests/Fuzz/HostileEntry", swiftSettings: settings))
}

// What `tools/bench` measures of the stack, which sets this.
if Context.environment["BLECAP_BENCH"] != nil {
    package.targets.append(
        .executableTarget(
            name: "StackBench",
            dependencies: names(["BluetoothCore", "CoreBluetooth", "Runtime", "SimulatedDevices"]),
            path: "Tests/Bench/StackBench", swiftSettings: settings))
}

// `tools/test quick` builds the tests of a few rooms alone: it names their targets here.
if let wanted = Context.environment["BLECAP_TESTS"]?.split(separator: ",").map(String.init) {
    package.targets.removeAll { $0.type == .test && !wanted.contains($0.name) }
}

// The Swift Package Index builds every target, on an image that lacks some headers: there, what needs a
// missing header is left out. Everywhere else a missing header is an error that names its package.
if Context.environment["SPI_BUILDER"] != nil {
    let folders = ["/usr/include", "/usr/include/x86_64-linux-gnu", "/usr/include/aarch64-linux-gnu"]
    func isMissing(_ header: some StringProtocol) -> Bool {
        !folders.contains { FileManager.default.fileExists(atPath: "\($0)/\(header)") }
    }
    func lacksHeader(_ target: Target) -> Bool {
        guard target.providers != nil, let path = target.path else { return false }
        let shim = try? String(contentsOfFile: "\(Context.packageDirectory)/\(path)/shim.h", encoding: .utf8)
        let includes = shim?.split(separator: "\n").filter { $0.hasPrefix("#include <") } ?? []
        return includes.contains { isMissing($0.dropFirst(10).prefix { $0 != ">" }) }
    }
    var missing = Set(package.targets.filter(lacksHeader).map(\.name))
    func isLeftOut(_ target: Target) -> Bool {
        missing.contains(target.name)
            || target.dependencies.contains {
                if case .byNameItem(let name, _) = $0 { missing.contains(name) } else { false }
            }
    }
    while let target = package.targets.first(where: isLeftOut) {
        missing.insert(target.name)
        package.targets.removeAll { $0.name == target.name }
    }
    package.products.removeAll { product in
        let targets =
            (product as? Product.Library)?.targets ?? (product as? Product.Executable)?.targets ?? []
        return !missing.isDisjoint(with: targets)
    }
}
