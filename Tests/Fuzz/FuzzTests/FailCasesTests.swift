import Foundation
import FuzzTargets
import Testing

/// Every input that once failed, and the captures of the package, given to the targets of the fuzzer.
@Suite struct FailCasesTests {
    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let folder = package.appendingPathComponent("Tests/Fuzz/FailCases")

    private static func files(_ folder: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().map { folder.appendingPathComponent($0) }
    }

    @Test(arguments: FuzzTarget.allCases)
    func `Inputs that once failed end, as do a few octets of any kind`(target: FuzzTarget) throws {
        for file in Self.files(Self.folder.appendingPathComponent(target.rawValue)) {
            target.run([UInt8](try Data(contentsOf: file)))
        }
        target.run([])
        for octet in UInt8.min...UInt8.max { target.run([UInt8](repeating: octet, count: 64)) }
    }

    @Test func `Every case is of a target there is, and there are some`() {
        let names = Self.files(Self.folder).map(\.lastPathComponent)
        #expect(!names.isEmpty)
        for name in names { #expect(FuzzTarget(rawValue: name) != nil, "\(name)") }
    }
}
