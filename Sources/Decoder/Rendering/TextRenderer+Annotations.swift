import Analysis
import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

// Annotations by protocols above ATT, below the line of their frame.

extension TextRenderer {
    mutating func annotationLines(_ annotations: [Annotation], _ analyzer: borrowing Analyzer) {
        for (index, annotation) in annotations.enumerated() {
            out.fill(0x20, count: columns.below)
            tint(.annotation)
            annotation.put(line: &out)
            let details = annotation.details
            if let state = details.session { put(session: state, analyzer.frame.link) }
            if let frame = details.requestFrame {
                out.put("  (to ")
                out.put(FramePlace(bits: frame), from: analyzer.frame.place.file)
                put(duration: details.latency ?? 0, after: ", ")
                out.put(")")
            }
            untint()
            endLine()
            fields(Self.remaining(details, isPlaced: placedAnnotations.contains(index)))
        }
    }

    /// Returns the fields that are not shown with their bytes.
    private static func remaining(_ details: AnnotationDetails, isPlaced: Bool) -> [DecodedField] {
        isPlaced ? details.fields.filter(\.range.isEmpty) : details.fields
    }

    /// Whether the lines of annotations have more than their summaries.
    func sayMore(_ annotations: [Annotation]) -> Bool {
        annotations.enumerated().contains { place, annotation in
            let details = annotation.details
            return details.session != nil || details.requestFrame != nil
                || !Self.remaining(details, isPlaced: placedAnnotations.contains(place)).isEmpty
        }
    }

    /// Writes the session's state if it changed.
    private mutating func put(session state: String, _ link: Int) {
        if let shownSession, shownSession.link == link, shownSession.state == state { return }
        shownSession = (link, state)
        out.put(", session ")
        out.put(state)
    }

    mutating func fields(_ fields: [DecodedField]) {
        guard !fields.isEmpty else { return }
        out.fill(0x20, count: columns.belowMeaning)
        var isFirst = true
        for field in fields {
            let end = out.count
            if !isFirst { out.put("  ") }
            let start = out.count
            put(field)
            // A field that does not fit continues on the next line.
            if !isFirst, isTooLong {
                let text = out.copied(from: start)
                out.truncate(to: end)
                endLine()
                out.fill(0x20, count: columns.belowMeaning)
                out.put(text)
            }
            isFirst = false
        }
        endLine()
    }

    /// Writes the fields of a frame's annotations one after the other, including those of advertisers.
    mutating func fields(of record: borrowing Record, _ analyzer: borrowing Analyzer) {
        for annotation in analyzer.annotations { fields(of: annotation) }
        guard analyzer.frame.reports > 0, analyzer.mayAdvertiseProtocol(record) else { return }
        for annotation in analyzer.advertised(in: record) {
            annotation.put(line: &out)
            out.put(0x20)
            fields(of: annotation)
        }
    }

    private mutating func fields(of annotation: Annotation) {
        for field in annotation.details.fields {
            put(field)
            out.put(0x20)
        }
    }

    private mutating func put(_ field: DecodedField) {
        put(printable: field.name)
        out.put(0x3D)
        put(valueOf: field)
    }

    /// Writes a field without its name.
    mutating func put(valueOf field: DecodedField) {
        put(field.value)
        if let unit = field.unit {
            if unit != "%" { out.put(0x20) }
            put(printable: unit)
        }
    }

