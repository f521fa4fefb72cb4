import Analysis
import CaptureFile
import CommandLineKit
import Rendering
import WireBytes

/// Shows what frames mean on standard output while they are recorded, without delaying the recording.
///
/// What the reader (a pager, a stopped terminal) does not take now waits in a bounded buffer; past it frames
/// are left out of the output, counted, until there is room again.
struct LiveAnnotator: ~Copyable {
    private var analyzer: Analyzer
    private var selector: FrameSelector
    private var renderer: TextRenderer
    private var sink: DescriptorSink
    /// Bytes of the renderer's output that were written.
    private var written = 0
    private var unshown = 0
    /// Bytes that wait for the reader, at most, but for one frame.
    private let longestQueue: Int
    /// Bytes that were written and still stand in the renderer's buffer, at most, before it is moved up.
    private var mostWritten: Int { longestQueue / 8 }

    /// What ``longestQueue`` usually is.
    static let usualQueue = 8 << 20
    /// Milliseconds that the reader has for each part at the end.
    private static let lastPatience: Int32 = 2000

    /// - Parameters:
    ///   - sink: where the frames go.
    ///   - longestQueue: bytes that wait for its reader, at most.
    init(
        _ arguments: ParsedArguments, into sink: consuming DescriptorSink,
        longestQueue: Int = Self.usualQueue
    ) throws(Failure) {
        self.sink = sink
        self.longestQueue = longestQueue
        let knowledge = try GivenKnowledge.read(arguments)
        let filter = try FrameFilter(arguments, profileNames: knowledge.profileNames)
        analyzer = Analyzer(knowledge)
        selector = FrameSelector(filter)
        renderer = TextRenderer(Output.textOptions(arguments, arguments.environment.output.descriptor))
        renderer.header()
    }

    /// Bytes that wait for the reader.
    var queued: Int { renderer.out.count - written }

    /// Bytes that the text takes, those included that were written already.
    var held: Int { renderer.out.count }

    /// Analyses a record and shows it if it passes the filter.
    mutating func take(_ record: borrowing Record) {
        analyzer.analyze(record)
        guard selector.passes(record, analyzer) else { return }
        guard queued < longestQueue else {
            unshown += 1
            return
        }
        if unshown > 0 { putGap() }
        renderer.render(record, analyzer)
    }

    private mutating func putGap() {
        renderer.out.put("        ! ")
        renderer.out.count(unshown, "frame")
        renderer.out.put(unshown == 1 ? " is" : " are")
        renderer.out.put(" not shown, because nobody read this output; the file has ")
        renderer.out.put(unshown == 1 ? "it\n" : "them\n")
        unshown = 0
    }

    /// Writes what the reader takes now; whether more waits for it.
    @discardableResult
    mutating func settle(within milliseconds: Int32 = 0) throws(OutputError) -> Bool {
        written += try Self.write(renderer.out, from: written, to: &sink, within: milliseconds)
        guard written == renderer.out.count else {
            if written >= mostWritten {
                renderer.out.dropFirst(written)
                written = 0
            }
            return true
        }
        renderer.out.clear()
        written = 0
        return false
    }

    private static func write(
        _ text: borrowing TextBuffer, from start: Int, to sink: inout DescriptorSink,
        within milliseconds: Int32
    ) throws(OutputError) -> Int {
        try sink.writeSome(text.octets.dropping(start), within: milliseconds)
    }

    /// Shows what is still to be shown, and what the recording showed as a whole.
    mutating func finish(_ info: CaptureInfo) throws(OutputError) {
        analyzer.finish()
        if unshown > 0 { putGap() }
        renderer.finish()
        renderer.out.put(0x0A)
        renderer.verdict([info], analyzer)
        try settle(within: Self.lastPatience)
    }
}
