/// Writes whole records to a file of one format, and counts the data that the format can't hold.
public struct CaptureWriter: ~Copyable {
    /// The formats that can be written.
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
        /// pcap, link type 256: LE link layer packets from the air.
        case pcapAir = "pcap-air"
        /// pcapng, link type 256.
        case pcapngAir = "pcapng-air"
        /// Apple's PacketLogger, little-endian as iPhones write it.
        case packetLogger = "packetlogger"

        /// Whether the format holds records of the monitor channel.
        public var holdsMonitor: Bool { self == .monitor || self == .pcapMonitor || self == .pcapngMonitor }

        /// The word that selects the format; the forms of pcapng, and those for the air, have the same.
        public var word: String {
            switch self {
            case .pcapngMonitor, .pcapngAir: Format.pcapng.rawValue
            case .pcapAir: Format.pcap.rawValue
            default: rawValue
            }
        }

        /// The name for a person, as that of a file that is read.
        public var name: String { self == .packetLogger ? CaptureInfo.Format.packetLogger.rawValue : word }

        /// Whether it is a form of pcapng.
        var isPcapng: Bool { self == .pcapng || self == .pcapngMonitor || self == .pcapngAir }

        /// Whether the format holds packets from the air.
        public var holdsAir: Bool { self == .pcapAir || self == .pcapngAir }

        /// The form of the format for a content; the same format if it has only one.
        public func holding(_ content: CaptureContent) -> Format {
            switch (self, content) {
            case (.btsnoop, .monitor): .monitor
            case (.pcap, .monitor): .pcapMonitor
            case (.pcapng, .monitor): .pcapngMonitor
            case (.pcap, .air): .pcapAir
            case (.pcapng, .air): .pcapngAir
            default: self
            }
        }

        /// Whether the format distinguishes adapters.
        public var holdsAdapters: Bool { holdsMonitor || self == .pcapng }

        /// The format for a path's suffix; nil if no format has that suffix.
        ///
        /// - Parameter content: the content whose form is chosen.
        public static func named(by path: String, holding content: CaptureContent) -> Format? {
            guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return nil }
            switch path[path.index(after: dot)...].lowercased() {
            case "btsnoop", "log", "snoop", "cfa": return btsnoop.holding(content)
            case "pcap", "cap": return pcap.holding(content)
            case "pcapng", "ntar": return pcapng.holding(content)
            case "pklg": return .packetLogger
            default: return nil
            }
        }
    }

    /// Data of the records so far that the format could not hold.
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
    ///   - nanoseconds: whether to write times in nanoseconds if the format can.
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

    /// Declares that the file continues another one, which holds the drops up to this count.
    public mutating func begin(afterDrops count: UInt32) { encoder.begin(afterDrops: count) }

    /// Whether pcapng got packets of more adapters than it has interfaces for; packets of the others are
    /// written to the first interface.
    public var hasMixedAdapters: Bool { encoder.hasMixedAdapters }

    /// Number of adapters that get their own interface in pcapng.
    public static var mostAdapters: Int { InterfaceNumbers.most }

    /// Writes one record; a record that the format can't hold is counted and left out.
    ///
    /// Drops are counted per file index in the header: the records of one log have the same.
    public mutating func write(_ record: borrowing Record) throws(CaptureFileError) {
        try write(record, comment: RawSpan())
    }

    /// Writes one record with a comment (UTF-8), which only pcapng can hold. An annotation
    /// (``AnnotationComment``) replaces the record's annotations; other comments are kept.
    public mutating func write(
        _ record: borrowing Record, comment: RawSpan
    ) throws(CaptureFileError) {
        if try encoder.encode(record, comment, &output, &loss) { records &+= 1 }
    }

    /// Counts data that is in no record and is not written either.
    ///
    /// - Parameters:
    ///   - comments: comments of the input after the file's header, or cut ones.
    ///   - descriptions: other texts about the recorder and its interfaces.
    ///   - drops: packets that the recorder dropped after the last record.
    public mutating func countUnheld(comments: Int, descriptions: Int, drops: Int) {
        loss.comments &+= comments
        loss.descriptions &+= descriptions
        loss.drops &+= drops
    }

    /// Passes all records written so far to the operating system.
    public mutating func flush() throws(CaptureFileError) { try output.flush() }

    /// Passes all records written so far to the operating system, and waits until they are on the disk.
    public mutating func sync() throws(CaptureFileError) {
        try output.flush()
        try output.sync()
    }

    /// Collects records in memory shared with another process, so that it can complete the file if this one
    /// is killed; returns whether that succeeded. Call it before anything is written.
    ///
    /// - Parameter memory: a descriptor of ``sharedLength`` bytes that can be mapped; the caller closes it.
    public mutating func share(_ memory: Int32) -> Bool { output.share(memory) }

    /// For a pipe: stops waiting for its reader once `descriptor` is readable.
    public mutating func watch(stop descriptor: Int32) { output.stop = descriptor }

    /// For a pipe: limits the wait for its reader.
    ///
    /// - Parameter left: returns the remaining milliseconds; -1 for no limit.
    public mutating func endWaiting(in left: @escaping () -> Int32) { output.left = left }

    /// Declares that writing has to end: a blocked pipe is soon abandoned.
    public mutating func hasToEnd() { output.isEnding = true }

    /// Whether the file being written was deleted.
    public var isRemoved: Bool { output.isRemoved }

    /// Writes the numbers of received and lost records, if the format can hold them (pcapng's interface
    /// statistics).
    ///
    /// - Parameters:
    ///   - received: the records received since the file began.
    ///   - lost: the records that the recorder dropped since then.
    public mutating func writeStatistics(
        received: Int, lost: Int, from start: CaptureTime, to end: CaptureTime
    ) throws(CaptureFileError) {
        try encoder.statistics(received: received, lost: lost, start...max(start, end), &output)
    }

    /// Writes the remaining records and closes the file.
    public consuming func finish() throws(CaptureFileError) { try output.flush() }

    /// The file so far, for a writer that collects in memory.
    public func collected() -> [UInt8] { output.collected() }

    /// Length of the file so far, in bytes.
    public var offset: Int { output.written &+ output.count }
}
