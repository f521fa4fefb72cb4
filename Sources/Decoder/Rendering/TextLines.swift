import WireBytes

/// Lines wrapped to a width, for text that is written once in a run.
struct TextLines: Sendable {
    /// Columns of a line.
    let width: Int
    /// Whether escape sequences for color are written.
    let usesColor: Bool
    /// Whether advice names the command and its options.
    let namesCommand: Bool
    /// The lines, without color sequences; a long word may exceed the width.
    private(set) var lines: [String] = []
    private var tints: [TextTint?] = []

    init(_ style: Verdict.Style) {
        width = style.width
        usesColor = style.usesColor
        namesCommand = style.namesCommand
    }

    /// Adds text, wrapped into lines of which the further ones are indented. File names and other untrusted
    /// text are made safe for a terminal.
    mutating func add(_ text: String, indent: Int = 2, tint: TextTint? = nil) {
        for line in text.visible.wrapped(to: width, indent: indent) {
            lines.append(line)
            tints.append(tint)
        }
    }

    /// Adds a heading and its steps; a step stays on one line if it fits.
    mutating func add(_ heading: String, _ steps: [String], separator: String, indent: Int = 2) {
        var line = heading
        var isEmpty = heading.utf8.allSatisfy { $0 == 0x20 }
        let end = separator.trimmedAtEnd
        for (index, step) in steps.enumerated() {
            let before = index > 0 ? separator : ""
            let rest = index + 1 < steps.count ? end.columns : 0
            if !isEmpty, line.columns + before.columns + step.columns + rest > width {
                let hasRoom = index > 0 && line.columns + end.columns <= width
                add(line.trimmedAtEnd + (hasRoom ? end : ""), indent: indent)
                line = String(repeating: " ", count: indent) + step
            } else {
                line += before + step
            }
            isEmpty = false
        }
        add(line.trimmedAtEnd, indent: indent)
    }

    mutating func add(_ other: TextLines) {
        lines += other.lines
        tints += other.tints
    }

    func put(into out: inout TextBuffer) {
        for (line, tint) in zip(lines, tints) {
            if usesColor, let tint { out.put(tint.sequence) }
            out.put(line)
            if usesColor, tint != nil { out.put(TextTint.end) }
            out.put(0x0A)
        }
    }
}

/// The kind of a part of the output, which determines its color.
enum TextTint {
    case error, warning, folded, annotation, good

    /// Resets the color.
    static let end: StaticText = "\u{1B}[0m"

    var sequence: StaticText {
        switch self {
        case .error: "\u{1B}[31m"
        case .warning: "\u{1B}[33m"
        case .folded: "\u{1B}[2m"
        case .annotation: "\u{1B}[36m"
        case .good: "\u{1B}[32m"
        }
    }
}

extension String {
    /// Number of columns that the string takes on a terminal.
    public var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }

    /// Returns the first columns, and the rest; both are whole characters.
    public func divided(at columns: Int) -> (head: String, rest: String) {
        let end = unicodeScalars[...].index(after: columns) ?? unicodeScalars.endIndex
        return (String(unicodeScalars[..<end]), String(unicodeScalars[end...]))
    }

    fileprivate var trimmedAtEnd: String {
        var text = self
        while text.utf8.last == 0x20 { text.unicodeScalars.removeLast() }
        return text
    }

    /// Creates the text that `body` writes.
    init(_ body: (inout TextBuffer) -> Void) {
        var out = TextBuffer(capacity: 128)
        body(&out)
        self = out.text
    }

    /// Creates text from untrusted bytes, made safe for a terminal.
    init(escaped octets: some Sequence<UInt8>) { self.init { $0.escaped(Array(octets).borrowedOctets) } }

    /// Creates the text of a number with `0x` and at least `digits` digits.
    public init(hex number: UInt64, digits: Int) { self.init { $0.hexNumber(number, digits: digits) } }

    /// Returns the words in lines of at most `columns` columns; a longer word has its own line. Lines after
    /// the first are indented.
    public func wrapped(to columns: Int, indent: Int = 0) -> [String] {
        if utf8.count <= columns { return [self] }
        var lines: [String] = []
        var rest = unicodeScalars[...]
        while let end = rest.index(after: columns), let start = rest.firstIndex(where: { $0 != " " }) {
            let space =
                (start < end ? rest[start...end].lastIndex(of: " ") : nil)
                ?? rest[Swift.max(start, end)...].firstIndex(of: " ")
            guard let space else { break }
            lines.append(String(rest[..<space]).trimmedAtEnd)
            rest =
                (String(repeating: " ", count: indent) + String(rest[space...].drop { $0 == " " }))
                .unicodeScalars[...]
        }
        return lines + [String(rest)]
    }
}

extension Substring.UnicodeScalarView {
    /// Returns the index of the first scalar that does not fit into so many columns; nil if all fit.
    fileprivate func index(after columns: Int) -> Index? {
        var left = columns
        return firstIndex { scalar in
            left -= scalar.columns
            return left < 0
        }
    }
}

extension Unicode.Scalar {
    /// Columns that it takes on a terminal: 2 for East Asian characters and emoji, 0 for marks above others.
    var columns: Int {
        guard value >= 0x300 else { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return properties.isEmojiPresentation || Self.wide.contains { $0.contains(value) } ? 2 : 1
        }
    }

    /// The scalars that take two columns (Unicode Standard Annex 11), without emoji.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x17000...0x18DFF,
        0x1B000...0x1B2FF, 0x20000...0x3FFFD,
    ]
}

extension RawSpan {
    /// Returns the index at which the last of `width` columns begins; nil if everything fits.
    func lastColumn(of width: Int) -> Int? {
        // Most lines are plain ASCII up to the place of the cut.
        var (column, at, last) = (0, 0, 0)
        while at &+ 8 < min(width, byteCount), word(at: at).isPlain { at &+= 8 }
        (column, last) = (at, at)
        while let octet = octet(at: at) {
            if octet == 0x1B {
                // A color sequence takes no columns.
                while let next = self.octet(at: at), next != 0x6D { at &+= 1 }
            } else if octet & 0xC0 != 0x80 {
                let taken = octet < 0xC0 ? 1 : scalar(at: at)?.columns ?? 1
                if column < width, column &+ taken >= width { last = at }
                column &+= taken
                if column > width { return last }
            }
            at &+= 1
        }
        return nil
    }

    /// Returns the scalar whose UTF-8 sequence of several bytes begins here; nil at the end.
    private func scalar(at place: Int) -> Unicode.Scalar? {
        guard let lead = octet(at: place) else { return nil }
        let further = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1
        var value = UInt32(lead) & 0x3F >> UInt32(further)
        for index in 1...further {
            guard let next = octet(at: place &+ index) else { return nil }
            value = value << 6 | UInt32(next & 0x3F)
        }
        return Unicode.Scalar(value)
    }
}

extension UInt64 {
    /// Whether all eight bytes are ASCII other than Escape.
    fileprivate var isPlain: Bool {
        let others = self ^ 0x1B1B_1B1B_1B1B_1B1B
        let escapes = (others &- 0x0101_0101_0101_0101) & ~others
        return (self | escapes) & 0x8080_8080_8080_8080 == 0
    }
}
