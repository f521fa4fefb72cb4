import Foundation

/// A format of `os_log`: that of `String(format:)`, with a privacy in braces.
struct LogFormat {
    private let format: String

    init(_ format: String) { self.format = format }

    /// Formats the line with its values.
    ///
    /// Strings and objects are shown only if the format says `public`.
    func text(_ arguments: [any CVarArg]) -> String {
        var plain = ""
        var shown = arguments
        var next = 0
        var rest = Substring(format)
        while let percent = rest.firstIndex(of: "%") {
            plain += rest[..<percent]
            rest = rest[percent...].dropFirst()
            if rest.first == "%" {
                plain += "%%"
                rest = rest.dropFirst()
                continue
            }
            var privacy: Substring = ""
            if rest.first == "{", let end = rest.firstIndex(of: "}") {
                privacy = rest[..<end].dropFirst()
                rest = rest[end...].dropFirst()
            }
            let end = rest.firstIndex { $0.isLetter && !"hlqLztj".contains($0) || $0 == "@" } ?? rest.endIndex
            let kind = end < rest.endIndex ? rest[end] : " "
            let isObject = kind == "@" || kind == "s"
            guard next < arguments.count, end < rest.endIndex else {
                plain += "%%"
                continue
            }
            if privacy.contains("private") || isObject && !privacy.contains("public") {
                plain += OSLog.hidden
                shown.remove(at: next - (arguments.count - shown.count))
            } else {
                // A C string is passed as a string object here.
                plain += "%" + (kind == "s" ? "@" : rest[...end])
            }
            next += 1
            rest = rest[end...].dropFirst()
        }
        return String(format: plain + rest, arguments: shown)
    }
}
