extension CommandTable {
    /// The manual page of section 1, in roff's `man` macros.
    public var manual: String {
        var text = ".TH \(program.uppercased()) 1 \"\" \"\(program) \(version)\" \"User Commands\"\n"
        text += ".SH NAME\n\(program) \\- \(Self.roff(summary))\n"
        text += ".SH SYNOPSIS\n.B \(program)\n.I COMMAND\n.RI [ OPTION ]...\n.RI [ FILE ]...\n"
        text += ".SH COMMANDS\n"
        for row in commands {
            text += ".SS \(Self.roff("\(program) \(row.name) [OPTION]... \(row.operands)"))\n"
            for paragraph in [row.summary] + row.details { text += ".PP\n\(Self.roff(paragraph))\n" }
            for (heading, rows) in groups(of: row.name) {
                text += ".PP\n\(Self.roff(heading)):\n"
                for option in rows {
                    text += ".TP\n.B \(Self.roff(option.spelling.drop { $0 == " " }))\n"
                    text += "\(Self.roff(option.fullHelp))\n"
                }
            }
            guard !row.examples.isEmpty else { continue }
            text += ".PP\nExamples:\n"
            for example in row.examples { text += ".PP\n.nf\n\(Self.roff(example))\n.fi\n" }
        }
        text += ".SH EXIT STATUS\n"
        for (status, meaning) in statuses { text += ".TP\n.B \(status.rawValue)\n\(Self.roff(meaning))\n" }
        return text
    }

    /// The scalar's number as roff has it: upper case, at least four digits.
    private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// Text that roff prints as it is.
    private static func roff(_ text: some StringProtocol) -> String {
        var escaped = String(text).replacing("\\", with: "\\e").replacing("-", with: "\\-")
        // Not every roff reads UTF-8.
        escaped = String(
            escaped.unicodeScalars.flatMap { scalar in
                scalar.isASCII ? [Character(scalar)] : Array("\\[u\(hexadecimal(scalar))]")
            })
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : String(escaped)
    }
}
