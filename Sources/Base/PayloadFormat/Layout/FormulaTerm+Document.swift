import WireBytes

// Terms in documents: reading them, and checking what they use.

extension [FormulaTerm] {
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
    fileprivate func length(
        _ known: [String: Int?], at place: JSONNode, _ problems: inout DocumentProblems
    ) -> Int? {
        switch self {
        case .octets(let octets): return octets.count
        case .variable(let name, let range):
            let width = width(of: name, known, at: place, &problems)
            if let range, let width, range.upperBound > width {
                problems.add(
                    place, found: "bytes up to \(range.upperBound) of \(name)", expected: "\(width)")
            }
            return range?.count ?? width
        case .earlier(let name, let by):
            by.check(known, at: place, &problems)
            return width(of: name, known, at: place, &problems)
        case .function(let function, let key, let terms):
            let input = terms.check(known, at: place, &problems)
            let keyOctets = key.check(known, at: place, &problems)
            guard let function else { return input }
            function.check(input: input, key: keyOctets, at: place, &problems)
            return function.octets(of: input)
        case .part(let term, let range):
            if let width = term.length(known, at: place, &problems), range.upperBound > width {
                problems.add(
                    place, found: "bytes up to \(range.upperBound) of a term", expected: "\(width)")
            }
            return range.count
        case .reversed(let term): return term.length(known, at: place, &problems)
        case .either(let term, let other):
            let length = term.length(known, at: place, &problems)
            let replaced = other.length(known, at: place, &problems)
            return length == replaced ? length : nil
        }
    }

    private func width(
        of name: String, _ known: [String: Int?], at place: JSONNode, _ problems: inout DocumentProblems
    ) -> Int? {
        guard let width = known[name] else {
            let names = known.keys.sorted().joined(separator: ", ")
            problems.add(place, found: "the value \"\(name.prefix(40))\"", expected: "one of \(names)")
            return nil
        }
        return width
    }

    /// Reads a term: `text`, `hex`, `use` or `of`, with the part that is used, its order and its replacement.
    init?(_ node: JSONNode, _ problems: inout DocumentProblems) {
        guard var object = JSONObjectReader(node, &problems) else { return nil }
        let text = object.string("text", &problems)
        let octets = object.octets("hex", 1...64, &problems)
        let name = object.string("use", &problems)
        let by = object.terms("by", &problems)
        let concatenated = object.terms("of", &problems)
        let function: TermFunction? = object.choice("function", &problems)
        let key = object.terms("key", &problems)
        let from = object.integer("from", 0...512, &problems)
        let to = object.integer("to", 1...512, &problems)
        let isReversed = object.bool("reversed", &problems) ?? false
        let other = object.member("or", &problems).flatMap { FormulaTerm($0, &problems) }
        object.finish(&problems)
        var terms: [FormulaTerm] = []
        if let text { terms.append(.octets(Array(text.utf8))) }
        if let octets { terms.append(.octets(octets)) }
        let isEarlier = name?.hasPrefix(FormulaVariables.earlierPrefix) == true
        if by != nil && !isEarlier || concatenated == nil && function != nil
            || function == nil && key != nil
        {
            problems.add(
                node, found: by != nil ? "by" : function != nil ? "a function" : "a key",
                expected: by != nil
                    ? "it beside the \"use\" of \(FormulaVariables.earlierPrefix)…"
                    : function != nil ? "\"of\" beside it" : "a function that takes it")
        }
        if let name { terms.append(isEarlier ? .earlier(name, by: by ?? []) : .variable(name, nil)) }
        if let concatenated { terms.append(.function(function, key: key ?? [], of: concatenated)) }
        if name == nil, concatenated == nil, from != nil || to != nil || isReversed || other != nil {
            problems.add(
                node, found: "a part of a constant",
                expected: "from, to, reversed and or beside \"use\" or \"of\" alone")
        }
        if terms.count != 1 {
            problems.add(node, found: "\(terms.count) of text, hex, use and of", expected: "one of them")
        }
        guard var term = terms.first else { return nil }
        if from != nil || to != nil {
            guard let to, (from ?? 0) < to else {
                problems.add(node, found: "a part without an end after its start", expected: "from < to")
                return nil
            }
            let range = Int(from ?? 0)..<Int(to)
            term =
                if case .variable(let name, _) = term { .variable(name, range) } else {
                    .part(of: term, range)
                }
        }
        if isReversed { term = .reversed(term) }
        if let other { term = .either(term, or: other) }
        self = term
    }
}

extension TermFunction {
    /// Adds the reasons why it can't take an input and a key of these lengths, in bytes; nil for one that
    /// varies.
    fileprivate func check(
        input: Int?, key: Int?, at place: JSONNode, _ problems: inout DocumentProblems
    ) {
        let wanted = keyOctets
        if key.map({ !wanted.contains($0) }) ?? (wanted.upperBound == 0) {
            let found = key.map { "a key of \($0.counting("byte"))" } ?? "a key"
            let least = wanted.lowerBound.counting("byte")
            let expected =
                wanted.upperBound == 0 ? "no key" : wanted.count == 1 ? least : "\(least) or more"
            problems.add(place, found: found, expected: "\(expected) for \(rawValue)")
        }
        if let input, !inputOctets.contains(input) {
            let expected = inputOctets.upperBound.counting("byte")
            problems.add(place, found: input.counting("byte"), expected: "\(expected) for \(rawValue)")
        }
    }
}

extension JSONObjectReader {
    /// Reads a concatenation; nil if it is absent.
    public mutating func terms(_ name: String, _ problems: inout DocumentProblems) -> [FormulaTerm]? {
        array(name, &problems)?.compactMap { FormulaTerm($0, &problems) }
    }
}
