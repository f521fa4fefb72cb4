import Analysis
import CaptureFile
import CommandLineKit
import PayloadFormat
import Rendering
import WireBytes

// The verdict without frames: Markdown for a person, SARIF for a service.

extension Annotate {
    /// Writes the findings of all logs, each judged separately.
    func findings(_ several: SeveralLogs) throws(Failure) -> ExitStatus {
        let logs = several.judged()
        let findings = logs.map(\.findings)
        var sink = try Output.open(arguments, inputs: arguments.operands)
        do throws(OutputError) {
            var out = TextBuffer()
            if format == .sarif {
                SARIFLog.put(findings, version: CommandTable.blecap.version, into: &out)
            } else {
                let frames = logs.count == 1 ? try lines(of: findings[0].evidence, sink.descriptor) : []
                MarkdownSummary.put(findings, frames: frames.borrowedOctets, into: &out)
            }
            try sink.drain(&out)
            try sink.finish()
        } catch {
            if let failure = error.failure { throw failure }
        }
        return several.end(logs)
    }

    /// The lines of some frames; empty if the input can't be read again.
    private func lines(of places: Set<FramePlace>, _ descriptor: Int32) throws(OutputError) -> [UInt8] {
        guard !places.isEmpty, arguments.operands.allSatisfy({ SystemCall.status(of: $0)?.isRegular == true })
        else { return [] }
        var options = Output.textOptions(arguments, descriptor)
        options.showsAll = true
        options.usesColor = false
        var renderer = ChosenFrames(places, TextRenderer(options))
        var pass = AnalysisPass(arguments, filter: filter, knowledge, showsProgress: false)
        var none = arguments.environment.outputSink
        try pass.run(&renderer, into: &none)
        return renderer.renderer.out.copied(from: 0)
    }
}

/// Keeps the lines of chosen frames, and writes nothing.
private struct ChosenFrames: FrameRenderer, ~Copyable {
    private let places: Set<FramePlace>
    private(set) var renderer: TextRenderer

    init(_ places: Set<FramePlace>, _ renderer: consuming TextRenderer) {
        self.places = places
        self.renderer = renderer
    }

    mutating func begin(_ file: CaptureInfo, index: Int) {
        if index > 0 { renderer.options.namesFile = true }
    }

    mutating func fail(_ error: CaptureFileError) {}
    mutating func drain(into sink: inout DescriptorSink, atLeast threshold: Int) throws(OutputError) {}

    mutating func render(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        if places.contains(analyzer.frame.place) { renderer.render(record, analyzer) }
    }
}
