public import BluetoothCore
import Crypto
import PayloadFormat

/// The keys of a user's file, which are used and never shown.
///
/// The file: `{"uqdk": [{"keyId", "key", "pairingCode"?}], "peers": [{"address", "addressType", "ltk"?,
/// "ediv"?, "rand"?, "irk"?, "passkey"?, "oob"?}], "privateKeys": [], "profiles": [{"profile", "address"?,
/// "key"}], "test"?: true}`, bytes in hexadecimal, most significant first.
public struct KeyStore: Hashable, Sendable {
    /// A digital key.
    public struct DigitalKey: Hashable, Sendable {
        /// The key's id, which messages carry in clear.
        public var keyID: [UInt8]
        /// The key.
        public var key: [UInt8]
        /// The ASCII digits of the pairing code; nil if unknown.
        public var pairingCode: [UInt8]?

        /// Creates a key with an id.
        public init(keyID: [UInt8], key: [UInt8], pairingCode: [UInt8]? = nil) {
            self.keyID = keyID
            self.key = key
            self.pairingCode = pairingCode
        }
    }

    /// The keys of a bond.
    public struct PeerKeys: Hashable, Sendable {
        /// The peer's identity address.
        public var address: DeviceAddress
        /// The long term key, most significant byte first.
        public var ltk: [UInt8]?
        /// The encrypted diversifier.
        public var ediv: UInt16?
        /// The random number.
        public var rand: UInt64?
        /// The identity resolving key, most significant byte first.
        public var irk: [UInt8]?
        /// The passkey of its pairing.
        public var passkey: UInt32?
        /// The temporary key of its pairing, which was exchanged out of band.
        public var oob: [UInt8]?
    }

    /// The digital keys.
    public var uqdk: [DigitalKey] = []
    /// The bonds.
    public var peers: [PeerKeys] = []
    /// Private keys of LE Secure Connections, most significant byte first.
    public var privateKeys: [[UInt8]] = []
    /// Keys for the encrypted fields of profiles.
    public var profiles: [FieldKey] = []
    /// Whether the file says that its keys are only for tests.
    public var isTest = false

    /// Creates an empty store.
    public init() {}

    /// Length in bytes of a digital key of reference format 1, which uses AES-128.
    public static let keyOctets = 16

    /// Reads a file; throws its problems, which never quote a key.
    ///
    /// - Parameter fit: requirements for the digital keys, which differ by dialect.
    public init(json: [UInt8], fit: KeyFit = KeyFit()) throws(KeyStoreError) {
        let root: JSONNode
        do throws(JSONSyntaxError) {
            root = try JSONParser.parse(json)
        } catch {
            throw error.isLimit ? .tooLarge(error.what) : .syntax(line: error.line)
        }
        var problems = DocumentProblems()
        if var object = JSONObjectReader(root, &problems) {
            isTest = object.bool("test", &problems) ?? false
            for node in object.array("uqdk", &problems) ?? [] {
                if let key = Self.digitalKey(node, fit, &problems) { uqdk.append(key) }
            }
            for node in object.array("peers", &problems) ?? [] {
                if let keys = Self.peer(node, &problems) { peers.append(keys) }
            }
            for node in object.array("privateKeys", &problems) ?? [] {
                if let key = node.octets(32...32, &problems) { privateKeys.append(key) }
            }
            for node in object.array("profiles", &problems) ?? [] {
                if let key = Self.fieldKey(node, &problems) { profiles.append(key) }
            }
            object.finish(&problems)
        }
        if !problems.isEmpty { throw .content(problems.list.map(Self.withoutValues)) }
    }

    /// Returns a problem without text from the file, except for names of known members.
    private static func withoutValues(_ problem: DocumentProblem) -> DocumentProblem {
        let isName = problem.found == "an unknown member"
        let path =
            isName
            ? String(problem.path[..<(problem.path.lastIndex(of: ".") ?? problem.path.endIndex)])
            : problem.path
        return DocumentProblem(
            path: path, line: problem.line,
            found: problem.found.hasPrefix("\"") ? "another text" : problem.found,
            expected: problem.expected)
    }

    func key(_ keyID: ArraySlice<UInt8>) -> DigitalKey? { uqdk.first { $0.keyID.elementsEqual(keyID) } }

