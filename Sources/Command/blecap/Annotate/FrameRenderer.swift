import Analysis
import CaptureFile
import CommandLineKit
import MonitorCapture
import Rendering
import WireBytes

/// Writes frames in one output format.
protocol FrameRenderer: ~Copyable {
    /// Writes the heading of the file with this index.
    mutating func begin(_ file: CaptureInfo, index: Int)
    /// Writes the analyzer's last frame.
    mutating func render(_ record: borrowing Record, _ analyzer: borrowing Analyzer)
    /// Handles a frame that does not pass the filter.
    mutating func passOver(_ record: borrowing Record, _ analyzer: borrowing Analyzer)
    /// Reports a file that could not be read, or not to its end.
    mutating func fail(_ error: CaptureFileError)
    /// Writes the buffered output to the sink once it has `threshold` bytes.
    mutating func drain(into sink: inout DescriptorSink, atLeast threshold: Int) throws(OutputError)
    /// Flushes, because the next input may take a while.
    mutating func pause(into sink: inout DescriptorSink) throws(OutputError)
}

/// A renderer writes only what it has a method for.
extension FrameRenderer where Self: ~Copyable {
    mutating func begin(_ file: CaptureInfo, index: Int) {}
    mutating func render(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {}
    mutating func passOver(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {}
    mutating func fail(_ error: CaptureFileError) {}
    mutating func drain(into sink: inout DescriptorSink, atLeast threshold: Int) throws(OutputError) {}

    mutating func pause(into sink: inout DescriptorSink) throws(OutputError) {
        try drain(into: &sink, atLeast: 1)
    }
}

extension TextRenderer: FrameRenderer {
    mutating func begin(_ file: CaptureInfo, index: Int) {
        options.hasTimes = file.hasTimes || index > 0 && options.hasTimes
        if index == 0 { header() } else { options.namesFile = true }
    }

    mutating func drain(into sink: inout DescriptorSink, atLeast threshold: Int) throws(OutputError) {
        if out.count >= threshold { try sink.drain(&out) }
    }
}

extension NDJSONRenderer: FrameRenderer {
    mutating func begin(_ file: CaptureInfo, index: Int) { begin(file) }

    mutating func fail(_ error: CaptureFileError) { problem(error) }

    mutating func drain(into sink: inout DescriptorSink, atLeast threshold: Int) throws(OutputError) {
        if out.count >= threshold { try sink.drain(&out) }
    }
}

/// The page is only written at the end.
extension PageRenderer: FrameRenderer {
    mutating func begin(_ file: CaptureInfo, index: Int) { begin(file) }

    mutating func fail(_ error: CaptureFileError) { problem(error) }
}

/// Writes annotated pcapng; output errors are kept and thrown later.
///
/// The file is created once the inputs are open, so that an existing one is kept if no input can be read.
struct AnnotatedPcapng: FrameRenderer, ~Copyable {
    private let file: OutputFile
    private var renderer: PcapngRenderer?
    private var failure: CaptureFileError?
    private var content = CaptureContent.hci
    private var hasBegun = false
    private var isCreated = false
    private var unfinished: UnfinishedFile?
    /// The comments on the inputs, which are copied to the section.
    private var comments: [String] = []
    private var names: [String] = []
    /// Assigns interfaces to the adapters of several inputs.
    private var adapters = AdapterNumbers()
    /// The log of the first packet, and whether there were packets of other logs.
    private var firstLog: Int?
    private(set) var isOfSeveralLogs = false
    /// Whether packets may be left out.
    private let isFiltered: Bool
    /// Blanks keys; nil if they are kept.
    private(set) var blanker: KeyBlanker?

    init(_ file: OutputFile, isFiltered: Bool, keepsKeys: Bool) {
        self.file = file
        self.isFiltered = isFiltered
        blanker = keepsKeys ? nil : KeyBlanker()
    }

    /// Prefix of the comment that explains the numbers; such a comment of an earlier annotation is dropped.
    private static let numberingMark = "blecap: the number after # at the start"

    /// The comment that explains the numbers in packet comments, if they are not the output's packet numbers.
    private var numbering: [String] {
        let what = Self.numberingMark + " of a packet's comment"
        let others = "other frame numbers without a file's number are of the same file"
        if names.count > 1 {
            let files = names.enumerated().map { "\($0 + 1): \($1)" }.joined(separator: ", ")
            return ["\(what) is that of its file (\(files)) and the packet's in it; \(others)"]
        }
        return isFiltered ? ["\(what) is the packet's in \(names.first ?? file.path); \(others)"] : []
    }

    var loss: ConversionLoss {
        switch renderer {
        case .some(let renderer): renderer.loss
        case nil: ConversionLoss()
        }
    }

    /// Whether packets of several adapters are written to one interface.
    var hasMixedAdapters: Bool {
        switch renderer {
        case .some(let renderer): renderer.hasMixedAdapters
        case nil: false
        }
    }

    /// Selects the link type: the monitor channel's if any input comes from there.
    mutating func begin(_ file: CaptureInfo, index: Int) {
        hasBegun = true
        comments += file.comments.filter { !$0.hasPrefix(Self.numberingMark) }
        if file.droppedComments > 0 {
            comments.append("\(file.droppedComments.counting("further comment")) of \(file.name) not kept")
        }
        names.append(file.name == "-" ? "standard input" : file.name.visible)
        if content == .hci { content = file.content }
    }

    mutating func fail(_ error: CaptureFileError) {}

    mutating func render(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        take(record, analyzer, isChosen: true)
    }

    /// Takes unselected ACL packets too: they are written if a selected PDU was sent in them.
    mutating func passOver(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        if record.header.kind == .acl || record.header.kind == .air {
            take(record, analyzer, isChosen: false)
        } else {
            blanker?.passOver(record)
        }
    }

    private mutating func take(
        _ record: borrowing Record, _ analyzer: borrowing Analyzer, isChosen: Bool
    ) {
        guard failure == nil else { return }
        do throws(CaptureFileError) {
            try create()
            let log = analyzer.frame.file
            if firstLog == nil { firstLog = log }
            if firstLog != log { isOfSeveralLogs = true }
            let number = adapters.number(of: record.header.adapter, log: log)
            let numbered = record.with(adapter: number, file: UInt16(truncatingIfNeeded: log))
            try Self.write(numbered, analyzer, isChosen: isChosen, &blanker, &renderer)
        } catch {
            failure = error
        }
    }

    private static func write(
        _ record: borrowing Record, _ analyzer: borrowing Analyzer, isChosen: Bool,
        _ blanker: inout KeyBlanker?, _ renderer: inout PcapngRenderer?
    ) throws(CaptureFileError) {
        if blanker == nil { try renderer?.render(record, analyzer, isChosen: isChosen) }
        try blanker?.pass(record) { (kept) throws(CaptureFileError) in
            try renderer?.render(kept, analyzer, isChosen: isChosen)
        }
    }

    private mutating func create() throws(CaptureFileError) {
        guard !isCreated else { return }
        isCreated = true
        let unfinished = try CaptureFileError.from { () throws(OutputError) in try UnfinishedFile(file) }
        self.unfinished = unfinished
        renderer = PcapngRenderer(
            try CaptureWriter(
                unfinished, named: file.path, format: CaptureWriter.Format.pcapng.holding(content),
                nanoseconds: true,
                comments: comments + numbering.filter { !comments.contains($0) }))
        renderer?.namesFile = names.count > 1
    }

    /// Writes out the packets so far, so that they can be seen during the wait.
    mutating func pause(into sink: inout DescriptorSink) throws(OutputError) {
        try drain(into: &sink, atLeast: 0)
        try flush()
    }

    /// Only throws the kept error; the writer does its own output, in whole packets.
    mutating func drain(into sink: inout DescriptorSink, atLeast threshold: Int) throws(OutputError) {
        if let failure { throw OutputError(failure) }
    }

    /// Writes the packets that are known to be selected.
    private mutating func flush() throws(OutputError) {
        guard hasBegun else { return }
        do throws(CaptureFileError) {
            try create()
            try renderer?.flush()
        } catch {
            throw OutputError(error)
        }
    }

    /// Writes the last packets.
    mutating func finish() throws(OutputError) {
        do throws(CaptureFileError) {
            try renderer?.end()
        } catch {
            throw OutputError(error)
        }
        try flush()
        try unfinished?.publish()
    }
}

/// Writes nothing, for a pass that only analyzes.
struct SilentRenderer: FrameRenderer, ~Copyable {}
