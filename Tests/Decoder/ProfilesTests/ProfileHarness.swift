import BluetoothCore
import PayloadFormat
import Profiles
import Testing
import WireBytes

/// A message that a public source gives, or made of its numbers, with the fields that it must show.
struct PublishedMessage: Sendable, CustomTestStringConvertible {
    let name: String
    let hex: String
    let fields: [String: String]

    var testDescription: String { name }
}

/// Feeds a tracker the values of a made link.
struct ProfileHarness {
    let profiles: [Profile]
    let set: ProfileSet
    var tracker: ProfileTracker
    var frame: UInt64 = 0
    var time: Int64 = 0

    init(_ profiles: [Profile], tried: [ProfileSource] = [], keys: [FieldKey] = []) {
        self.profiles = profiles
        var set = ProfileSet(profiles, tried: tried)
        set.keys = keys
        self.set = set
        tracker = ProfileTracker(set)
    }

    init(json: String) throws { self.init([try Profile(json: Array(json.utf8))]) }

    /// A link on which the user named profiles that come with the program.
    init(shipped names: String...) throws {
        self.init(try names.map { try #require(Profile.shipped(named: $0)) })
    }

    /// A value of a characteristic by its service and UUID ("FEE0/FF02"), or of one without a label.
    mutating func send(
        _ hex: String, _ operation: ProfileOperation, of label: String? = nil, handle: UInt16 = 0x10,
        originalLength: Int? = nil
    ) throws -> [ProfileAnnotation] {
        frame += 1
        time += 1_000_000
        var matches: [ProfileMatch]?
        if let parts = label?.split(separator: "/"), parts.count == 2 {
            let characteristic = try #require(BluetoothUUID(String(parts[1])))
            matches = set.matches(characteristic: characteristic, service: BluetoothUUID(String(parts[0])))
        }
        let value = try Hex.octets(hex)
        let context = ProfileValue(
            handle: handle, matches: matches, operation: operation, time: time, frame: frame,
            originalLength: originalLength ?? value.count)
        var tracker = self.tracker
        let annotations = value.withReader { reader in tracker.handle(reader.takeRest(), context) }
        self.tracker = tracker
        return annotations
    }

    /// An SDU of an L2CAP channel.
    mutating func send(
        _ hex: String, _ operation: ProfileOperation, psm: UInt16, cid: UInt16 = 0x40,
        originalLength: Int? = nil
    ) throws -> [ProfileAnnotation] {
        frame += 1
        time += 1_000_000
        let sdu = try Hex.octets(hex)
        let context = ProfileValue(
            handle: cid, matches: nil, psm: psm, operation: operation, time: time, frame: frame,
            originalLength: originalLength ?? sdu.count)
        var tracker = self.tracker
        let annotations = sdu.withReader { reader in tracker.handle(reader.takeRest(), context) }
        self.tracker = tracker
        return annotations
    }

    /// The only annotation of a value that has one.
    mutating func one(
        _ hex: String, _ operation: ProfileOperation, of label: String? = nil, handle: UInt16 = 0x10
    ) throws -> ProfileAnnotation {
        let annotations = try send(hex, operation, of: label, handle: handle)
        #expect(annotations.count == 1)
        return try #require(annotations.first)
    }
}

extension ProfileAnnotation {
    var codes: [String] { problems.map(\.code) }
    func value(_ name: String) -> AnnotationValue? { fields.first { $0.name == name }?.value }
}

extension [DecodedField] {
    /// Returns the value of a field by the names of fields and the indices of elements, as text: numbers
    /// without zeros at the end, names of values; nil if absent.
    func text(_ path: String) -> String? {
        let parts = path.split(separator: ".")
        guard let name = parts.first, let field = first(where: { $0.name == name }) else { return nil }
        let rest = parts.dropFirst()
        switch field.value {
        case .group(let fields): return fields.text(rest.joined(separator: "."))
        case .list(let elements):
            guard let index = rest.first.flatMap({ Int($0) }), elements.indices.contains(index) else {
                return nil
            }
            return elements[index].text(rest.dropFirst().joined(separator: "."))
        case .unsigned(let number): return "\(number)"
        case .signed(let number): return "\(number)"
        case .decimal(let number):
            var text = number.description
            while text.contains("."), text.hasSuffix("0") || text.hasSuffix(".") { text.removeLast() }
            return text
        case .hex(let number, _): return "0x" + String(number, radix: 16)
        case .octets(let octets): return Hex.text(octets)
        case .text(let text): return text
        case .named(let code, let name): return name ?? "\(code)"
        case .flags(_, let names): return names.joined(separator: "+")
        default: return nil
        }
    }
}

extension Profile {
    /// Returns the problem with these words of a right text in which one part is replaced.
    static func problem(
        of text: String, replacing part: String, with replacement: String, found: String
    ) throws -> DocumentProblem {
        #expect(check(Array(text.utf8)).isEmpty)
        let problems = check(Array(text.replacing(part, with: replacement, maxReplacements: 1).utf8))
        return try #require(problems.first { $0.found == found }, "\(problems)")
    }
}
