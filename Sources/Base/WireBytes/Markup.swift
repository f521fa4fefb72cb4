/// Escapes text for XML and HTML.
public enum Markup {
    /// A stranger's text as the content of an element or an attribute in quotation marks. Line ends stay;
    /// what a page or a terminal would obey is escaped as in text.
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
