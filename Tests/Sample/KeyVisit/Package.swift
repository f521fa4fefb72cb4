// swift-tools-version: 6.2
import PackageDescription

// An application written for iOS, and its test on Linux: the application's sources know nothing of blecap.

let package = Package(
    name: "KeyVisit",
    dependencies: [.package(name: "blecap", path: "../../..")],
    targets: [
        .target(name: "KeyVisit", dependencies: [.product(name: "CoreBluetooth", package: "blecap")]),
        .testTarget(
            name: "KeyVisitTests",
            dependencies: [
                "KeyVisit", .product(name: "ReplayHarness", package: "blecap"),
                .product(name: "ReplayTesting", package: "blecap"),
            ]),
    ],
    swiftLanguageModes: [.v5]
)
