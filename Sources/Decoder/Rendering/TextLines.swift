import WireBytes

/// Lines wrapped to a width, for text that is written once in a run.
struct TextLines: Sendable {
    /// Columns of a line.
    let width: Int
    /// Whether escape sequences for color are written.
    let usesColor: Bool
    /// The lines, without color sequences; a long word may exceed the width.
    private(set) var lines: [String] = []
    private var tints: [TextTint?] = []

    init(_ style: Verdict.Style) {
        width = style.width
        usesColor = style.usesColor
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

extension String {
    /// Number of columns that the string takes.
    public var columns: Int { unicodeScalars.count }

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
        while rest.count > columns, let start = rest.firstIndex(where: { $0 != " " }) {
            let end = rest.index(rest.startIndex, offsetBy: columns)
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
