/// Escapes text for XML and HTML.
public enum Markup {
    /// Escapes untrusted text for an element or a quoted attribute.
    ///
    /// Characters that XML can't hold become question marks.
    public static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            default: result.unicodeScalars.append(scalar.value < 0x20 || scalar.value == 0x7F ? "?" : scalar)
            }
        }
        return result
    }
}
