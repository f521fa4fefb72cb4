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

    /// Numbers from a seed.
    private struct Numbers {
        var state: UInt64
        mutating func below(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % max(1, count)
        }
    }

    /// A document with one of its parts changed: a number, a name, a line, or any byte.
    private static func changed(_ text: String, _ numbers: inout Numbers) -> [UInt8] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let values = ["0", "1", "-1", "7", "63", "64", "255", "256", "65536", "4294967296", "1e400", "null"]
        for _ in 0...numbers.below(3) {
            let place = numbers.below(lines.count)
            switch numbers.below(5) {
            case 0: lines.remove(at: place)
            case 1: lines.insert(lines[place], at: numbers.below(lines.count))
            case 2: lines.swapAt(place, numbers.below(lines.count))
            default:
                let value = values[numbers.below(values.count)]
                lines[place] = lines[place].replacing(#/: *-?\d+/#, with: ": \(value)")
            }
            if lines.isEmpty { lines = [""] }
        }
        var octets = Array(lines.joined(separator: "\n").utf8)
        if numbers.below(4) == 0, !octets.isEmpty { octets[numbers.below(octets.count)] ^= 1 }
        return octets
    }

    private static let expectation = """
        {"version": 1,
        "departures": [
        {"frame": 3,
        "isRequired": true,
        "reason": "x"}],
        "outcomes": [
        {"frame": 4,
        "name": "unlock",
        "ends": "ok"}]}
        """

    @Test func `changed dialects of a car that listens, and changed expectations, end`() throws {
        let dialect = try String(
            contentsOf: Self.package.appendingPathComponent("dialects/reference-1.json"), encoding: .utf8)
        var numbers = Numbers(state: 30)
        for round in 0..<300 {
            FuzzTarget.expectations.run(Self.changed(Self.expectation, &numbers))
            var input = round == 0 ? Array(dialect.utf8) : Self.changed(dialect, &numbers)
            input.append(0)
            for _ in 0..<6 {
                let lead: [UInt8] = [
                    UInt8(numbers.below(4)), 0x80, 0x55, 0x51, 1, UInt8(numbers.below(3)), 0,
                ]
                let rest = (0..<13).map { _ in UInt8(numbers.below(256)) }
                input += [UInt8(numbers.below(4)) << 6 | 20] + lead + rest
            }
            FuzzTarget.cars.run(input)
        }
    }

    @Test func `Advertising data by a changed profile, with keys for it, ends`() throws {
        let texts = try ["bthome", "mibeacon", "victron"].map { name in
            try String(
                contentsOf: Self.package.appendingPathComponent("profiles/\(name).json"), encoding: .utf8)
        }
        var numbers = Numbers(state: 31)
        for round in 0..<60 {
            let text = texts[round % texts.count]
            var input = round < 30 ? Array(text.utf8) : Self.changed(text, &numbers)
            input.append(0)
            for _ in 0..<8 {
                let lead: [[UInt8]] = [[0x41], [0x58, 0x58], [0x10, 0x00, 0x89, 0xA3, 0x02]]
                let value = lead[round % 3] + (0..<numbers.below(24)).map { _ in UInt8(numbers.below(256)) }
                input += [UInt8(value.count)] + value
            }
            FuzzTarget.profiles.run(input)
        }
    }

    @Test func `Every case is of a target there is, and there are some`() {
        let names = Self.files(Self.folder).map(\.lastPathComponent)
        #expect(!names.isEmpty)
        for name in names { #expect(FuzzTarget(rawValue: name) != nil, "\(name)") }
    }
}
