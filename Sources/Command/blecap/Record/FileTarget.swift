import CaptureFile
import CommandLineKit
import MonitorCapture
import WireBytes

/// Records to files, and shows the frames if wanted.
struct FileTarget: RecordTarget, ~Copyable {
    private(set) var file: RecordingFile
    private var blanker: KeyBlanker?
    private var annotator: LiveAnnotator?
    private let annotates: Bool
    /// Whether the annotator's output is waiting for its reader.
    private var wantsRoom = false
    /// Lists the links that are up; nil if not wanted.
    private let links: OpenLinkList?
    private let syncs: Bool
    private let isPipe: Bool
    private let output: Int32
    private var meter: RecordMeter
    private var state: PumpState
    private var number = 0
    /// Records received so far; the pump's count is only updated at each flush.
    private var taken = 0
    private var notesLinks = true
    private var nextCheck: Int64 = 0

    /// Time between two checks that the file still exists, in nanoseconds.
    private static let checkInterval: Int64 = 500_000_000

    init(
        _ file: consuming RecordingFile, _ options: RecordOptions, _ links: consuming OpenLinkList?,
        _ annotator: consuming LiveAnnotator?, start: ClockReading
    ) {
        self.file = file
        self.links = links
        annotates = options.annotates
        self.annotator = annotator
        blanker = options.blanksKeys ? KeyBlanker() : nil
        syncs = options.syncs
        isPipe = options.path == "-"
        output = options.environment.output.descriptor
        meter = RecordMeter(isWanted: !options.annotates, options.environment)
        state = PumpState(start: start, now: start)
    }

    var octets: Int { file.octets }

    var watched: (descriptor: Int32, wantsRoom: Bool)? {
        if isPipe { return (output, false) }
        return annotates ? (output, wantsRoom) : nil
    }

    mutating func take(_ record: borrowing Record) throws(Failure) {
        if file.isFull(for: record.octets.byteCount, state.now) {
            state.received = taken
            try rotate()
        }
        taken &+= 1
        try keep(record)
        if syncs { try file.flush(syncing: true) }
    }

    private mutating func keep(_ record: borrowing Record) throws(Failure) {
        number &+= 1
        var header = record.header
        header.number = number
        let numbered = Record(header, record.octets)
        annotator?.take(numbered)
        if blanker == nil {
            try file.write(numbered)
        } else {
            try Self.write(numbered, &blanker, &file)
        }
    }

    private static func write(
        _ record: borrowing Record, _ blanker: inout KeyBlanker?, _ file: inout RecordingFile
    ) throws(Failure) {
        try blanker?.pass(record) { (kept) throws(Failure) in try file.write(kept) }
    }

    mutating func take(_ note: MonitorNote, at time: CaptureTime, drops: Int) throws(Failure) {
        let payload = note.payload
        try keep(Record(note.header(number: number, time: time, drops: drops), payload.borrowedOctets))
    }

    private mutating func rotate() throws(Failure) {
        try file.rotate(state)
        try noteLinks()
    }

    /// Notes the links that are up, since the channel reported them before this file began, if at all.
    private mutating func noteLinks() throws(Failure) {
        for link in links?.links() ?? [] {
            try take(
                MonitorNote(.information, link.note, adapter: link.adapter),
                at: state.now.noteTime, drops: state.lost)
        }
    }

    mutating func settle(_ state: PumpState) throws(Failure) {
        self.state = state
        if notesLinks {
            // After the kernel's first records, which introduce the links' adapters.
            notesLinks = false
            try noteLinks()
        }
        try file.flush(syncing: syncs)
        do throws(OutputError) {
            wantsRoom = try annotator?.settle() ?? false
        } catch {
            throw failure(error)
        }
        if state.now.monotonic >= nextCheck {
            nextCheck = state.now.monotonic &+ Self.checkInterval
            try file.requireFile()
        }
        meter.update(state, file.octets)
    }

    mutating func hasToEnd() { file.hasToEnd() }

    func readerGone() -> Failure {
        if isPipe { return file.readerGone }
        return Failure(
            .environment, "standard output: nobody reads the annotation any more",
            advice: "\(file.records) records are in \(file.shownName)")
    }

    private func failure(_ error: OutputError) -> Failure { error.failure ?? readerGone() }

    /// Finishes the file and the output.
    mutating func finish(_ state: PumpState, _ info: CaptureInfo) throws(Failure) {
        meter.end()
        try file.end(state)
        try file.requireFile()
        do throws(OutputError) { try annotator?.finish(info) } catch { throw failure(error) }
    }

    /// Finishes after a failure: writes the received records if possible.
    mutating func giveUp() {
        meter.end()
        // The failure that ends the recording is the one to report.
        try? file.flush()
    }

    /// Counts of `--no-keys`; nil if it was not given.
    var blanking: (blanked: Int, leftOut: Int)? { blanker.map { ($0.blanked, $0.leftOut) } }
}
