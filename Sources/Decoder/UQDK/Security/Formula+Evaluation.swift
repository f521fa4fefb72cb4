import Crypto
import PayloadFormat
import WireBytes

/// The values that formulas concatenate, by name, as bytes on the wire.
public struct FormulaVariables: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        var name: String
        var octets: [UInt8]
    }

    /// Unique names. With so few entries a linear search is faster than a table.
    private var entries: [Entry] = []

    /// Creates an empty set of values.
    public init() {}

    private func index(_ name: String) -> Int? { entries.firstIndex { $0.name == name } }

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

    /// Adds the bytes of every field of a body.
    public mutating func add(_ fields: [DecodedField], of body: ArraySlice<UInt8>) {
        for field in fields {
            let start = body.startIndex + field.range.lowerBound
            let end = body.startIndex + field.range.upperBound
            guard start <= end, end <= body.endIndex else { continue }
            self[field.name] = Array(body[start..<end])
        }
    }

    /// Equality ignores the order in which values were added.
    public static func == (left: Self, right: Self) -> Bool { Set(left.entries) == Set(right.entries) }

    public func hash(into hasher: inout Hasher) { hasher.combine(Set(entries)) }
}

extension FormulaTerm {
    /// Returns the concatenation of terms; throws the name of the first unknown value.
    static func concatenation(
        _ terms: [FormulaTerm], _ variables: FormulaVariables
    ) throws(UQDKEncodeError) -> [UInt8] {
        var result: [UInt8] = []
        for term in terms {
            switch term {
            case .octets(let octets): result += octets
            case .variable(let name, let range):
                guard let octets = variables[name] else { throw .missingVariable(name) }
                guard let range else {
                    result += octets
                    continue
                }
                guard range.upperBound <= octets.count else { throw .missingVariable(name) }
                result += octets[range]
            }
        }
        return result
    }
}

extension Formula {
    /// Returns the proof or key that the formula yields with a key.
    public func value(
        key: [UInt8], _ variables: FormulaVariables
    ) throws(UQDKEncodeError) -> [UInt8] {
        let input = try FormulaTerm.concatenation(terms, variables)
        let whole = try algorithm.code(key: key, input)
        return Array(keepsEnd ? whole.suffix(length) : whole.prefix(length))
    }

    /// Whether a proof is the one that the formula yields with a key, compared in constant time.
    ///
    /// A formula without an algorithm requires no proof.
    public func verifies(
        _ proof: [UInt8]?, key: [UInt8], _ variables: FormulaVariables
    ) throws(UQDKEncodeError) -> Bool {
        guard algorithm != .none else { return true }
        guard let proof else { return false }
        return ConstantTime.equal(try value(key: key, variables), proof)
    }
}

extension DialectAlgorithm {
    /// Returns the message authentication code of `input`; the key itself for `none`.
    func code(key: [UInt8], _ input: [UInt8]) throws(UQDKEncodeError) -> [UInt8] {
        do throws(CryptoError) {
            switch self {
            case .aesCMAC: return try MessageAuthentication.cmac(key: key, input)
            case .hmacSHA256: return try MessageAuthentication.hmacSHA256(key: key, input)
            case .aesCCM, .none: return key
            }
        } catch {
            throw .cryptography
        }
    }
}
