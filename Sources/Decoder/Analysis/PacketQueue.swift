import BluetoothCore
public import CaptureFile
import PayloadFormat
import WireBytes

/// Puts chosen packets in order and complete: a PDU that is chosen comes with all packets it was sent in.
///
/// Whether a PDU is chosen is known with the packet that completes it. Until then the packets before it wait
/// here, and so do the chosen ones that come between, since records keep their order. What waits is bounded:
/// of a PDU that is never completed, or not within the bounds, only what is chosen by itself is written.
public struct PacketQueue: Sendable {
    /// A packet that waits, or one that waits behind it.
    private struct Waiting: Sendable {
        var record: HeldRecord
        var comment: [UInt8]
        /// What names it, as the analyser saw it: where it is written to, it may be of another file.
        var place: FramePlace
        /// The connection it belongs to, and the way it went.
        var path: Path
        /// Whether it holds a whole L2CAP PDU: a part of an SDU.
        var isPDU = false
        /// The packet that completed its L2CAP PDU, where that is a part of an SDU.
        var completedBy: FramePlace?
        /// Whether it is written; nil while that is not known.
        var isChosen: Bool?

        /// Gives back the room of its octets.
        mutating func release() {
            record.releaseOctets()
            comment = []
        }
    }

    /// One way of one connection: its packets carry one PDU after the other.
    private struct Path: Hashable, Sendable {
        var link: Int
        var isFromHost: Bool
    }

    /// The most packets that wait, those between included.
    public static let mostPackets = 4096
    /// The most octets of them.
    public static let mostOctets = 4 << 20
    /// The most paths whose last PDU is remembered as cut.
    private static let mostPaths = 256

    private var waiting: [Waiting] = []
    /// How many of them, from the first on, were written or left out.
    private var done = 0
    private var octets = 0
    /// Whether the PDU whose packets can't be put together any more was chosen.
    private var isCutChosen: [Path: Bool] = [:]
    /// How many packets were left out.
    public private(set) var leftOut = 0

    /// Octets of packets and comments that are in memory, for tests of the bound.
    var octetsHeld: Int { waiting.reduce(0) { $0 &+ $1.record.count &+ $1.comment.count } }

    /// An empty queue.
    public init() {}

    /// Takes the packet that the analyser saw last, and writes it, or what waited for it, as far as it is
    /// known to be chosen.
    ///
    /// - Parameters:
    ///   - record: the packet.
    ///   - comment: what is to be written with it.
    ///   - isChosen: whether it is chosen by itself.
    ///   - write: writes a packet and its comment.
    public mutating func take<E: Error>(
        _ record: borrowing Record, comment: RawSpan, isChosen: Bool, _ analyzer: borrowing Analyzer,
        write: (borrowing Record, RawSpan) throws(E) -> Void
    ) throws(E) {
        let path = decide(analyzer, isChosen)
        var verdict: Bool? = isChosen
        var isPDU = false
        if let path, !isChosen, analyzer.frame.fold == .fragment {
            isPDU = analyzer.frame.l2cap != nil
            if isPDU || analyzer.frame.acl?.boundary != 1 || isUnderWay(path) {
                verdict = nil
            } else {
                verdict = isCutChosen[path] ?? false
            }
        }
        if done == waiting.count, let verdict {
            if verdict { try write(record, comment) } else { leftOut += 1 }
            return
        }
        if verdict == false {
            leftOut += 1
        } else {
            let held = HeldRecord(record)
            octets &+= held.count &+ comment.byteCount
            waiting.append(
                Waiting(
                    record: held, comment: comment.copied(), place: analyzer.frame.place,
                    path: path ?? Path(link: -1, isFromHost: false), isPDU: isPDU, isChosen: verdict))
        }
        while octets > Self.mostOctets || waiting.count - done > Self.mostPackets {
            // The first one is undecided: it and what waits behind it would else have been written.
            waiting[done].isChosen = false
            try drain(write)
        }
        try drain(write)
    }

    /// Writes what is chosen and waits: nothing more comes.
    public mutating func finish<E: Error>(
        write: (borrowing Record, RawSpan) throws(E) -> Void
    ) throws(E) {
        for index in done..<waiting.count where waiting[index].isChosen == nil {
            waiting[index].isChosen = false
        }
        try drain(write)
    }

    private mutating func drain<E: Error>(
        _ write: (borrowing Record, RawSpan) throws(E) -> Void
    ) throws(E) {
        while done < waiting.count, let isChosen = waiting[done].isChosen {
            let packet = waiting[done]
            // Only its place stays: what was written is not kept for those that wait behind it.
            waiting[done].release()
            done += 1
            octets &-= packet.record.count &+ packet.comment.count
            if isChosen {
                try packet.record.withRecord { record throws(E) in
                    try write(record, packet.comment.borrowedOctets)
                }
            } else {
                leftOut += 1
            }
        }
        if done == waiting.count {
            waiting.removeAll(keepingCapacity: true)
            done = 0
        } else if done >= Self.mostPackets / 2 {
            waiting.removeFirst(done)
            done = 0
        }
    }
}

// What a packet tells about those that wait
extension PacketQueue {
    /// Decides about the packets of the PDU that the last frame completes or gives up.
    ///
    /// - Returns: the frame's connection and way; nil where it carries no PDU.
    private mutating func decide(_ analyzer: borrowing Analyzer, _ isChosen: Bool) -> Path? {
        let frame = analyzer.frame
        guard let acl = frame.acl, !acl.isVendor, analyzer.links.indices.contains(frame.link) else {
            return nil
        }
        let path = Path(
            link: analyzer.links[frame.link].number, isFromHost: frame.direction == .hostToController)
        if acl.boundary != 1 {
            if !isCutChosen.isEmpty { isCutChosen[path] = nil }
            giveUp(path)
        }
        guard let pdu = frame.l2cap else { return path }
        let isOpenSDU = frame.fold == .fragment && !isChosen
        let parts = pdu.fragmentCount > 1 ? analyzer.assembledFrames : []
        for index in done..<waiting.count where waiting[index].path == path && isOpen(index) {
            if waiting[index].record.header.direction == .unknown {
                waiting[index].record.header.direction = frame.direction
            }
            if !waiting[index].isPDU && waiting[index].completedBy == nil {
                if isOpenSDU {
                    waiting[index].completedBy = frame.place
                } else {
                    waiting[index].isChosen = isChosen
                }
            } else if parts.contains(waiting[index].completedBy ?? waiting[index].place) {
                waiting[index].isChosen = isChosen
            }
        }
        if pdu.isCut, isCutChosen.count < Self.mostPaths { isCutChosen[path] = isChosen }
        return path
    }

    private func isOpen(_ index: Int) -> Bool { waiting[index].isChosen == nil }

    /// A new PDU starts: what waits of the one before is never completed.
    private mutating func giveUp(_ path: Path) {
        for index in done..<waiting.count
        where waiting[index].path == path && isOpen(index) && !waiting[index].isPDU
            && waiting[index].completedBy == nil
        {
            waiting[index].isChosen = false
        }
    }

    /// Whether packets of a PDU wait.
    private func isUnderWay(_ path: Path) -> Bool {
        for index in done..<waiting.count
        where waiting[index].path == path && isOpen(index) && !waiting[index].isPDU
            && waiting[index].completedBy == nil
        {
            return true
        }
        return false
    }
}
