struct ValueNames {
    /// The values that have a name, and whether they mean a refusal.
    var codes: [(code: UInt64, name: String, isRefusal: Bool)] = []
    /// The name of all other values; nil if they have none.
    var other: (name: String, isRefusal: Bool)?
}

extension JSONNode {
    /// Reads the names of codes up to `limit`, perhaps with those that mean a refusal, and that of all
    /// others.
    func names(
        limit: UInt64, takesRefusals: Bool, _ problems: inout DocumentProblems
    ) -> ValueNames {
        var names = ValueNames()
        guard case .object(let members) = value, !members.isEmpty else {
            problems.kind(self, expected: "an object of names, not empty")
            return names
        }
        for member in members where member.name != "comment" {
            let isDefault = takesRefusals && member.name == "default" && names.other == nil
            let code = JSONNode.code(member.name).flatMap { code in
                code <= limit && !names.codes.contains { $0.code == code } ? code : nil
            }
            guard isDefault || code != nil else {
                problems.add(
                    member.node, found: "the key \"\(member.name.prefix(40))\"",
                    expected: "a number or 0x… up to \(limit), once" + (takesRefusals ? ", or default" : ""))
                continue
            }
            var name: String?
            var isRefusal = false
            if takesRefusals, case .object = member.node.value,
                var object = JSONObjectReader(member.node, &problems)
            {
                name = object.string("name", required: true, &problems)
                isRefusal = object.bool("refusal", &problems) ?? false
                object.finish(&problems)
            } else {
                name = member.node.string(&problems)
            }
            guard let name else { continue }
            if let code {
                names.codes.append((code, name, isRefusal))
            } else {
                names.other = (name, isRefusal)
            }
        }
        return names
    }
}
