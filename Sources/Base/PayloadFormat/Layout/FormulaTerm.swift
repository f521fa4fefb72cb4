import WireBytes

/// A part of the input of a proof, a key or a cipher.
public enum FormulaTerm: Hashable, Sendable {
    /// A label or other fixed bytes.
    case octets([UInt8])
    /// A field of a message or another named value, or a range of its bytes.
    case variable(String, Range<Int>?)
    /// The bytes of another term, the last one first.
    indirect case reversed(FormulaTerm)
    /// A term, and the one in its place if a value that it names is missing.
    indirect case either(FormulaTerm, or: FormulaTerm)

    /// The names of the values that it uses.
    public var names: [String] {
        switch self {
        case .octets: []
        case .variable(let name, _): [name]
        case .reversed(let term): term.names
        case .either(let term, let other): term.names + other.names
        }
    }
}

/// A value that a concatenation names and that is missing, or shorter than the part that it takes.
public struct UnknownValue: Error, Hashable, Sendable, CustomStringConvertible {
    /// The value's name.
    public let name: String

    public var description: String { "the value \(name) is missing or too short" }
}

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

extension [FormulaTerm] {
    /// Returns the concatenation of the terms; throws the name of the first unknown value.
    public func concatenation(_ variables: FormulaVariables) throws(UnknownValue) -> [UInt8] {
        var result: [UInt8] = []
        for term in self { try term.append(to: &result, variables) }
        return result
    }

    /// Returns the length of the concatenation in bytes; nil if it varies. Unknown names are reported as
    /// problems of `place`.
    ///
    /// - Parameter known: lengths of the values in bytes, by name; nil for one that varies.
    @discardableResult
    public func check(
        _ known: [String: Int?], at place: JSONNode, _ problems: inout DocumentProblems
    ) -> Int? {
        var total: Int? = 0
        for term in self {
            let length = term.length(known, at: place, &problems)
            total = total.flatMap { total in length.flatMap { total.addingUnlessOverflow($0) } }
        }
        return total
    }
}

extension Int {
    /// The sum, or nil if it is too large: lengths of nested lists multiply.
    func addingUnlessOverflow(_ other: Int) -> Int? {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? nil : sum
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
            let isKnown = term.names.allSatisfy { variables[$0] != nil }
            try (isKnown ? term : other).append(to: &result, variables)
        }
    }

    fileprivate func length(
        _ known: [String: Int?], at place: JSONNode, _ problems: inout DocumentProblems
    ) -> Int? {
        switch self {
        case .octets(let octets): return octets.count
        case .variable(let name, let range):
            guard let width = known[name] else {
                let names = known.keys.sorted().joined(separator: ", ")
                problems.add(place, found: "the value \"\(name.prefix(40))\"", expected: "one of \(names)")
                return nil
            }
            if let range, let width, range.upperBound > width {
                problems.add(
                    place, found: "bytes up to \(range.upperBound) of \(name)", expected: "\(width)")
            }
            return range?.count ?? width
        case .reversed(let term): return term.length(known, at: place, &problems)
        case .either(let term, let other):
            let length = term.length(known, at: place, &problems)
            let replaced = other.length(known, at: place, &problems)
            return length == replaced ? length : nil
        }
    }

    /// Reads a term: `text`, `hex` or `use`, with the part that is used, its order and its replacement.
    init?(_ node: JSONNode, _ problems: inout DocumentProblems) {
        guard var object = JSONObjectReader(node, &problems) else { return nil }
        let text = object.string("text", &problems)
        let octets = object.octets("hex", 1...64, &problems)
        let name = object.string("use", &problems)
        let from = object.integer("from", 0...512, &problems)
        let to = object.integer("to", 1...512, &problems)
        let isReversed = object.bool("reversed", &problems) ?? false
        let other = object.member("or", &problems).flatMap { FormulaTerm($0, &problems) }
        object.finish(&problems)
        var terms: [FormulaTerm] = []
        if let text { terms.append(.octets(Array(text.utf8))) }
        if let octets { terms.append(.octets(octets)) }
        if let name {
            var range: Range<Int>?
            if from != nil || to != nil {
                guard let to, (from ?? 0) < to else {
                    problems.add(node, found: "a part without an end after its start", expected: "from < to")
                    return nil
                }
                range = Int(from ?? 0)..<Int(to)
            }
            terms.append(.variable(name, range))
        } else if from != nil || to != nil || isReversed || other != nil {
            problems.add(
                node, found: "a part of a constant",
                expected: "from, to, reversed and or beside \"use\" alone")
        }
        if terms.count != 1 {
            problems.add(node, found: "\(terms.count) of text, hex and use", expected: "one of them")
        }
        guard var term = terms.first else { return nil }
        if isReversed { term = .reversed(term) }
        if let other { term = .either(term, or: other) }
        self = term
    }
}

extension JSONObjectReader {
    /// Reads a concatenation; nil if it is absent.
    public mutating func terms(_ name: String, _ problems: inout DocumentProblems) -> [FormulaTerm]? {
        array(name, &problems)?.compactMap { FormulaTerm($0, &problems) }
    }
}
