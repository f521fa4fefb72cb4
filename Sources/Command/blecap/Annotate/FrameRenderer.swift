import Analysis
import CaptureFile
import CommandLineKit
import Rendering
import WireBytes

/// What writes frames in one output format.
protocol FrameRenderer: ~Copyable {
    /// Writes what stands before the frames of the file with this index.
    mutating func begin(_ file: CaptureInfo, index: Int)
    /// Writes what the analyser's last frame means.
    mutating func render(_ record: borrowing Record, _ analyzer: borrowing Analyzer)
    /// Writes that a file could not be read, or not to its end.
    mutating func fail(_ error: CaptureFileError)
    /// Hands what was written to the sink once there are `threshold` octets of it.
    mutating func drain(into sink: inout DescriptorSink, atLeast threshold: Int) throws(OutputError)
    /// Hands over all that was written, since more input has to be waited for.
    mutating func pause(into sink: inout DescriptorSink) throws(OutputError)
}

extension FrameRenderer where Self: ~Copyable {
    mutating func pause(into sink: inout DescriptorSink) throws(OutputError) {
        try drain(into: &sink, atLeast: 1)
    }
}

extension TextRenderer: FrameRenderer {
    mutating func begin(_ file: CaptureInfo, index: Int) {
        if index == 0 { header() } else { options.namesFile = true }
    }

    mutating func fail(_ error: CaptureFileError) {}

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

/// Writes annotated pcapng; what goes wrong with the output is kept until it is asked for.
///
/// The file is created once the inputs are open: one that is there stays as it is where none can be read.
struct AnnotatedPcapng: FrameRenderer, ~Copyable {
    private let path: String
    private var renderer: PcapngRenderer?
    private var failure: CaptureFileError?
    private var isMonitor = false
    private var hasBegun = false
    private var isCreated = false
    /// The comments on the inputs, which the section keeps.
    private var comments: [String] = []

    init(path: String) { self.path = path }

    var loss: ConversionLoss {
        switch renderer {
        case .some(let renderer): renderer.loss
        case nil: ConversionLoss()
        }
    }

    /// The link type that holds most of the inputs: that of the monitor channel where one is from there.
    mutating func begin(_ file: CaptureInfo, index: Int) {
        hasBegun = true
        comments += file.comments
        if file.format == .btsnoop ? file.datalink == 2001 : file.datalink == 254 { isMonitor = true }
    }

    mutating func fail(_ error: CaptureFileError) {}

    mutating func render(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        guard failure == nil else { return }
        do throws(CaptureFileError) {
            try create()
            try renderer?.render(record, analyzer)
        } catch {
            failure = error
        }
    }

    private mutating func create() throws(CaptureFileError) {
        guard !isCreated else { return }
        isCreated = true
        renderer = PcapngRenderer(
            try CaptureWriter(
                path: path, format: isMonitor ? .pcapngMonitor : .pcapng, overwrite: true, nanoseconds: true,
                comments: comments))
    }

    /// The packets that are there can be seen while more are waited for.
    mutating func pause(into sink: inout DescriptorSink) throws(OutputError) {
        try drain(into: &sink, atLeast: 0)
        try finish()
    }

    /// The writer drains itself, whole packets at a time.
    mutating func drain(into sink: inout DescriptorSink, atLeast threshold: Int) throws(OutputError) {
        if let failure { throw OutputError(failure) }
    }

    /// Hands over the last packets.
    mutating func finish() throws(OutputError) {
        guard hasBegun else { return }
        do throws(CaptureFileError) {
            try create()
            try renderer?.flush()
        } catch {
            throw OutputError(error)
        }
    }
}

/// Writes nothing: for a pass that only analyses.
struct SilentRenderer: FrameRenderer, ~Copyable {
    mutating func begin(_ file: CaptureInfo, index: Int) {}
    mutating func fail(_ error: CaptureFileError) {}
    mutating func render(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {}
    mutating func drain(into sink: inout DescriptorSink, atLeast threshold: Int) throws(OutputError) {}
}
