import Analysis
import CaptureFile
import CommandLineKit
import WireBytes

/// One pass over the input files: every record is analysed, and those that pass the filter are rendered.
struct AnalysisPass: ~Copyable {
    /// Octets of output that are written at once.
    static let chunk = 1 << 16

    /// The files, in the order in which they were given.
    let paths: [String]
    var analyzer: Analyzer
    /// What the files say about themselves; those that could not be opened are left out.
    var infos: [CaptureInfo] = []
    /// Where the octets of all files went.
    var tally = ReaderTally()
    /// What was malformed.
    var flagged = FlaggedCount()
    /// Why files could not be read, or not to their end.
    var failures: [Failure] = []
    private var selector: FrameSelector
    private var meter: ProgressMeter

    init(_ paths: [String], filter: FrameFilter, _ knowledge: AnalysisKnowledge) {
        self.paths = paths
        analyzer = Analyzer(knowledge)
        selector = FrameSelector(filter)
        meter = ProgressMeter(paths)
    }

    /// Reads every file to its end or to where it is damaged.
    mutating func run<R: FrameRenderer & ~Copyable>(
        _ renderer: inout R, into sink: inout DescriptorSink
    ) throws(OutputError) {
        defer { meter.end() }
        for path in paths { try read(path, &renderer, &sink) }
        analyzer.finish()
    }

    private mutating func read<R: FrameRenderer & ~Copyable>(
        _ path: String, _ renderer: inout R, _ sink: inout DescriptorSink
    ) throws(OutputError) {
        var reader: CaptureReader
        do throws(CaptureFileError) {
            reader = try CaptureReader(path: path)
        } catch {
            renderer.fail(error)
            failures.append(Failure(error))
            return
        }
        renderer.begin(reader.info, index: infos.count)
        infos.append(reader.info)
        var more = true
        while more {
            do throws(CaptureFileError) {
                more = try step(&reader, &renderer)
            } catch {
                renderer.fail(error)
                failures.append(Failure(error))
                reader.countUnreadable()
                more = false
            }
            try renderer.drain(into: &sink, atLeast: Self.chunk)
            if analyzer.totals.records & 0xFFF == 0 { meter.update(reader.offset) }
        }
        tally += reader.tally
        meter.endFile(reader.offset)
    }

    /// Analyses the next record and renders it if it passes; false at the end of the file.
    @inline(__always)
    private mutating func step<R: FrameRenderer & ~Copyable>(
        _ reader: inout CaptureReader, _ renderer: inout R
    ) throws(CaptureFileError) -> Bool {
        guard let record = try reader.next() else { return false }
        analyzer.analyze(record, file: infos.count &- 1)
        if !analyzer.problems.isEmpty { flagged.count(record.header, analyzer.problems) }
        if selector.passes(record, analyzer) { renderer.render(record, analyzer) }
        return true
    }
}

/// Records in which something was malformed.
struct FlaggedCount {
    var records = 0
    var octets = 0

    mutating func count(_ header: RecordHeader, _ problems: [Problem]) {
        guard problems.contains(where: { $0.code.isMalformed }) else { return }
        records &+= 1
        octets &+= header.capturedLength
    }
}

extension Problem.Code {
    /// Whether it says that octets are not as the specification has them.
    var isMalformed: Bool {
        switch self {
        case .malformedHCI, .malformedL2CAP, .malformedATT, .malformedSMP, .fragmentsTooLong, .emptyRecord,
            .unknownPacketType:
            true
        default: false
        }
    }
}