    private mutating func put(_ value: AnnotationValue) {
        switch value {
        case .unsigned(let value): out.decimal(value)
        case .signed(let value): out.decimal(Int(value))
        case .decimal(let value): out.put(value.description)
        case .hex(let value, let digits): out.hexNumber(value, digits: digits)
        case .octets(let octets): out.hexOctets(octets.borrowedOctets)
        case .text(let text):
            out.put(0x22)
            put(printable: text)
            out.put(0x22)
        case .bool(let value): out.put(value ? "yes" : "no")
        case .named(let value, let name):
            out.decimal(value)
            if let name {
                out.put("(")
                put(printable: name)
                out.put(")")
            }
        case .flags(let value, let names):
            out.hexNumber(value, digits: 2)
            guard !names.isEmpty else { return }
            out.put("(")
            put(printable: names.joined(separator: "|"))
            out.put(")")
        case .numbers(let numbers):
            for (index, number) in numbers.enumerated() {
                if index > 0 { out.put(0x2C) }
                out.decimal(number)
            }
        case .group(let fields):
            out.put("{")
            for (index, field) in fields.enumerated() {
                if index > 0 { out.put(0x20) }
                put(field)
            }
            out.put("}")
        case .list(let elements):
            out.put("[")
            for (index, fields) in elements.enumerated() {
                if index > 0 { out.put("; ") }
                // With only one field, the list's name suffices.
                if fields.count == 1, let only = fields.first {
                    put(valueOf: only)
                } else {
                    put(.group(fields))
                }
            }
            out.put("]")
        }
    }

    /// Writes text that may be untrusted, made safe for a terminal.
    mutating func put(printable text: String) { out.escaped(text) }
}

// Comments that a person added to a packet, such as "pressed unlock" in Wireshark.

extension TextRenderer {
    /// Whether a person commented on the packet; comments written by `blecap annotate` don't count.
    func hasComment(_ record: borrowing Record) -> Bool {
        guard record.options.byteCount > 0 else { return false }
        var found = false
        record.forEachComment { if !AnnotationComment.isOne($0) { found = true } }
        return found
    }

    /// Prints a line for each comment on the packet.
    mutating func commentLines(_ record: borrowing Record) {
        guard record.options.byteCount > 0 else { return }
        record.forEachComment { comment in
            guard !AnnotationComment.isOne(comment) else { return }
            out.fill(0x20, count: columns.below)
            tint(.annotation)
            out.put("comment \"")
            out.escaped(comment)
            out.put(0x22)
            untint()
            endLine()
        }
    }
}

// Problems, one line each below their frame.

extension TextRenderer {
    mutating func problemLines(_ problems: [Problem]) {
        for problem in problems where !problem.wasReportedBefore { problemLine(problem) }
    }

    private mutating func problemLine(_ problem: Problem) {
        out.fill(0x20, count: columns.below)
        let severity = problem.severity
        tint(severity >= .error ? .error : severity == .warning ? .warning : .folded)
        out.put(severity == .note ? "- " : "! ")
        let room = (options.width ?? .max) - columns.below - 2
        for (index, line) in problem.line.wrapped(to: max(20, room)).enumerated() {
            if index > 0 {
                endLine()
                out.fill(0x20, count: columns.below + 2)
            }
            out.put(line)
        }
        untint()
        endLine()
    }
}

// Lines that go on below.

extension TextRenderer {
    /// Bytes that a continuation has at least: no unit stands there alone.
    private static let leastRemainder = 5

    /// Continues the current line below, from its last space that fits; returns false if it has none.
    mutating func continueBelow(_ width: Int) -> Bool {
        var least = columns.folded
        while let end = out.octets.dropping(lineStart).lastColumn(of: width) {
            let line = out.copied(from: lineStart)
            guard let space = line[...min(end, line.count - Self.leastRemainder)].lastIndex(of: 0x20),
                space >= least,
                let last = line[..<space].lastIndex(where: { $0 != 0x20 })
            else { return false }
            out.truncate(to: lineStart &+ last &+ 1)
            out.put(0x0A)
            lineStart = out.count
            out.fill(0x20, count: columns.below + 2)
            out.put(Array(line[(space + 1)...]))
            least = columns.below + 3
        }
        return true
    }
}

extension [Annotation] {
    /// Appends their summary lines with commas between.
    func put(summaries out: inout TextBuffer) {
        for (place, annotation) in enumerated() {
            if place > 0 { out.put(", ") }
            annotation.put(line: &out)
        }
    }
}
