import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

// The memory of what is not whole yet: PDUs, SDUs, values that are written or read in parts, messages of
// protocols above ATT. Each has its own bound; all of all connections together have one
// here.

extension Analyzer {
    /// The most octets of memory that they take together: a connection has a few messages of some kilobytes
    /// under way.
    static let roomLimit = 8 << 20
    /// After how many octets that came it is counted what is kept.
    static let octetsToCount = 1 << 20
    /// What is kept of a packet beside its octets, at most.
    private static let roomOfPacket = 128

    /// Notes that octets came which may be kept.
    ///
    /// What is given up needs no note: from time to time it is counted what is there.
    @inline(__always)
    mutating func hold(_ count: Int) {
        uncountedRoom &+= count &+ Self.roomOfPacket
        if uncountedRoom > Self.octetsToCount { limitRoom() }
    }

    /// The octets of memory that what is not whole takes, of each slot.
    private var rooms: [Int] {
        var rooms: [Int] = []
        for slot in links.indices {
            rooms.append(links[slot].room &+ annotators.links[slot].room)
        }
        return rooms
    }

    /// Those of all together.
    var room: Int { rooms.reduce(0, &+) }

    /// Lets the connections that keep most give it up, as far as all together keep too much.
    @inline(never)
    private mutating func limitRoom() {
        uncountedRoom = 0
        for slot in links.indices { links[slot].releaseRoom() }
        var rooms = rooms
        var sum = rooms.reduce(0, &+)
        guard sum > Self.roomLimit else { return }
        reportFull(.unfinished)
        // To a half, so that it is not done again at once.
        while sum > Self.roomLimit / 2,
            let largest = rooms.indices.max(by: { rooms[$0] < rooms[$1] }), rooms[largest] > 0
        {
            giveUpUnfinished(largest)
            sum &-= rooms[largest]
            rooms[largest] = 0
        }
    }

    private mutating func giveUpUnfinished(_ slot: Int) {
        links[slot].giveUpUnfinished()
        links[slot].releaseRoom()
        annotators.links[slot].giveUpUnfinished()
    }
}
