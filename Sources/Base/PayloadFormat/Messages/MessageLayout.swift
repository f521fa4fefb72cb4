/// A message whose values say what they are: its members, and the named types that they use.
public struct MessageLayout: Hashable, Sendable {
    /// The form of the message on the wire.
    public enum Notation: Hashable, Sendable {
        /// Protocol Buffers: members have numbers.
        case protobuf
        /// A map of CBOR: members have numbers or texts as their keys.
        case cbor
    }

    /// The form of the message on the wire.
    public var notation: Notation
    /// The type of the message.
    public var root: MessageReference
    /// The members of the document's named message types.
    public var types: [String: [MessageMember]]

    /// Creates a message.
    public init(
        _ root: MessageReference, as notation: Notation = .protobuf, types: [String: [MessageMember]] = [:]
    ) {
        self.notation = notation
        self.root = root
        self.types = types
    }

    /// Deepest nesting of messages that is read or written.
    static let maximumDepth = 16
    /// Most values in one message, those of its inner messages included.
    static let maximumCount = 4_096
    /// The name of the list of values that no member describes.
    static let unknown = "unknown"

    /// The members of the message.
    public var rootMembers: [MessageMember] { members(root) }

    /// Reads a whole message.
    ///
    /// - Parameter keys: the knowledge that opens encrypted members; without it they stay bytes.
    func read(
        _ octets: ArraySlice<UInt8>, origin: Int, path: String, keys: FieldKeys? = nil
    ) throws(Misfit) -> (fields: [DecodedField], seen: SeenValues) {
        switch notation {
        case .protobuf:
            var reader = ProtobufReader(self, origin: origin, keys)
            return (try reader.read(octets, as: root, path: path, depth: 0), reader.seen)
        case .cbor:
            var reader = CBORMessageReader(self, origin: origin, keys)
            return (try reader.read(octets, as: root, path: path, depth: 0), reader.seen)
        }
    }

    func octets(_ fields: [DecodedField], path: String) throws(LayoutError) -> [UInt8] {
        switch notation {
        case .protobuf: try ProtobufWriter(self).message(fields, as: root, path: path)
        case .cbor: try CBORMessageWriter(layout: self).octets(fields, path: path)
        }
    }

    /// Returns the members of a message type; none of a type that is missing.
    public func members(_ reference: MessageReference) -> [MessageMember] {
        switch reference {
        case .inline(let members): members
        case .named(let name): types[name] ?? []
        }
    }
}

/// A message type.
public enum MessageReference: Hashable, Sendable {
    /// A type of the document, which several members may use, including its own.
    case named(String)
    /// Members that stand where the type is used.
    case inline([MessageMember])
}

/// A member of a message.
public struct MessageMember: Hashable, Sendable {
    /// Type of a member's value.
    public enum Kind: Hashable, Sendable {
        /// An integer of up to 10 bytes, 7 bits in each.
        case varint(VariableInteger, FieldPresentation)
        /// A little-endian integer of 4 or 8 bytes.
        case fixed(width: Int, signed: Bool, FieldPresentation)
        /// A little-endian floating-point number of 4 or 8 bytes.
        case float(width: Int, FieldPresentation)
        /// UTF-8 text.
        case text
        /// Bytes, which may hold a message of a type.
        case octets(MessageReference?)
        /// A message.
        case message(MessageReference)
        /// Bytes that the first of these ciphers opens whose tag the message has, and the message in them.
        indirect case encrypted([FieldCipher], MessageReference?)
    }

    /// Meaning of the bits of a variable-length integer.
    public enum VariableInteger: String, CaseIterable, Hashable, Sendable {
        case uint32, uint64, int32, int64, sint32, sint64, bool
        case enumeration = "enum"
    }

    /// Its number: 1 to 536870911 in Protocol Buffers, any in CBOR.
    public var number: Int
    /// The text that is its key in a map of CBOR; nil for its number.
    public var key: String?
    /// Its name.
    public var name: String
    /// The type of its value.
    public var kind: Kind
    /// Whether it may occur several times.
    public var isRepeated = false
    /// Whether it is a map of any keys, in CBOR: each entry is an element that begins with its key.
    public var isKeyed = false
    /// Whether several numbers share one wire value when written; either way is read.
    public var isPacked = false
    /// Whether a message without it does not fit.
    public var isRequired = false
    /// Whether it differs between runs.
    public var isVolatile = false
    /// The condition under which its number means this member; nil for always.
    public var condition: FieldCondition?

    /// Creates a member.
    public init(number: Int, _ name: String, _ kind: Kind) {
        self.number = number
        self.name = name
        self.kind = kind
    }

    /// Whether several values may share one wire value.
    var isPackable: Bool {
        switch kind {
        case .varint, .fixed, .float: true
        case .text, .octets, .message, .encrypted: false
        }
    }

    func field(_ value: AnnotationValue, _ range: Range<Int>) -> DecodedField {
        var unit: String?
        switch kind {
        case .varint(_, let presentation), .fixed(_, _, let presentation), .float(_, let presentation):
            unit = presentation.unit
        default: break
        }
        var field = DecodedField(name, value, unit: unit, isVolatile: isVolatile, range: range)
        field.isWide = isWide
        return field
    }

