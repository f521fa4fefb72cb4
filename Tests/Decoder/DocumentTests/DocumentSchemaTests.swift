import PayloadFormat
import Profiles
import TestSupport
import Testing
import UQDK

/// The published schemas and the program's own reading of the files agree.
@Suite struct DocumentSchemaTests {
    enum Kind: String, CaseIterable, Sendable {
        case profile
        case dialect
        case keys

        /// Whether the program takes a text.
        func takes(_ octets: [UInt8]) -> Bool {
            switch self {
            case .profile: Profile.check(octets).isEmpty
            case .dialect: Dialect.check(octets).isEmpty
            case .keys: (try? KeyStore(json: octets)) != nil
            }
        }
    }

    static let files: [(Kind, String)] = [
        (.profile, "profiles/ble-link-manager.json"), (.profile, "profiles/mi-band.json"),
        (.profile, "profiles/eswiftble.json"), (.profile, "Tests/Decoder/ProfilesTests/everything.json"),
        (.dialect, "dialects/reference-1.json"), (.dialect, "Tests/Decoder/UQDKTests/other-dialect.json"),
        (.keys, "captures/uqdk-unlock.keys.json"), (.keys, "Tests/Decoder/DocumentTests/keys.json"),
    ]

    private static func schema(_ kind: Kind) throws -> JSONSchema {
        try JSONSchema(try PackageFile.octets("docs/\(kind.rawValue).schema.json"))
    }

    @Test(arguments: files)
    func `a file that the program takes is valid by its schema`(kind: Kind, path: String) throws {
        let octets = try PackageFile.octets(path)
        #expect(kind.takes(octets))
        #expect(try Self.schema(kind).violations(try JSONParser.parse(octets)) == [])
    }

    @Test(arguments: files)
    func `a value of another kind, or a member too many, is refused by both`(
        kind: Kind, path: String
    ) throws {
        let root = try JSONParser.parse(try PackageFile.octets(path))
        let schema = try Self.schema(kind)
        // Some hundred of them, evenly, where there are more.
        let changes = JSONChanges.all(of: root)
        let step = changes.count / 100 + 1
        for change in stride(from: 0, to: changes.count, by: step).map({ changes[$0] }) {
            let text = Array(JSONChanges.text(of: root, change).utf8)
            let violations = try schema.violations(try JSONParser.parse(text))
            #expect(!violations.isEmpty, "the schema takes \(change)")
            #expect(!kind.takes(text), "the program takes \(change)")
        }
        #expect(changes.count >= 9)
    }

    @Test func `the schemas name every checksum of the catalogue`() throws {
        for kind in [Kind.profile, .dialect] {
            let root = try JSONParser.parse(try PackageFile.octets("docs/\(kind.rawValue).schema.json"))
            let names = root.member("$defs")?.member("checksum")?.member("enum")?.elements ?? []
            let texts = names.compactMap { node -> String? in
                if case .string(let text) = node.value { return text }
                return nil
            }
            #expect(texts.sorted() == Checksum.catalogue.map(\.name).sorted())
        }
    }
}

/// One place of a JSON text changed so that no schema may take it.
enum JSONChange {
    /// A value replaced by one of another kind.
    case kind(String)
    /// A member added to an object.
    case member(String)
}

enum JSONChanges {
    private static func isOwn(_ name: String) -> Bool { name == "$schema" || name == "comment" }

    static func all(of node: JSONNode) -> [JSONChange] {
        switch node.value {
        case .array(let nodes): [.kind(node.path)] + nodes.flatMap { all(of: $0) }
        case .object(let members):
            [.kind(node.path), .member(node.path)]
                + members.filter { !isOwn($0.name) }.flatMap { all(of: $0.node) }
        default: [.kind(node.path)]
        }
    }

    static func text(of node: JSONNode, _ change: JSONChange) -> String {
        if case .kind(node.path) = change {
            if case .object = node.value { return "7.5" }
            return "{\"wrong\": true}"
        }
        switch node.value {
        case .null: return "null"
        case .bool(let value): return "\(value)"
        case .number(let number): return "\(number.mantissa)e\(number.exponent)"
        case .string(let text): return "\"\(text)\""
        case .array(let nodes): return "[" + nodes.map { text(of: $0, change) }.joined(separator: ",") + "]"
        case .object(let members):
            var parts = members.map { "\"\($0.name)\":" + text(of: $0.node, change) }
            if case .member(node.path) = change { parts.append("\"zzz\":1") }
            return "{" + parts.joined(separator: ",") + "}"
        }
    }
}
