import BluetoothCore
import CaptureFile
import Runtime

/// The contents of one adapter's log, as far as it has been read.
struct AdapterLog: Sendable {
    /// Whether a sniffer recorded the log from the air.
    var isFromAir = false
    /// The unfinished exchanges of a connection.
    struct Open: Sendable {
        /// The connection's index in `connections`.
        var place: Int
        /// For each side, the index of the request that has no response yet.
        var request: [RecordedPDU.Side: Int] = [:]
        /// For each side, the index of the indication that has no confirmation yet.
        var indication: [RecordedPDU.Side: Int] = [:]
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
        /// The number of the record with the command.
        var frame: Int
        var time: Instant
        var peer: DeviceAddress?
    }

    let file: Int
    let adapter: UInt16
    let origin: CaptureTime
    var last = Instant.zero
    var records = 0
    var attPDUs = 0
    var controller = RecordedController()
    var advertising = AdvertisingTimeline()
    var connections: [RecordedConnection] = []
    var classic: Set<Int> = []
    var packets: [HostPacket] = []
    var obstacles: [Obstacle] = []
    /// Parts of the log that were made up.
    var assumptions: [Obstacle] = []
    /// The unfinished exchanges, by the analyzer's number of the link.
    var open: [Int: Open] = [:]
    var attempt: Attempt?
    /// The filter accept list, as far as the log shows it.
    var acceptList: [DeviceAddress] = []
    /// The last attempt if it failed: its index in `connections`, and the handle in the event that ended it.
    var failed: (place: Int, handle: UInt16)?
    /// The host's own advertising data, the time since when it is advertised, and the time of the last
    /// connection's end.
    var own = (advertising: RecordedConnection.Advertising(), since: Instant?.none, end: Instant?.none)
    /// The beginning of an extended report that the next report continues.
    var partial: (address: DeviceAddress, data: [UInt8])?

    init(file: Int, adapter: UInt16, origin: CaptureTime) {
        self.file = file
        self.adapter = adapter
        self.origin = origin
    }

    /// Returns the time of a record on the model's timeline, which never goes back.
    mutating func advance(to time: CaptureTime) -> Instant {
        last = max(last, instant(of: time))
        return last
    }

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