    /// Returns the element of a list: the fields of a message, or the value itself.
    func element(_ value: AnnotationValue, _ range: Range<Int>) -> [DecodedField] {
        if case .group(let fields) = value { return fields }
        return [field(value, range)]
    }

    func value(of element: [DecodedField]) -> AnnotationValue {
        if let only = element.first, element.count == 1, only.name == name, !isMessage { return only.value }
        return .group(element)
    }

    var isMessage: Bool { if case .message = kind { true } else { false } }

    /// Whether its numbers may exceed the precision of some JSON readers.
    var isWide: Bool {
        switch kind {
        case .varint(let type, _): [.uint64, .int64, .sint64].contains(type)
        case .fixed(let width, _, _), .float(let width, _): width == 8
        case .text, .octets, .message, .encrypted: false
        }
    }

    /// The type of the message that it is, or that its bytes may hold; nil for another value.
    public var reference: MessageReference? {
        switch kind {
        case .message(let reference), .octets(let reference?), .encrypted(_, let reference?): reference
        default: nil
        }
    }
}

extension MessageMember.VariableInteger {
    /// Returns the meaning of a wire value; nil if the type can't hold it.
    func shown(_ raw: UInt64, _ presentation: FieldPresentation) -> AnnotationValue? {
        switch self {
        case .uint32: return raw >> 32 == 0 ? presentation.shown(raw, bits: 32) : nil
        case .uint64, .enumeration: return presentation.shown(raw, bits: 64)
        case .int32:
            // Some writers leave out the upper half of a negative number.
            let value = Int64(Int32(truncatingIfNeeded: raw))
            guard raw >> 32 == 0 || UInt64(bitPattern: value) == raw else { return nil }
            return presentation.shown(value, bits: 32)
        case .int64: return presentation.shown(Int64(bitPattern: raw), bits: 64)
        case .sint32: return raw >> 32 == 0 ? presentation.shown(Self.zigzag(raw), bits: 32) : nil
        case .sint64: return presentation.shown(Self.zigzag(raw), bits: 64)
        case .bool: return raw <= 1 ? .bool(raw == 1) : nil
        }
    }

    /// Returns the pattern of the wire value as it has names in a presentation.
    func pattern(_ raw: UInt64) -> UInt64 {
        switch self {
        case .uint32, .uint64, .enumeration, .int64, .bool: raw
        case .int32: raw & 0xFFFF_FFFF
        case .sint32: UInt64(bitPattern: Self.zigzag(raw)) & 0xFFFF_FFFF
        case .sint64: UInt64(bitPattern: Self.zigzag(raw))
        }
    }

    /// Returns the wire value for a number, or for the pattern of a named value; nil if it can't hold it.
    func wire(_ bits: UInt64, isNamed: Bool) -> UInt64? {
        switch self {
        case .uint32: return bits >> 32 == 0 ? bits : nil
        case .uint64, .enumeration, .int64: return bits
        case .bool: return bits <= 1 ? bits : nil
        case .int32, .sint32:
            let value = isNamed ? Int64(Int32(truncatingIfNeeded: bits)) : Int64(bitPattern: bits)
            guard Int32(exactly: value) != nil else { return nil }
            return self == .int32 ? UInt64(bitPattern: value) : Self.zigzagged(value)
        case .sint64: return Self.zigzagged(Int64(bitPattern: bits))
        }
    }

    var bits: Int {
        switch self {
        case .uint32, .int32, .sint32: 32
        default: 64
        }
    }

    var isSigned: Bool { [.int32, .int64, .sint32, .sint64].contains(self) }

    private static func zigzag(_ raw: UInt64) -> Int64 {
        Int64(bitPattern: raw >> 1) ^ (0 - Int64(bitPattern: raw & 1))
    }

    private static func zigzagged(_ value: Int64) -> UInt64 {
        UInt64(bitPattern: value << 1) ^ UInt64(bitPattern: value >> 63)
    }
}

extension MessageLayout {
    /// The names of all members, those of inner messages included.
    public var names: Set<String> {
        var names: Set<String> = []
        var seen: Set<String> = []
        collect(root, &names, &seen)
        return names
    }

    private func collect(_ type: MessageReference, _ names: inout Set<String>, _ seen: inout Set<String>) {
        if case .named(let name) = type, !seen.insert(name).inserted { return }
        for member in members(type) {
            names.insert(member.name)
            if let inner = member.reference { collect(inner, &names, &seen) }
        }
    }
}

extension [MessageMember] {
    /// Returns the first required member that has no value.
    func missing(in fields: [DecodedField]) -> MessageMember? {
        first { member in member.isRequired && !fields.contains { $0.name == member.name } }
    }
}

/// Reads the members of messages that say what they are, and the messages in the bytes of members.
protocol MessageReader {
    /// The start of the whole data, from which offsets count.
    var origin: Int { get set }
    /// The knowledge that opens encrypted members.
    var keys: FieldKeys? { get }
    var seen: SeenValues { get set }