    private static func digitalKey(
        _ node: JSONNode, _ fit: KeyFit, _ problems: inout DocumentProblems
    ) -> DigitalKey? {
        guard var object = JSONObjectReader(node, &problems) else { return nil }
        let keyID = Self.octets("keyId", &object, fit.keyIDOctets, &problems)
        let key = Self.octets("key", &object, fit.keyOctets, &problems)
        var code: [UInt8]?
        if let node = object.member("pairingCode", &problems), let text = node.string(&problems) {
            code = Array(text.utf8)
            if !fit.takes(pairingCode: text) {
                problems.add(node, found: "another text", expected: fit.pairingCodeRule)
            }
        }
        object.finish(&problems)
        guard let keyID, let key else { return nil }
        return DigitalKey(keyID: keyID, key: key, pairingCode: code)
    }

    /// Reads a key or an id; a wrong length is reported because such a key would silently verify nothing.
    private static func octets(
        _ name: String, _ object: inout JSONObjectReader, _ lengths: Set<Int>,
        _ problems: inout DocumentProblems
    ) -> [UInt8]? {
        guard let node = object.member(name, required: true, &problems),
            let octets = node.octets(1...64, &problems)
        else { return nil }
        if lengths.isEmpty || lengths.contains(octets.count) { return octets }
        let expected = lengths.sorted().map(String.init).joined(separator: " or ")
        problems.add(
            node, found: octets.count == 1 ? "1 byte" : "\(octets.count) bytes",
            expected: "\(expected) bytes")
        return nil
    }

    private static func address(
        _ kind: DeviceAddress.Kind, required: Bool, _ object: inout JSONObjectReader,
        _ problems: inout DocumentProblems
    ) -> DeviceAddress? {
        guard let node = object.member("address", required: required, &problems) else { return nil }
        let address = node.string(&problems).flatMap { DeviceAddress($0, kind: kind) }
        if address == nil { problems.add(node, found: "no address", expected: "AA:BB:CC:DD:EE:FF") }
        return address
    }

    private static func fieldKey(_ node: JSONNode, _ problems: inout DocumentProblems) -> FieldKey? {
        guard var object = JSONObjectReader(node, &problems) else { return nil }
        let profile = object.string("profile", required: true, &problems)
        let address = Self.address(.unknown, required: false, &object, &problems)
        let key = object.octets("key", 1...64, required: true, &problems)
        var values: [String: SecretKey] = [:]
        if let node = object.member("values", &problems) {
            if case .object(let members) = node.value {
                for member in members where member.name != "comment" {
                    // Only the place of all of them is named: their names are the user's.
                    guard let value = Self.value(member.node) else {
                        problems.add(node, found: "another value", expected: "text, or an object with hex")
                        continue
                    }
                    values[member.name] = SecretKey(value)
                }
            } else {
                problems.kind(node, expected: "an object of values")
            }
        }
        object.finish(&problems)
        guard let profile, let key else { return nil }
        return FieldKey(profile: profile, address: address?.value, key: SecretKey(key), values: values)
    }

    /// Reads a value beside a key: text, or bytes as the member `hex` of an object.
    private static func value(_ node: JSONNode) -> [UInt8]? {
        var problems = DocumentProblems()
        guard case .object = node.value else { return node.string(&problems).map { Array($0.utf8) } }
        var object = JSONObjectReader(node, &problems)
        let octets = object?.octets("hex", 1...128, required: true, &problems)
        object?.finish(&problems)
        return problems.isEmpty ? octets : nil
    }

    private static func peer(_ node: JSONNode, _ problems: inout DocumentProblems) -> PeerKeys? {
        guard var object = JSONObjectReader(node, &problems) else { return nil }
        let kind =
            object.choice(
                "addressType", ["public": DeviceAddress.Kind.public, "random": .random], required: true,
                &problems) ?? .unknown
        let address = Self.address(kind, required: true, &object, &problems)
        let ltk = object.octets("ltk", 16...16, &problems)
        let ediv = object.octets("ediv", 2...2, &problems)
        let rand = object.octets("rand", 8...8, &problems)
        let irk = object.octets("irk", 16...16, &problems)
        let oob = object.octets("oob", 16...16, &problems)
        var passkey: UInt32?
        if let node = object.member("passkey", &problems), let text = node.string(&problems) {
            let isPasskey = text.utf8.count == 6 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
            passkey = isPasskey ? UInt32(text) : nil
            if !isPasskey { problems.add(node, found: "another text", expected: "six digits") }
        }
        object.finish(&problems)
        guard let address else { return nil }
        return PeerKeys(
            address: address, ltk: ltk, ediv: ediv.map { $0.reduce(0) { $0 << 8 | UInt16($1) } },
            rand: rand.map { $0.reduce(0) { $0 << 8 | UInt64($1) } }, irk: irk, passkey: passkey, oob: oob)
    }
}

