import PayloadFormat

/// The values of a link's messages that ciphers of later messages may use, of each profile.
struct ProfileMemory: Sendable {
    private var values: [Int: FormulaVariables] = [:]

    /// Returns the values of a profile, by its number in the set.
    subscript(profile: Int) -> FormulaVariables { values[profile] ?? FormulaVariables() }

    /// Keeps the values that a message which fits is to be remembered by.
    mutating func remember(_ decoding: ProfileDecoding, of frame: [UInt8], _ profile: Int) {
        guard let message = decoding.message, decoding.misfits.isEmpty else { return }
        for one in message.remembered {
            var own = FormulaVariables()
            let paths = (one.value + one.by).flatMap(\.names)
            own.add(decoding.fields, of: frame[decoding.body], paths: paths)
            guard let value = try? one.value.concatenation(own), let by = try? one.by.concatenation(own)
            else { continue }
            values[profile, default: FormulaVariables()].remember(value, as: one.name, by: by)
        }
    }
}
