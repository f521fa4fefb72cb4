import Crypto
import PayloadFormat
import WireBytes

/// The values that formulas concatenate, by name, in the octets that the wire carries.
public struct FormulaVariables: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        var name: String
        var octets: [UInt8]
    }

    /// Each name once. A handful: going through them is quicker than any table.
    private var entries: [Entry] = []

    /// No value is known.
    public init() {}

    private func index(_ name: String) -> Int? { entries.firstIndex { $0.name == name } }

    /// The octets of a variable; nil where it is not known.
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

    /// Adds the octets of every field of a body.
    public mutating func add(_ fields: [DecodedField], of body: ArraySlice<UInt8>) {
        for field in fields {
            let start = body.startIndex + field.range.lowerBound
            let end = body.startIndex + field.range.upperBound
            guard start <= end, end <= body.endIndex else { continue }
            self[field.name] = Array(body[start..<end])
        }
    }

    /// In whatever order the values were added.
    public static func == (left: Self, right: Self) -> Bool { Set(left.entries) == Set(right.entries) }

    public func hash(into hasher: inout Hasher) { hasher.combine(Set(entries)) }
}

extension FormulaTerm {
    /// The concatenation of terms; throws the name of the first value that is not known.
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
    /// The proof or key that the formula gives under a key.
    public func value(
        key: [UInt8], _ variables: FormulaVariables
    ) throws(UQDKEncodeError) -> [UInt8] {
        let input = try FormulaTerm.concatenation(terms, variables)
        let whole = try algorithm.code(key: key, input)
        return Array(keepsEnd ? whole.suffix(length) : whole.prefix(length))
    }

    /// Whether a proof is the one that the formula gives under a key, compared in constant time. A formula
    /// without an algorithm asks for no proof.
    public func verifies(
        _ proof: [UInt8]?, key: [UInt8], _ variables: FormulaVariables
    ) throws(UQDKEncodeError) -> Bool {
        guard algorithm != .none else { return true }
        guard let proof else { return false }
        return ConstantTime.equal(try value(key: key, variables), proof)
    }
}

extension DialectAlgorithm {
    /// The message authentication code of `input`; the key itself for `none`.
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
