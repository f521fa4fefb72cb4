import CaptureFile

// Memory of incomplete data: PDUs, SDUs, values that are written or read in parts, messages of protocols
// above ATT. Each has its own limit; here is the limit for all connections together.

extension Analyzer {
    /// Limit of incomplete data, in bytes: a connection has a few messages of some kilobytes under way.
    static let incompleteBytesLimit = 8 << 20
    /// Number of received bytes after which the memory in use is counted.
    static let octetsToCount = 1 << 20
    /// Overhead counted for each kept packet, in bytes.
    private static let packetOverhead = 128

    /// Counts received bytes that may be kept.
    ///
    /// Released memory is not subtracted; instead, all of it is counted again after ``octetsToCount`` bytes.
    @inline(__always)
    mutating func countReceived(_ count: Int) {
        octetsSinceCount &+= count &+ Self.packetOverhead
        if octetsSinceCount > Self.octetsToCount { limitIncompleteBytes() }
    }

    /// Memory that incomplete data uses in each slot, in bytes.
    private var bytesBySlot: [Int] {
        var bytesBySlot: [Int] = []
        for slot in links.indices {
            bytesBySlot.append(
                links[slot].incompleteBytes &+ annotators.links[slot].reduce(0) { $0 &+ $1.incompleteBytes })
        }
        return bytesBySlot
    }

    /// Memory that incomplete data uses in all slots, in bytes.
    var incompleteBytes: Int { bytesBySlot.reduce(0, &+) }

    /// Drops the incomplete data of the connections that use the most memory, if the total is above the
    /// limit.
    @inline(never)
    private mutating func limitIncompleteBytes() {
        octetsSinceCount = 0
        for slot in links.indices { links[slot].releaseBuffers() }
        var bytesBySlot = bytesBySlot
        var sum = bytesBySlot.reduce(0, &+)
        guard sum > Self.incompleteBytesLimit else { return }
        reportFull(.unfinished)
        // Down to half the limit, so that this does not repeat at once.
        while sum > Self.incompleteBytesLimit / 2,
            let largest = bytesBySlot.indices.max(by: { bytesBySlot[$0] < bytesBySlot[$1] }),
            bytesBySlot[largest] > 0
        {
            dropIncomplete(slot: largest)
            sum &-= bytesBySlot[largest]
            bytesBySlot[largest] = 0
        }
    }

    private mutating func dropIncomplete(slot: Int) {
        links[slot].dropIncomplete()
        links[slot].releaseBuffers()
        annotators.links[slot].dropIncomplete()
    }
}

struct FileProgress: Sendable {
    /// The time of its last record, in nanoseconds; nil before the first.
    var time: Int64?
    /// The packets that its recorder is known to keep.
    var shown = ShownPackets()
    /// The number of packets that the recorder had dropped so far.
    var drops: UInt32 = 0
    /// The earliest time at which a request on one of its links, or a command to one of its adapters, is
    /// overdue, in nanoseconds.
    var deadline = Int64.max
}

/// The packets that a file is known to contain: an export of selected packets lacks others.
public struct ShownPackets: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Packets from the host: commands and data.
    public static let fromHost = Self(rawValue: 1)
    /// Packets from the controller: events and data.
    public static let fromController = Self(rawValue: 2)
    /// HCI events.
    public static let events = Self(rawValue: 4)

    /// Records the direction and kind of one record.
    @inline(__always)
    mutating func note(_ header: borrowing RecordHeader) {
        switch header.direction {
        case .hostToController: formUnion(.fromHost)
        case .controllerToHost:
            formUnion(header.kind == .event ? [.fromController, .events] : .fromController)
        default: if header.kind == .event { formUnion(.events) }
        }
    }

    /// Whether the file holds packets of one side of a connection; a file without directions holds those of
    /// both.
    func holdsPackets(of side: Side) -> Bool {
        isDisjoint(with: [.fromHost, .fromController])
            || contains(side == .host ? .fromHost : .fromController)
    }
}

/// The tables that became full during an analysis, each reported once.
struct FullTables: OptionSet, Sendable {
    let rawValue: UInt16

    static let links = FullTables(rawValue: 1)
    static let peers = FullTables(rawValue: 2)
    static let advertisers = FullTables(rawValue: 4)
    static let adapters = FullTables(rawValue: 8)
    static let channels = FullTables(rawValue: 16)
    static let subscriptions = FullTables(rawValue: 32)
    static let preparedWrites = FullTables(rawValue: 64)
    static let ownAttributes = FullTables(rawValue: 128)
    static let unfinished = FullTables(rawValue: 256)
    static let givenIdentities = FullTables(rawValue: 512)
    static let givenDatabases = FullTables(rawValue: 1024)

    /// The table's contents, for messages.
    var name: String {
        switch self {
        case .links: "connections"
        case .peers: "peers"
        case .advertisers: "advertisers"
        case .adapters: "adapters"
        case .channels: "channels"
        case .preparedWrites: "prepared writes"
        case .ownAttributes: "attributes of the host"
        case .unfinished: "values that are not whole yet"
        case .givenIdentities: "identity resolving keys that were given"
        case .givenDatabases: "attribute databases that were given"
        default: "subscriptions"
        }
    }
}

extension Analyzer {
    /// Reports that a table is full, once in a run.
    mutating func reportFull(_ table: FullTables) {
        guard !fullTables.contains(table) else { return }
        fullTables.insert(table)
        report(.tableFull(table.name))
    }

    /// Reports tables that filled up during the analysis of the last record.
    mutating func checkTables() {
        for table in peers.takeFullGiven() { reportFull(table) }
        if peers.wasFull { reportFull(.peers) }
        if adapters.wasFull { reportFull(.adapters) }
    }
}
