import Crypto
import Synchronization
import WireBytes

/// A part of the input of a proof, a key or a cipher.
public enum FormulaTerm: Hashable, Sendable {
    /// A label or other fixed bytes.
    case octets([UInt8])
    /// A field of a message or another named value, or a range of its bytes.
    case variable(String, Range<Int>?)
    /// The bytes of another term, the last one first.
    indirect case reversed(FormulaTerm)
    /// A term, and the one in its place if it has no value.
    indirect case either(FormulaTerm, or: FormulaTerm)
    /// A value of an earlier message: the last one that was remembered under these bytes.
    case earlier(String, by: [FormulaTerm])
    /// A function of a concatenation, with its key; nil for the concatenation itself.
    case function(TermFunction?, key: [FormulaTerm], of: [FormulaTerm])
    /// A range of the bytes of another term.
    indirect case part(of: FormulaTerm, Range<Int>)

    /// The names of the values that it uses.
    public var names: [String] {
        switch self {
        case .octets: []
        case .variable(let name, _): [name]
        case .reversed(let term), .part(let term, _): term.names
        case .either(let term, let other): term.names + other.names
        case .earlier(let name, let by): [name] + by.flatMap(\.names)
        case .function(_, let key, let terms): (key + terms).flatMap(\.names)
        }
    }
}

/// A value that a concatenation names and that is missing, or shorter than the part that it takes; or a
/// function that takes no such value.
public struct UnknownValue: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the value or the function.
    public let name: String
    /// The reason, after the name.
    let reason: String

    init(name: String, reason: String = "is missing or too short") {
        self.name = name
        self.reason = reason
    }

    public var description: String { "\(name) \(reason)" }
}

/// The values that formulas concatenate, by name, as bytes on the wire.
public struct FormulaVariables: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        var name: String
        /// The bytes under which a value of an earlier message was remembered; nil for another.
        var by: [UInt8]?
        var octets: [UInt8]
    }

    /// The start of the names of values of earlier messages.
    public static let earlierPrefix = "earlier."
    /// Most values of one name that are remembered, and the most bytes of one.
    private static let (maximumRemembered, maximumOctets) = (32, 1_024)

    /// Unique names. With so few entries a linear search is faster than a table.
    private var entries: [Entry] = []
    /// The results of slow functions; nil to compute them each time.
    var results: FunctionResults?

    /// Creates an empty set of values.
    public init() {}

    private func index(_ name: String, by: [UInt8]? = nil) -> Int? {
        entries.firstIndex { $0.name == name && $0.by == by }
    }

    /// The last value of an earlier message that was remembered under these bytes; nil if unknown.
    subscript(name: String, by: [UInt8]) -> [UInt8]? { index(name, by: by).map { entries[$0].octets } }

    /// Remembers a value of a message for later ones; of many with a name, the oldest is forgotten.
    public mutating func remember(_ octets: [UInt8], as name: String, by: [UInt8]) {
        guard octets.count + by.count <= Self.maximumOctets else { return }
        if let known = index(name, by: by) { entries.remove(at: known) }
        let same = entries.indices.filter { entries[$0].name == name }
        if same.count >= Self.maximumRemembered { entries.remove(at: same[0]) }
        entries.append(Entry(name: name, by: by, octets: octets))
    }

    /// The bytes of a variable; nil if unknown.
    public subscript(name: String) -> [UInt8]? {
        get { index(name).map { entries[$0].octets } }
        set {
            let known = index(name)
            if let newValue {
                if let known {
                    entries[known].octets = newValue
                } else {
                    entries.append(Entry(name: name, octets: newValue))
                }
            } else if let known {
                entries.remove(at: known)
            }
        }
    }

    /// Adds the bytes of every field of a body, and those of the values in them that paths name.
    public mutating func add(
        _ fields: [DecodedField], of body: ArraySlice<UInt8>, paths: [String] = []
    ) {
        for field in fields {
            let start = body.startIndex + field.range.lowerBound
            let end = body.startIndex + field.range.upperBound
            guard start <= end, end <= body.endIndex else { continue }
            self[field.name] = Array(body[start..<end])
        }
        add(paths.filter { $0.contains(".") }, in: fields, of: body, origin: body.startIndex)
    }

    /// Adds the values of a message at paths, whose fields' places count from the index `origin`.
    mutating func add(
        _ paths: [String], in fields: [DecodedField], of message: ArraySlice<UInt8>, origin: Int
    ) {
        for path in paths {
            if let octets = fields.octets(at: path, of: message, origin: origin) { self[path] = octets }
        }
    }

    /// Equality ignores the order in which values were added.
    public static func == (left: Self, right: Self) -> Bool { Set(left.entries) == Set(right.entries) }

    public func hash(into hasher: inout Hasher) { hasher.combine(Set(entries)) }
}

extension [FormulaTerm] {
    /// Returns the concatenation of the terms; throws the name of the first unknown value.
    public func concatenation(_ variables: FormulaVariables) throws(UnknownValue) -> [UInt8] {
        var result: [UInt8] = []
        for term in self { try term.append(to: &result, variables) }
        return result
    }
}

