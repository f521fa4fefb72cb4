/// Reads headers and checksums described in files.
public enum HeaderDocument {
    /// Reads the member `fields` of an object: `[{"role", "bits", "equals"?}]`, with the role names in
    /// `roles`.
    public static func header(
        _ object: inout JSONObjectReader, _ roles: KeyValuePairs<String, HeaderRole>, _ order: OctetOrder,
        _ problems: inout DocumentProblems
    ) -> HeaderFormat {
        var fields: [HeaderField] = []
        var position = 0
        for node in object.array("fields", required: true, &problems) ?? [] {
            guard var field = JSONObjectReader(node, &problems) else { continue }
            let role = field.choice("role", roles, required: true, &problems)
            let bits = Int(field.integer("bits", 1...64, required: true, &problems) ?? 8)
            let constant = field.code("equals", limit: HeaderFormat.mask(bits), &problems)
            field.finish(&problems)
            guard let role else { continue }
            check(role, bits: bits, constant: constant, at: position, fields, node, &problems)
            fields.append(HeaderField(role, bits: bits, constant: constant))
            position += bits
        }
        if position == 0 || position % 8 != 0 || position > 8 * 32 {
            problems.add(
                object.node, found: "a header of \(position) bits", expected: "1 to 32 whole bytes")
        }
        return HeaderFormat(fields, order: order)
    }

    private static func check(
        _ role: HeaderRole, bits: Int, constant: UInt64?, at position: Int, _ fields: [HeaderField],
        _ node: JSONNode, _ problems: inout DocumentProblems
    ) {
        let isWhole = position % 8 == 0 && bits % 8 == 0
        if !isWhole && position / 8 != (position + bits - 1) / 8 {
            problems.add(
                node, found: "a field across a byte boundary",
                expected: "whole bytes, or bits within one byte")
        }
        if role != .reserved && fields.contains(where: { $0.role == role }) {
            problems.add(node, found: "a role a second time", expected: "each role once")
        }
        let needsConstant = role == .reserved || role == .magic || role == .version
        if needsConstant != (constant != nil) {
            problems.add(
                node, found: needsConstant ? "no \"equals\"" : "\"equals\"",
                expected: needsConstant ? "the value that it must have" : "none: its value varies")
        }
    }
}

extension JSONObjectReader {
    /// Reads the member `name`: the name of a checksum in the catalogue.
    public mutating func checksum(_ problems: inout DocumentProblems) -> Checksum? {
        guard let node = member("name", required: true, &problems), let name = node.string(&problems) else {
            return nil
        }
        if let checksum = Checksum.named(name) { return checksum }
        let names = Checksum.catalogue.map(\.name).joined(separator: ", ")
        problems.add(node, found: "\"\(name.prefix(40))\"", expected: "one of \(names)")
        return nil
    }
}
