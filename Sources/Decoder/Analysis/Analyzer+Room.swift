import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

// Memory of incomplete data: PDUs, SDUs, values that are written or read in parts, messages of protocols
// above ATT. Each has its own limit; here is the limit for all connections together.

extension Analyzer {
    /// Most memory that they use together, in bytes: a connection has a few messages of some kilobytes under
    /// way.
    static let roomLimit = 8 << 20
    /// Number of received bytes after which the memory in use is counted.
    static let octetsToCount = 1 << 20
    /// Most memory kept for a packet beside its data, in bytes.
    private static let roomOfPacket = 128

    /// Counts received bytes that may be kept.
    ///
    /// Released memory is not subtracted: the memory in use is counted from time to time.
    @inline(__always)
    mutating func hold(_ count: Int) {
        uncountedRoom &+= count &+ Self.roomOfPacket
        if uncountedRoom > Self.octetsToCount { limitRoom() }
    }

    /// Memory that incomplete data uses in each slot, in bytes.
    private var rooms: [Int] {
        var rooms: [Int] = []
        for slot in links.indices {
            rooms.append(links[slot].room &+ annotators.links[slot].room)
        }
        return rooms
    }

    /// Memory that incomplete data uses in all slots, in bytes.
    var room: Int { rooms.reduce(0, &+) }

    /// Drops the incomplete data of the connections that use most memory, if all together use too much.
    @inline(never)
    private mutating func limitRoom() {
        uncountedRoom = 0
        for slot in links.indices { links[slot].releaseRoom() }
        var rooms = rooms
        var sum = rooms.reduce(0, &+)
        guard sum > Self.roomLimit else { return }
        reportFull(.unfinished)
        // Down to half the limit, so that this does not repeat at once.
        while sum > Self.roomLimit / 2,
            let largest = rooms.indices.max(by: { rooms[$0] < rooms[$1] }), rooms[largest] > 0
        {
            giveUpUnfinished(slot: largest)
            sum &-= rooms[largest]
            rooms[largest] = 0
        }
    }

    private mutating func giveUpUnfinished(slot: Int) {
        links[slot].giveUpUnfinished()
        links[slot].releaseRoom()
        annotators.links[slot].giveUpUnfinished()
    }
}
