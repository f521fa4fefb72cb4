import BluetoothCore
import CaptureFile
import Runtime

/// What has been read of one adapter so far.
struct AdapterLog: Sendable {
    /// What is under way on one connection.
    struct Open: Sendable {
        /// The connection's place in the log.
        var place: Int
        /// The request of each side that has no response yet.
        var request: [RecordedPDU.Side: Int] = [:]
        /// The indication of each side that has no confirmation yet.
        var indication: [RecordedPDU.Side: Int] = [:]
        /// The frame of the fragment of each side whose PDU is not complete.
        var pending: [RecordedPDU.Side: Int] = [:]
        /// Whether the host asked for new parameters.
        var isUpdating = false
        /// The host's command to disconnect.
        var disconnect: RecordedConnection.Request?
        /// The analyser's slot.
        var slot: Int
    }

    /// A connection that the host asked for.
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
    /// What was made up.
    var assumptions: [Obstacle] = []
    /// By the analyser's number of the link.
    var open: [Int: Open] = [:]
    var attempt: Attempt?
    /// The filter accept list, as far as the log shows it.
    var acceptList: [DeviceAddress] = []
    /// The last attempt, if it failed: its place among the connections, and the handle that its event names.
    var failed: (place: Int, handle: UInt16)?
    /// What the host has set to be advertised, since when it is, and the last end of a connection.
    var own = (advertising: RecordedConnection.Advertising(), since: Instant?.none, end: Instant?.none)
    /// An extended report whose data goes on in the next.
    var partial: (address: DeviceAddress, data: [UInt8])?

    init(file: Int, adapter: UInt16, origin: CaptureTime) {
        self.file = file
        self.adapter = adapter
        self.origin = origin
    }

    /// The place of a record on the line of time, which never goes back.
    mutating func advance(to time: CaptureTime) -> Instant {
        last = max(last, instant(of: time))
        return last
    }

    /// The place of a time on the line of time, the last record's if that overflows.
    func instant(of time: CaptureTime) -> Instant {
        let (since, overflow) = time.nanoseconds.subtractingReportingOverflow(origin.nanoseconds)
        return overflow ? last : Instant(nanoseconds: since)
    }

    /// How much there is to replay: a central's connection above all, then PDUs, then records.
    var weight: (Int, Int, Int) {
        let isCentral = connections.contains { $0.isCentral && $0.status == .success }
        return (isCentral ? 1 : 0, attPDUs, records)
    }
}
