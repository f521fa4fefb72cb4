import Analysis
import CaptureFile
import CommandLineKit
import Rendering
import WireBytes

/// Shows frames with their meaning on standard output during a recording, without delaying it.
///
/// Output that the reader (a pager, a stopped terminal) does not accept yet waits in a bounded buffer; beyond
/// it frames are left out of the output and counted, until there is room again.
struct LiveAnnotator: ~Copyable {
    private var analyzer: Analyzer
    private var selector: FrameSelector
    private var renderer: TextRenderer
    private var sink: DescriptorSink
    /// Bytes of the renderer's output written so far.
    private var written = 0
    private var unshown = 0
    /// Maximum bytes waiting for the reader, except for the last frame.
    private let longestQueue: Int
    /// Maximum bytes written but still in the renderer's buffer, before its content is moved up.
    private var mostWritten: Int { longestQueue / 8 }

    /// Usual value of `longestQueue`.
    static let usualQueue = 8 << 20
    /// Milliseconds that the reader has for each part at the end.
    private static let lastPatience: Int32 = 2000

    /// - Parameters:
    ///   - sink: the output of the frames.
    ///   - longestQueue: the maximum bytes waiting for its reader.
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

    /// Bytes waiting for the reader.
    var queued: Int { renderer.out.count - written }

    /// Bytes in the buffer, including those already written.
    var held: Int { renderer.out.count }

    /// Analyzes a record and shows it if it passes the filter.
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

    /// Writes as much as the reader accepts now; returns whether more is waiting.
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

    /// Shows the remaining frames, and the verdict on the recording.
    mutating func finish(_ info: CaptureInfo) throws(OutputError) {
        analyzer.finish()
        if unshown > 0 { putGap() }
        renderer.finish()
        renderer.out.put(0x0A)
        renderer.verdict([info], analyzer)
        try settle(within: Self.lastPatience)
    }
}
