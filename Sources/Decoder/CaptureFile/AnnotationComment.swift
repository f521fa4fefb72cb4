import WireBytes

/// The packet comments that an annotation writes into a pcapng file.
///
/// They start with the program's name, a number sign and the frame number, preceded by the file number where
/// several files were read: `blecap #148 ` or `blecap #2:148 `. This prefix distinguishes them from other
/// comments.
public enum AnnotationComment {
    /// Text before the frame number.
    public static let mark: StaticText = "blecap #"

    /// Whether an annotation wrote this comment.
    public static func isOne(_ comment: RawSpan) -> Bool {
        let start = mark.octets
        guard comment.clamped(0..<start.byteCount).elementsEqual(start) else { return false }
        var at = digits(comment, from: start.byteCount)
        guard at > start.byteCount else { return false }
        if comment.octet(at: at) == 0x3A {
            let end = digits(comment, from: at &+ 1)
            guard end > at &+ 1 else { return false }
            at = end
        }
        return comment.octet(at: at) == 0x20
    }

    /// The index after the digits that start at `start`.
    private static func digits(_ comment: RawSpan, from start: Int) -> Int {
        var at = start
        while let digit = comment.octet(at: at), (0x30...0x39).contains(digit) { at &+= 1 }
        return at
    }
}