    mutating func read(
        _ octets: ArraySlice<UInt8>, as reference: MessageReference, path: String, depth: Int
    ) throws(Misfit) -> [DecodedField]

    /// Returns the fields of a message that bytes hold; nil if they don't fit it, or not with each value.
    mutating func held(
        _ octets: ArraySlice<UInt8>, _ reference: MessageReference, _ path: String, depth: Int
    ) -> [DecodedField]?

    /// Takes the values that another reader has seen since it was copied from this one.
    mutating func take(_ other: Self)
}

extension MessageReader {
    func misfit(
        _ check: String, _ path: String, at index: Int, _ expected: String, _ found: String
    ) -> Misfit {
        Misfit(check: check, field: path, offset: index - origin, expected: expected, found: found)
    }

    /// Throws if messages are nested too deeply.
    func check(depth: Int, _ path: String, at index: Int) throws(Misfit) {
        guard depth >= MessageLayout.maximumDepth else { return }
        throw misfit("depth", path, at: index, "\(MessageLayout.maximumDepth) levels at most", "one more")
    }

    /// Returns the fields of a message whose values were read, after opening the encrypted members and
    /// checking the tags of those in clear: their ciphers may use any value beside them.
    mutating func finished(
        _ members: [MessageMember], _ fields: [DecodedField], _ unknown: [[DecodedField]],
        of message: ArraySlice<UInt8>, _ path: String, depth: Int, at start: Int
    ) throws(Misfit) -> [DecodedField] {
        var fields = fields
        for member in members {
            guard case .encrypted(let ciphers, let reference) = member.kind,
                let index = fields.firstIndex(where: { $0.name == member.name }),
                case .octets(let content) = fields[index].value
            else { continue }
            let path = "\(path).\(member.name)"
            let cipher = ciphers.applied(in: fields)
            let range = fields[index].range
            let octets = message[range.lowerBound + origin..<range.upperBound + origin]
            if cipher?.encrypts != true, let reference,
                let inner = held(octets, reference, path, depth: depth)
            {
                fields[index].value = .group(inner)
            }
            guard let cipher else { continue }
            var values = keys?.earlier ?? FormulaVariables()
            values.add(cipher.names, in: fields, of: message, origin: origin)
            guard cipher.encrypts else {
                seen.note(fields[index].check(content, cipher, values, keys, path: path))
                continue
            }
            let outside = self
            var last: Self?
            fields[index].open(cipher, values, keys) { plaintext, opened throws(Misfit) in
                guard let reference else {
                    opened = [DecodedField("opened", .octets(plaintext), range: plaintext.indices)]
                    return
                }
                var reader = outside
                reader.origin = 0
                defer { last = reader }
                opened = try reader.read(plaintext[...], as: reference, path: path, depth: depth + 1)
            }
            if let last { take(last) }
        }
        if let member = members.missing(in: fields) {
            throw misfit("required", "\(path).\(member.name)", at: start, "a value", "none")
        }
        return unknown.isEmpty ? fields : fields + [DecodedField(MessageLayout.unknown, .list(unknown))]
    }
}

/// The values of a message so far that others depend on.
struct SeenValues {
    /// Integers so far by their paths, which conditions may name.
    private var integers: [String: UInt64] = [:]
    /// The names of the first values that mean a refusal.
    private var refusals: [String] = []

    /// The names of the values that mean a refusal, a status as well as its reason; nil if absent.
    var refusal: String? { refusals.isEmpty ? nil : refusals.joined(separator: ", ") }

    /// The first tag that a key proves wrong; nil if absent.
    private(set) var wrongTag: Misfit?

    mutating func note(_ raw: UInt64, _ presentation: FieldPresentation, _ path: String) {
        integers[path] = raw
        guard let name = presentation.refusal(raw), refusals.count < 4, !refusals.contains(name) else {
            return
        }
        refusals.append(name)
    }

    mutating func note(_ tag: Misfit?) { wrongTag = wrongTag ?? tag }

    /// Returns the first member with this key whose condition holds in the message at `path`.
    ///
    /// A value that was not sent is 0.
    func member(
        of members: [MessageMember], in path: String, where hasKey: (MessageMember) -> Bool
    ) -> MessageMember? {
        members.first { member in
            hasKey(member)
                && (member.condition.map { $0.holds(integers["\(path).\($0.field)"] ?? 0) } ?? true)
        }
    }
}

extension [DecodedField] {
    func value(_ name: String) -> AnnotationValue? { first { $0.name == name }?.value }

    /// Whether each value has a member, and each enumeration a name.
    var areKnown: Bool {
        haveNames
            && allSatisfy { field in
                switch field.value {
                case .group(let inner): inner.areKnown
                case .list(let elements):
                    field.name != MessageLayout.unknown && elements.allSatisfy(\.areKnown)
                default: true
                }
            }
    }

    /// Whether each enumeration in the fields has a name: encrypted bytes fit short messages by chance.
    var haveNames: Bool {
        allSatisfy { field in
            switch field.value {
            case .named(_, nil): false
            case .group(let inner): inner.haveNames
            case .list(let elements): elements.allSatisfy(\.haveNames)
            default: true
            }
        }
    }
}