/// Reason why a key file can't be used.
public enum KeyStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not JSON; the line is that of the first error.
    case syntax(line: Int)
    /// Too large to read; the text names the limit.
    case tooLarge(String)
    /// Members or values that a key file must not have.
    case content([DocumentProblem])

    public var description: String {
        switch self {
        case .syntax(let line): "not JSON: line \(line)"
        case .tooLarge(let what): "too large: \(what)"
        case .content(let problems): problems.map(\.description).joined(separator: "; ")
        }
    }
}

// Keys appear in no description and no reflection, so no log or failing test shows them by accident.

extension KeyStore: CustomStringConvertible, CustomReflectable {
    public var description: String { "keys of \(uqdk.count) cars and \(peers.count) peers" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension KeyStore.DigitalKey: CustomStringConvertible, CustomReflectable {
    public var description: String { "a digital key" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension KeyStore.PeerKeys: CustomStringConvertible, CustomReflectable {
    public var description: String { "the keys of a bond" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Length requirements that the digital keys of a file must meet to verify anything.
public struct KeyFit: Hashable, Sendable {
    /// Allowed lengths of a key in bytes; empty for any.
    public var keyOctets: Set<Int>
    /// Allowed lengths of a key id in bytes; empty for any.
    public var keyIDOctets: Set<Int>
    /// Allowed digit counts of a pairing code; empty for 1 to 16.
    public var pairingCodeDigits: Set<Int>

    /// Creates requirements; by default only the key length, that of reference format 1.
    public init(
        keyOctets: Set<Int> = [KeyStore.keyOctets], keyIDOctets: Set<Int> = [],
        pairingCodeDigits: Set<Int> = []
    ) {
        self.keyOctets = keyOctets
        self.keyIDOctets = keyIDOctets
        self.pairingCodeDigits = pairingCodeDigits
    }

    /// Creates the requirements that keys meet if they fit any of the dialects.
    public init(_ dialects: [Dialect]) {
        self.init(keyOctets: Set(dialects.map(\.limits.keyOctets)))
        // One dialect whose ids have no fixed length allows any length.
        let widths = dialects.map(\.keyIDWidth)
        if !widths.contains(nil) { keyIDOctets = Set(widths.compactMap { $0 }) }
        pairingCodeDigits = Set(dialects.map(\.limits.pairingCodeDigits))
    }

    func takes(pairingCode text: String) -> Bool {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
        return pairingCodeDigits.isEmpty
            ? (1...16).contains(text.utf8.count) : pairingCodeDigits.contains(text.utf8.count)
    }

    var pairingCodeRule: String {
        guard !pairingCodeDigits.isEmpty else { return "1 to 16 digits" }
        return pairingCodeDigits.sorted().map(String.init).joined(separator: " or ") + " digits"
    }
}

extension Dialect {
    /// Length of a key id in bytes if all requests that name one agree; nil if it depends on the message.
    fileprivate var keyIDWidth: Int? {
        let fields = [CommandPurpose.authBegin, .activate].compactMap { purpose in
            command(for: purpose)?.request.fields.first { $0.name == FormulaVariable.keyID }
        }
        let widths = Set(fields.map(\.fixedWidth))
        return widths.count == 1 ? widths.first ?? nil : nil
    }
}

/// The highest auth counters that a car accepted, by key id.
///
/// They belong to the car and the key, not to a link: the car rejects a used counter on later connections
/// too.
public struct AcceptedCounters: Hashable, Sendable {
    /// Maximum number of keys; the oldest is evicted.
    static let limit = 8

    struct Entry: Hashable, Sendable {
        let keyID: [UInt8]
        var counter: UInt64
        var isEarlier = false
    }

    private var entries: [Entry] = []

    /// Creates an empty record.
    public init() {}

    /// Whether no counter was accepted.
    public var isEmpty: Bool { entries.isEmpty }

    /// The same counters, marked as accepted on an earlier connection.
    public var earlier: Self {
        var all = self
        for index in all.entries.indices { all.entries[index].isEarlier = true }
        return all
    }

    subscript(keyID: ArraySlice<UInt8>) -> Entry? { entries.first { $0.keyID.elementsEqual(keyID) } }

    /// Records a counter that the car accepted for a key.
    ///
    /// Nothing is kept for an unknown key id: the next one without an id may be another key's.
    mutating func take(_ counter: UInt64, ofKey keyID: ArraySlice<UInt8>) {
        guard !keyID.isEmpty else { return }
        if let index = entries.firstIndex(where: { $0.keyID.elementsEqual(keyID) }) {
            guard counter > entries[index].counter else { return }
            entries[index] = Entry(keyID: entries[index].keyID, counter: counter)
            return
        }
        if entries.count >= Self.limit { entries.removeFirst() }
        entries.append(Entry(keyID: Array(keyID), counter: counter))
    }
}
