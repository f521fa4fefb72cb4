import WireBytes

/// Writes records to a file of one format, whole records at a time, and counts what the format can't hold.
public struct CaptureWriter: ~Copyable {
    /// The formats that are written.
    public enum Format: String, CaseIterable, Sendable {
        /// btsnoop, datalink 1002: HCI packets.
        case btsnoop
        /// btsnoop, datalink 2001: records of the Linux monitor channel.
        case monitor
        /// pcap, link type 201: HCI packets with direction.
        case pcap
        /// pcap, link type 254: records of the Linux monitor channel.
        case pcapMonitor = "pcap-monitor"
        /// pcapng, link type 201.
        case pcapng
        /// pcapng, link type 254.
        case pcapngMonitor = "pcapng-monitor"
        /// Apple's PacketLogger, least significant octet first as iPhones write it.
        case packetLogger = "packetlogger"

        /// Whether the format holds records of the monitor channel.
        public var holdsMonitor: Bool { self == .monitor || self == .pcapMonitor || self == .pcapngMonitor }

        /// The word that asks for the format: one for both forms of pcapng.
        public var word: String { self == .pcapngMonitor ? Format.pcapng.rawValue : rawValue }

        /// Whether the format tells adapters apart.
        public var holdsAdapters: Bool { holdsMonitor || self == .pcapng }

        /// The format that a path's suffix names; nil for a suffix that names none.
        ///
        /// - Parameter monitor: whether the form for the Linux monitor channel is wanted.
        public static func named(by path: String, monitor: Bool) -> Format? {
            guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return nil }
            switch path[path.index(after: dot)...].lowercased() {
            case "btsnoop", "log", "snoop", "cfa": return monitor ? .monitor : .btsnoop
            case "pcap", "cap": return monitor ? .pcapMonitor : .pcap
            case "pcapng", "ntar": return monitor ? .pcapngMonitor : .pcapng
            case "pklg": return .packetLogger
            default: return nil
            }
        }
    }

    /// What of the records so far the format could not hold.
    public private(set) var loss = ConversionLoss()
    /// Records written.
    public private(set) var records = 0
    /// The format written.
    public let format: Format
    private var output: RecordOutput
    private var encoder: RecordEncoder

    /// Writes to a descriptor, which the writer closes.
    ///
    /// - Parameters:
    ///   - nanoseconds: whether times are to be written in nanoseconds where the format can.
    ///   - comments: comments on the whole file.
    public init(
        descriptor: Int32, name: String, format: Format, nanoseconds: Bool = false, comments: [String] = []
    ) throws(CaptureFileError) {
        try self.init(RecordOutput(descriptor: descriptor, name: name), format, nanoseconds, comments)
    }

    /// Collects the file in memory.
    public init(
        collecting format: Format, nanoseconds: Bool = false, comments: [String] = []
    ) throws(CaptureFileError) {
        try self.init(RecordOutput(descriptor: nil, name: ""), format, nanoseconds, comments)
    }

    private init(
        _ output: consuming RecordOutput, _ format: Format, _ nanoseconds: Bool, _ comments: [String]
    ) throws(CaptureFileError) {
        self.format = format
        self.output = output
        encoder = RecordEncoder(format, nanoseconds: nanoseconds)
        try encoder.begin(&self.output, comments, &loss)
    }

    /// Says that the file goes on where another one ended: drops up to this count are in that.
    public mutating func begin(afterDrops count: UInt32) { encoder.begin(afterDrops: count) }

    /// Whether pcapng was given packets of more adapters than it is given interfaces: those of the others
    /// stand as the first interface's.
    public var hasMixedAdapters: Bool { encoder.hasMixedAdapters }

    /// How many adapters are given an interface of their own in pcapng.
    public static var mostAdapters: Int { InterfaceNumbers.most }

    /// Writes one record; a record that the format has no place for is counted and left out.
    ///
    /// Drops are counted by the header's index of the file: the records of one log have the same.
    public mutating func write(_ record: borrowing Record) throws(CaptureFileError) {
        try write(record, comment: RawSpan())
    }

    /// Writes one record with a comment (UTF-8), which only pcapng holds. Where it is an annotation
    /// (``AnnotationComment``), it takes the place of those that the record has; others are kept.
    public mutating func write(
        _ record: borrowing Record, comment: RawSpan
    ) throws(CaptureFileError) {
        if try encoder.encode(record, comment, &output, &loss) { records &+= 1 }
    }

    /// Counts what no record holds and is not written either.
    ///
    /// - Parameters:
    ///   - comments: comments of the input that came too late for the file's header, or were cut.
    ///   - descriptions: other texts about the recorder and its interfaces.
    ///   - drops: packets that the recorder dropped after the last record.
    public mutating func countUnheld(comments: Int, descriptions: Int, drops: Int) {
        loss.comments &+= comments
        loss.descriptions &+= descriptions
        loss.drops &+= drops
    }

    /// Hands all records written so far over to the operating system.
    public mutating func flush() throws(CaptureFileError) { try output.flush() }

    /// Hands all records written so far over, and waits until they are on the disk.
    public mutating func sync() throws(CaptureFileError) {
        try output.flush()
        try output.sync()
    }

    /// Collects records in memory that another process sees too, so that it can complete the file if this one
    /// is killed; whether that could be done. To be called before anything is written.
    ///
    /// - Parameter memory: a descriptor of ``sharedLength`` octets that can be mapped; the caller closes it.
    public mutating func share(_ memory: Int32) -> Bool { output.share(memory) }

    /// Where the output is a pipe: stops waiting for its reader once `descriptor` is readable.
    public mutating func watch(stop descriptor: Int32) { output.stop = descriptor }

    /// Where the output is a pipe: ends the wait for its reader by itself.
    ///
    /// - Parameter left: gives the milliseconds until then; -1 for no end.
    public mutating func endWaiting(in left: @escaping () -> Int32) { output.left = left }

    /// Says that the writing has to end: a pipe that takes nothing any more is given up soon.
    public mutating func hasToEnd() { output.isEnding = true }

    /// Whether the file that is being written was deleted.
    public var isRemoved: Bool { output.isRemoved }

    /// Writes how many records were received and lost, where the format holds that (pcapng's interface
    /// statistics).
    ///
    /// - Parameters:
    ///   - received: the records that came since the file began.
    ///   - lost: those that the recorder had to drop since then.
    public mutating func writeStatistics(
        received: Int, lost: Int, from start: CaptureTime, to end: CaptureTime
    ) throws(CaptureFileError) {
        try encoder.statistics(received: received, lost: lost, start...max(start, end), &output)
    }

    /// Hands over what is left and closes the file.
    public consuming func finish() throws(CaptureFileError) { try output.flush() }

    /// The file so far, of a writer that collects in memory.
    public func collected() -> [UInt8] { output.collected() }

    /// Octets of the file so far.
    public var offset: Int { output.written &+ output.count }
}
