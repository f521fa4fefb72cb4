public import Analysis
public import CaptureFile
import WireBytes

/// Writes packets as pcapng, each with its meaning as packet comment (`frame.comment` in Wireshark). The
/// comment replaces an earlier annotation.
public struct PcapngRenderer: ~Copyable {
    private var writer: CaptureWriter
    /// The writer of the lines that text output has, without the columns that a packet has itself.
    private var lines = TextRenderer()
    private var comment = TextBuffer(capacity: 4096)
    private var queue = PacketQueue()
    /// Whether the packets come from several files: frame numbers then follow the file's number, as in
    /// `2:74`.
    public var namesFile = false {
        didSet { lines.options.namesFile = namesFile }
    }

    /// Creates a renderer that writes with `writer`, whose format must be pcapng.
    public init(_ writer: consuming CaptureWriter) { self.writer = writer }

    /// Data of the records that pcapng can't hold.
    public var loss: ConversionLoss { writer.loss }

    /// Whether some adapters' packets are written as another adapter's, because there are too many adapters.
    public var hasMixedAdapters: Bool { writer.hasMixedAdapters }

    /// Writes the record with the meaning of the analyzer's last frame.
    ///
    /// - Parameter isChosen: whether the record itself is selected. Another record is written only if a
    ///   selected PDU was sent in it.
    public mutating func render(
        _ record: borrowing Record, _ analyzer: borrowing Analyzer, isChosen: Bool = true
    ) throws(CaptureFileError) {
        // An unselected frame is only written later if it is a fragment.
        if isChosen || analyzer.frame.fold == .fragment {
            describe(record, analyzer)
        } else {
            comment.clear()
        }
        let isInferred = analyzer.frame.directionIsInferred
        let directed = isInferred ? record.with(analyzer.frame.direction) : copy record
        try Self.write(directed, comment, isChosen: isChosen, analyzer, &queue, &writer)
    }

    private static func write(
        _ record: borrowing Record, _ comment: borrowing TextBuffer, isChosen: Bool,
        _ analyzer: borrowing Analyzer, _ queue: inout PacketQueue, _ writer: inout CaptureWriter
    ) throws(CaptureFileError) {
        try queue.take(record, comment: comment.octets, isChosen: isChosen, analyzer) {
            record, comment throws(CaptureFileError) in
            try writer.write(record, comment: comment)
        }
    }

    /// Writes the remaining packets at the end of the input.
    public mutating func end() throws(CaptureFileError) { try Self.end(&queue, &writer) }

    private static func end(
        _ queue: inout PacketQueue, _ writer: inout CaptureWriter
    ) throws(CaptureFileError) {
        try queue.finish { record, comment throws(CaptureFileError) in
            try writer.write(record, comment: comment)
        }
    }

    /// Declares that writing must end soon: a blocked pipe is then abandoned.
    public mutating func endSoon() { writer.hasToEnd() }

    /// Passes all packets written so far to the operating system.
    public mutating func flush() throws(CaptureFileError) { try writer.flush() }

    /// Writes the comment: the mark of an annotation, the frame's number in its file (pcapng may hold fewer
    /// records), the meaning, and a line for each annotation and problem.
    mutating func describe(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        comment.clear()
        comment.put(AnnotationComment.mark)
        if namesFile {
            comment.decimal(Int(analyzer.frame.header.file) + 1)
            comment.put(0x3A)
        }
        comment.decimal(record.header.number)
        comment.put(0x20)
        lines.out.clear()
        // Each comment stands alone, so it includes the session's state.
        lines.shownSession = nil
        lines.meaning(record, analyzer)
        lines.out.put(0x0A)
        lines.joinedLines(analyzer)
        if analyzer.frame.reports > 0 { lines.advertisingLines(record, analyzer) }
        if !analyzer.annotations.isEmpty { lines.annotationLines(analyzer.annotations, analyzer) }
        if !analyzer.problems.isEmpty { lines.problemLines(analyzer.problems) }
        if analyzer.frame.directionIsInferred { lines.out.put("direction inferred\n") }
        Self.compact(lines.out, into: &comment)
    }

    /// Copies lines without alignment spaces, and without the last line's end.
    static func compact(_ lines: borrowing TextBuffer, into out: inout TextBuffer) {
        let octets = lines.octets
        var index = 0
        while index < octets.byteCount {
            if index > 0 { out.put(0x0A) }
            index = skipSpaces(octets, index)
            index = copyWord(octets, index, into: &out)
            let next = skipSpaces(octets, index)
            if next > index, octets.octet(at: next) != 0x0A { out.put(0x20) }
            index = next
            while let octet = octets.octet(at: index), octet != 0x0A {
                out.put(octet)
                index += 1
            }
            index += 1
        }
    }

    private static func skipSpaces(_ octets: RawSpan, _ start: Int) -> Int {
        var index = start
        while octets.octet(at: index) == 0x20 { index += 1 }
        return index
    }

    private static func copyWord(_ octets: RawSpan, _ start: Int, into out: inout TextBuffer) -> Int {
        var index = start
        while let octet = octets.octet(at: index), octet != 0x20, octet != 0x0A {
            out.put(octet)
            index += 1
        }
        return index
    }
}
