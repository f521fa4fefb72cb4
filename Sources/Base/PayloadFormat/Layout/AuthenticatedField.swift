import WireBytes

// Bytes in clear that a tag covers.

extension [DecodedField] {
    /// The name of the result of the check of a tag, among the fields that the tag covers.
    static let authenticity = "authenticity"

    /// The fields without the result of the check of their tag.
    fileprivate var withoutAuthenticity: [DecodedField] {
        first?.name == Self.authenticity ? Array(dropFirst()) : self
    }
}

extension [FieldCipher] {
    /// Returns the cipher of a member in a message with these members: the first whose tag is there, or that
    /// has none; nil if the member is in clear.
    func applied(in members: [DecodedField]) -> FieldCipher? {
        first { cipher in cipher.tag.map { members.value(at: $0) != nil } ?? true }
    }
}

extension DecodedField {
    /// Adds the result of the check of its tag to its fields, or to its bytes; returns the deviation if the
    /// tag is another one.
    ///
    /// - Parameters:
    ///   - octets: its bytes.
    ///   - values: the values that the cipher's terms name.
    ///   - path: its name, after those of the fields around it.
    mutating func check(
        _ octets: [UInt8], _ cipher: FieldCipher, _ values: FormulaVariables, _ keys: FieldKeys?, path: String
    ) -> Misfit? {
        var fields = [DecodedField([DecodedField].unopened, .octets(octets), range: range)]
        if case .group(let inner) = value { fields = inner }
        let failure = cipher.failure(of: octets, values, keys)
        let result =
            switch failure {
            case nil: "right"
            case let failure?: (failure.isCertain ? "not right; " : "not checked; ") + failure.reason
            }
        fields.insert(DecodedField([DecodedField].authenticity, .text(result)), at: 0)
        value = .group(fields)
        guard failure?.isCertain == true else { return nil }
        let tag = cipher.tag.flatMap { values[$0] } ?? []
        return Misfit(
            check: "tag", field: path, offset: range.lowerBound, expected: "a tag that fits its bytes",
            found: Hex.text(tag))
    }

    /// Returns the bytes or the fields that are written of a value with ciphers.
    ///
    /// - Parameter members: the members of its message.
    func written(
        by ciphers: [FieldCipher], in members: [DecodedField], path: String
    ) throws(LayoutError) -> AnnotationValue {
        guard case .group(let fields) = value else { return value }
        if let octets = fields.unopenedOctets { return .octets(octets) }
        if ciphers.applied(in: members)?.encrypts == true { throw .encrypted(path) }
        let content = fields.withoutAuthenticity
        if content.count == 1, content.count < fields.count, content[0].name == [DecodedField].unopened,
            case .octets = content[0].value
        {
            return content[0].value
        }
        return .group(content)
    }
}
