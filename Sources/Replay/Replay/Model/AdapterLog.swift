public import Analysis
public import BluetoothCore
public import CaptureFile
public import Runtime
public import UQDK

/// The contents of one adapter's log, as far as it has been read.
struct AdapterLog {
    /// The unfinished exchanges of a connection.
    struct Open: Sendable {
        /// The connection's index in `connections`.
        var place: Int
        /// For each side, the frame of a fragment whose PDU is incomplete.
        var pending: [RecordedPDU.Side: Int] = [:]
        /// Whether the host requested new parameters.
        var isUpdating = false
        var disconnect: RecordedConnection.Request?
        /// The index of the connection in the analyzer's links.
        var slot: Int
    }

    /// A pending connection attempt of the host.
    struct Attempt: Sendable {
        var frame: Int
        var time: Instant
        var peer: DeviceAddress?
    }

    let file: Int
    let adapter: UInt16
    let origin: CaptureTime
    let budget: ModelBudget
    var isFromAir = false
    var last = Instant.zero
    var records = 0
    var attPDUs = 0
    var controller = RecordedController()
    var advertising = AdvertisingTimeline()
    var connections: [RecordedConnection] = []
    /// The analyzer's numbers of the BR/EDR links, which are not played.
    var classic: Set<Int> = []
    /// The host's packets to its controller, for the strict tier.
    var packets: [HostPacket] = []
    var obstacles: [Obstacle] = []
    /// Parts of the log that were made up.
    var assumptions: [Obstacle] = []
    /// The unfinished exchanges, by the analyzer's number of the link, which `RecordedConnection.number` may
    /// differ from.
    var open: [Int: Open] = [:]
    var attempt: Attempt?
    /// The filter accept list, as far as the log shows it.
    var acceptList: [DeviceAddress] = []
    /// The last attempt if it failed: its index in `connections`, and the handle in the event that ended it.
    var failed: (place: Int, handle: UInt16)?
    /// For a peripheral host: its advertising data, the time since when it advertises (nil while it does
    /// not), and the time at which its last connection ended.
    var own = (advertising: RecordedConnection.Advertising(), since: Instant?.none, end: Instant?.none)
    /// The beginning of an extended report that the next report continues.
    var partial: (address: DeviceAddress, data: [UInt8])?

    init(file: Int, adapter: UInt16, origin: CaptureTime, _ budget: ModelBudget = ModelBudget()) {
        self.file = file
        self.adapter = adapter
        self.origin = origin
        self.budget = budget
    }

    /// Goes on to the time of a record on the model's timeline, which never goes back.
    mutating func advance(to time: CaptureTime) { last = max(last, instant(of: time)) }

    /// Returns the place of a time on the timeline; on overflow, that of the last record.
    func instant(of time: CaptureTime) -> Instant {
        let (since, overflow) = time.nanoseconds.subtractingReportingOverflow(origin.nanoseconds)
        return overflow ? last : Instant(nanoseconds: since)
    }

    /// Sort key for the amount that can be replayed: a central's connection counts most, then PDUs, then
    /// records.
    var weight: (Int, Int, Int) {
        let isCentral = connections.contains { $0.isCentral && $0.status == .success }
        return (isCentral ? 1 : 0, attPDUs, records)
    }
}

/// Advertisements that the recorded host received, and the times at which it scanned.
public struct AdvertisingTimeline: Sendable {
    /// An advertisement or scan response.
    public struct Report: Hashable, Sendable {
        /// The number of the report's record.
        public var frame: Int
        public var time: Instant
        public var address: DeviceAddress
        /// The PDU type as in a legacy report: 0 ADV_IND, 1 directed, 2 ADV_SCAN_IND, 3 ADV_NONCONN_IND, 4
        /// SCAN_RSP.
        public var kind: UInt8
        /// The range of the data in ``AdvertisingTimeline/octets``.
        public var data: Range<Int>
        /// Signal strength in dBm.
        public var rssi: Int8
        /// Whether it was received in an extended report.
        public var wasExtended: Bool

        var isScanResponse: Bool { kind == 4 }
    }

    /// A period of scanning.
    public struct Window: Hashable, Sendable {
        public var start: Instant
        /// The end of the scan; nil if the log ends first.
        public var end: Instant?
        /// The number of the record that ends the scan; 0 if absent.
        public var endFrame = 0
        /// Whether the log shows the start of the scan.
        public var startIsKnown: Bool
    }

    /// In the order of reception.
    public internal(set) var reports: [Report] = []
    /// In order, without overlap.
    public internal(set) var windows: [Window] = []
    /// The data of all reports.
    public internal(set) var octets: [UInt8] = []

    /// Returns the data of a report.
    public func data(of report: Report) -> ArraySlice<UInt8> {
        octets[report.data.clamped(to: 0..<octets.count)]
    }

    func firstReport(notBefore time: Instant) -> Int { reports.firstIndex(notBelow: time) { $0.time } }
}

// Knowledge from files beside a log, which the caller has opened.

extension AnalysisKnowledge {
    /// Adds the keys of a keys file.
    public mutating func add(_ keys: KeyStore) {
        var all = uqdk.keys
        all.uqdk += keys.uqdk
        all.peers += keys.peers
        all.privateKeys += keys.privateKeys
        let keepsBodies = uqdk.keepsBodies
        uqdk = UQDKKnowledge(dialects: uqdk.dialects, keys: all)
        uqdk.keepsBodies = keepsBodies
    }
}

extension GATTKnowledge {
    /// Adds the attributes that were discovered in captures, which are read to their end.
    ///
    /// - Parameter knowledge: the knowledge with which they are analyzed.
    /// - Returns: whether the captures have a connection, or a device that was unknown.
    public mutating func add(
        reading captures: inout CaptureSet, with knowledge: AnalysisKnowledge
    ) throws(CaptureFileError) -> Bool {
        var analyzer = Analyzer(knowledge)
        while try captures.advance() {
            let log = captures.log
            let record = captures.record()
            analyzer.analyze(record, file: log)
        }
        analyzer.finish()
        let before = count
        add(analyzer)
        return count > before || analyzer.connectionCount > 0
    }
}