extension FormulaTerm {
    fileprivate func append(
        to result: inout [UInt8], _ variables: FormulaVariables
    ) throws(UnknownValue) {
        switch self {
        case .octets(let octets): result += octets
        case .variable(let name, let range):
            guard let octets = variables[name] else { throw UnknownValue(name: name) }
            guard let range else {
                result += octets
                return
            }
            guard range.upperBound <= octets.count else { throw UnknownValue(name: name) }
            result += octets[range]
        case .reversed(let term):
            var octets: [UInt8] = []
            try term.append(to: &octets, variables)
            result += octets.reversed()
        case .either(let term, let other):
            if let octets = try? [term].concatenation(variables) {
                result += octets
            } else {
                try other.append(to: &result, variables)
            }
        case .earlier(let name, let by):
            guard let octets = variables[name, try by.concatenation(variables)] else {
                throw UnknownValue(name: name)
            }
            result += octets
        case .function(let function, let key, let terms):
            let input = try terms.concatenation(variables)
            guard let function else {
                result += input
                return
            }
            result += try function.value(of: input, key: try key.concatenation(variables), variables.results)
        case .part(let term, let range):
            let octets = try [term].concatenation(variables)
            guard range.upperBound <= octets.count else {
                throw UnknownValue(name: term.names.first ?? "a part")
            }
            result += octets[range]
        }
    }
}

/// The results of functions that take long, by their inputs: not every message waits for them.
public final class FunctionResults: Sendable {
    private struct Input: Hashable, Sendable {
        let function: TermFunction
        let key: [UInt8]
        let input: [UInt8]
    }

    /// Most results that are kept.
    private static let maximum = 64

    private let known = Mutex<[Input: [UInt8]]>([:])

    /// Creates an empty table.
    public init() {}

    var count: Int { known.withLock { $0.count } }

    /// Returns the result of a function, and computes it if it is not known.
    fileprivate func value(
        _ function: TermFunction, of input: [UInt8], key: [UInt8]
    ) throws(UnknownValue) -> [UInt8] {
        let place = Input(function: function, key: key, input: input)
        if let value = known.withLock({ $0[place] }) { return value }
        let value = try function.value(of: input, key: key, nil)
        known.withLock { known in
            if known.count >= Self.maximum { known = [:] }
            known[place] = value
        }
        return value
    }
}

/// A function of bytes that a concatenation names.
public enum TermFunction: String, CaseIterable, Hashable, Sendable {
    /// The hash function SHA-1: 20 bytes. Source: FIPS 180-4.
    case sha1 = "sha-1"
    /// The hash function SHA-256: 32 bytes. Source: FIPS 180-4.
    case sha256 = "sha-256"
    /// Elliptic curve Diffie-Hellman on P-256 with a private key of 32 bytes and a public key of 65 (4, x and
    /// y): the x coordinate of the product, 32 bytes. Source: NIST SP 800-56A.
    case ecdhP256 = "ecdh-p256"
    /// HMAC with SHA-256, with a key of any length: 32 bytes. Source: RFC 2104.
    case hmacSHA256 = "hmac-sha-256"
    /// The bytes after their number in one byte.
    case lengthPrefixed = "length-prefixed"

    /// Lengths of its key in bytes; 0 if it takes none.
    var keyOctets: ClosedRange<Int> {
        switch self {
        case .ecdhP256: P256.length...P256.length
        case .hmacSHA256: 1...Int.max
        case .sha1, .sha256, .lengthPrefixed: 0...0
        }
    }

    /// Lengths of its input in bytes.
    var inputOctets: ClosedRange<Int> {
        switch self {
        case .sha1, .sha256, .hmacSHA256: 0...Int.max
        case .ecdhP256: 65...65
        case .lengthPrefixed: 0...255
        }
    }

    /// Returns the length of its value in bytes, from that of its input; nil if it varies.
    func octets(of input: Int?) -> Int? {
        switch self {
        case .sha1: 20
        case .sha256, .ecdhP256, .hmacSHA256: 32
        case .lengthPrefixed: input?.addingUnlessOverflow(1)
        }
    }

    /// Returns its value; throws if it does not take the input or the key.
    ///
    /// - Parameter results: a table of the results of slow functions.
    func value(
        of input: [UInt8], key: [UInt8], _ results: FunctionResults?
    ) throws(UnknownValue) -> [UInt8] {
        if self == .ecdhP256, let results { return try results.value(self, of: input, key: key) }
        do throws(CryptoError) {
            guard inputOctets.contains(input.count) else { throw .inputLength(input.count) }
            switch self {
            case .sha1: return try SHA1.hash(of: input)
            case .sha256: return try SHA256.hash(of: input)
            case .ecdhP256:
                guard input[0] == 4 else { throw .invalidKey }
                return try P256.sharedSecret(
                    privateKey: key, x: Array(input[1...32]), y: Array(input[33...]))
            case .hmacSHA256: return try MessageAuthentication.hmacSHA256(key: key, input)
            case .lengthPrefixed: return [UInt8(truncatingIfNeeded: input.count)] + input
            }
        } catch {
            throw UnknownValue(name: rawValue, reason: error.refusal)
        }
    }
}

extension CryptoError {
    /// The reason why an algorithm does not take its inputs, after its name.
    var refusal: String {
        switch self {
        case .keyLength(let count): "takes no key of \(count.counting("byte"))"
        case .inputLength(let count): "takes no part of \(count.counting("byte"))"
        case .invalidKey: "takes no such key"
        case .notAuthentic, .library: "fails: \(self)"
        }
    }
}
