import Analysis
import CaptureFile
import CommandLineKit
import MonitorCapture
import Rendering
import WireBytes

/// Writes the records as pcapng, each with its annotation as a comment.
struct AnnotatedTarget: RecordTarget, ~Copyable {
    private let name: String
    private let descriptor: Int32
    private var analyzer: Analyzer
    private var renderer: PcapngRenderer
    private var blanker: KeyBlanker?
    /// Lists the links that are up; nil if not wanted.
    private let links: OpenLinkList?
    private var notesLinks = true
    private var number = 0
    /// Bytes of the records; there is no limit on the output's size.
    private(set) var octets = 0

    /// - Parameter descriptor: the output, which the writer closes.
    init(
        _ name: String, descriptor: Int32, _ knowledge: AnalysisKnowledge, _ links: consuming OpenLinkList?,
        blanksKeys: Bool, stop: Int32
    ) throws(Failure) {
        self.name = name
        self.descriptor = descriptor
        self.links = links
        analyzer = Analyzer(knowledge)
        blanker = blanksKeys ? KeyBlanker() : nil
        do throws(CaptureFileError) {
            var writer = try CaptureWriter(descriptor: descriptor, name: name, format: .pcapngMonitor)
            writer.watch(stop: stop)
            try writer.flush()
            renderer = PcapngRenderer(writer)
        } catch {
            throw Self.failure(error, name)
        }
    }

    var watched: (descriptor: Int32, wantsRoom: Bool)? { (descriptor, false) }

    mutating func take(_ record: borrowing Record) throws(Failure) {
        number &+= 1
        octets &+= record.octets.byteCount
        var header = record.header
        header.number = number
        let numbered = Record(header, record.octets)
        analyzer.analyze(numbered)
        do throws(CaptureFileError) {
            try Self.write(numbered, analyzer, &blanker, &renderer)
        } catch {
            throw failure(error)
        }
    }

    private static func write(
        _ record: borrowing Record, _ analyzer: borrowing Analyzer, _ blanker: inout KeyBlanker?,
        _ renderer: inout PcapngRenderer
    ) throws(CaptureFileError) {
        if blanker == nil { return try renderer.render(record, analyzer) }
        try blanker?.pass(record) { (kept) throws(CaptureFileError) in try renderer.render(kept, analyzer) }
    }

    mutating func take(_ note: MonitorNote, at time: CaptureTime, drops: Int) throws(Failure) {
        let payload = note.payload
        try take(Record(note.header(number: number, time: time, drops: drops), payload.borrowedOctets))
    }

    mutating func settle(_ state: PumpState) throws(Failure) {
        if notesLinks {
            notesLinks = false
            for link in links?.links() ?? [] {
                try take(
                    MonitorNote(.information, link.note, adapter: link.adapter),
                    at: state.now.noteTime, drops: state.lost)
            }
        }
        do throws(CaptureFileError) { try renderer.flush() } catch { throw failure(error) }
    }

    mutating func hasToEnd() { renderer.endSoon() }

    private func failure(_ error: CaptureFileError) -> Failure {
        Self.failure(error, name)
    }

    private static func failure(_ error: CaptureFileError, _ name: String) -> Failure {
        OutputError(error).failure ?? readerGone(name)
    }

    /// Wireshark closes the pipe when the user stops the capture.
    func readerGone() -> Failure { Self.readerGone(name) }

    private static func readerGone(_ name: String) -> Failure {
        Failure(.success, "\(name): the reader closed it")
    }
}
