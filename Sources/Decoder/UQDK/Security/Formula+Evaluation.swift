import Crypto
public import WireBytes

/// The values that formulas concatenate, by name, in the octets that the wire carries.
public struct FormulaVariables: Hashable, Sendable {
    private var values: [String: [UInt8]] = [:]

    /// No value is known.
    public init() {}

    /// The octets of a variable; nil where it is not known.
    public subscript(name: String) -> [UInt8]? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// Adds the octets of every field of a body.
    public mutating func add(_ fields: [DecodedField], of body: ArraySlice<UInt8>) {
        for field in fields {
            let start = body.startIndex + field.range.lowerBound
            let end = body.startIndex + field.range.upperBound
            guard start <= end, end <= body.endIndex else { continue }
            values[field.name] = Array(body[start..<end])
        }
    }
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
