/// Escapes text for XML and HTML.
public enum Markup {
    /// Escapes untrusted text for an element or a quoted attribute.
    ///
    /// Line ends stay; characters that a page or a terminal would obey are escaped as in text.
    public static func escaped(_ text: String) -> String {
        var visible = TextBuffer(capacity: text.utf8.count + 16)
        visible.visible(text, keepsLines: true)
        var result = ""
        for scalar in visible.text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
