public import CaptureFile
import PayloadFormat
import WireBytes

/// Keeps selected packets in order and complete: a selected PDU is written with all its packets.
///
/// Only the packet that completes a PDU shows whether the PDU is selected. Until then its earlier packets
/// wait here, and so do selected packets in between, since records keep their order. The queue is bounded: if
/// a PDU is not completed within the bounds, only those of its packets that are selected themselves are
/// written.
public struct PacketQueue: Sendable {
    /// A packet that waits for its decision, or for packets before it.
    private struct Waiting: Sendable {
        var record: HeldRecord
        var comment: [UInt8]
        /// The place of the packet in the analysis; it may be written to another file.
        var place: FramePlace
        /// The packet's connection and direction.
        var path: Path
        /// Whether it completes an L2CAP PDU that is a part of an SDU.
        var endsPartOfSDU = false
        /// The packet that completed this packet's L2CAP PDU, if that is a part of an SDU.
        var completedBy: FramePlace?
        /// Whether the packet is written; nil until that is known.
        var isChosen: Bool?

        mutating func release() {
            record.releaseOctets()
            comment = []
        }
    }

    /// One direction of a connection, in which PDUs follow each other.
    private struct Path: Hashable, Sendable {
        var link: Int
        var isFromHost: Bool
    }

    /// The most packets that wait, including those that wait only for others.
    public static let mostPackets = 4096
    /// The most bytes of waiting packets.
    public static let mostOctets = 4 << 20
    /// Limit of the paths in ``isCutChosen``.
    private static let mostPaths = 256

    private var waiting: [Waiting] = []
    /// Number of packets at the front of `waiting` that were written or left out.
    private var doneCount = 0
    private var octets = 0
    /// The paths whose last PDU was truncated, and whether that PDU was selected: its later packets can't be
    /// reassembled.
    private var isCutChosen: [Path: Bool] = [:]
    /// The number of packets that were left out.
    public private(set) var leftOut = 0

    /// Number of bytes of packets and comments in memory, for tests of the limit.
    var octetsHeld: Int { waiting.reduce(0) { $0 &+ $1.record.count &+ $1.comment.count } }

    /// Creates an empty queue.
    public init() {}

    /// Adds the packet that was analysed last; writes it and the packets that waited for it, if they are
    /// selected.
    ///
    /// - Parameters:
    ///   - record: the packet.
    ///   - comment: the comment to write with it.
    ///   - isChosen: whether it is selected itself.
    ///   - write: writes a packet and its comment.
    public mutating func take<E: Error>(
        _ record: borrowing Record, comment: RawSpan, isChosen: Bool, _ analyzer: borrowing Analyzer,
        write: (borrowing Record, RawSpan) throws(E) -> Void
    ) throws(E) {
        let path = decide(analyzer, isChosen)
        var verdict: Bool? = isChosen
        var endsPartOfSDU = false
        if let path, !isChosen, analyzer.frame.fold == .fragment {
            endsPartOfSDU = analyzer.frame.l2cap != nil
            if endsPartOfSDU || analyzer.frame.acl?.boundary != 1 || isUnderWay(path) {
                verdict = nil
            } else {
                verdict = isCutChosen[path] ?? false
            }
        }
        if doneCount == waiting.count, let verdict {
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
                    path: path ?? Path(link: -1, isFromHost: false), endsPartOfSDU: endsPartOfSDU,
                    isChosen: verdict))
        }
        while octets > Self.mostOctets || waiting.count - doneCount > Self.mostPackets {
            // The first waiting packet is undecided, or it would have been written.
            waiting[doneCount].isChosen = false
            try drain(write)
        }
        try drain(write)
    }

    /// Writes the selected packets that still wait, at the end of the log.
    public mutating func finish<E: Error>(write: (borrowing Record, RawSpan) throws(E) -> Void) throws(E) {
        for index in doneCount..<waiting.count where waiting[index].isChosen == nil {
            waiting[index].isChosen = false
        }
        try drain(write)
    }

    private mutating func drain<E: Error>(_ write: (borrowing Record, RawSpan) throws(E) -> Void) throws(E) {
        while doneCount < waiting.count, let isChosen = waiting[doneCount].isChosen {
            let packet = waiting[doneCount]
            // Only the packet's place is needed while packets behind it wait.
            waiting[doneCount].release()
            doneCount += 1
            octets &-= packet.record.count &+ packet.comment.count
            if isChosen {
                try packet.record.withRecord { record throws(E) in
                    try write(record, packet.comment.borrowedOctets)
                }
            } else {
                leftOut += 1
            }
        }
        if doneCount == waiting.count {
            waiting.removeAll(keepingCapacity: true)
            doneCount = 0
        } else if doneCount >= Self.mostPackets / 2 {
            waiting.removeFirst(doneCount)
            doneCount = 0
        }
    }
}

// Decisions about waiting packets
extension PacketQueue {
    /// Decides about the packets of the PDU that the last frame completes or abandons.
    ///
    /// - Returns: the frame's connection and direction; nil if it carries no PDU.
    private mutating func decide(_ analyzer: borrowing Analyzer, _ isChosen: Bool) -> Path? {
        let frame = analyzer.frame
        guard let acl = frame.acl, !acl.isVendor, analyzer.links.indices.contains(frame.link) else {
            return nil
        }
        let path = Path(link: analyzer.link.number, isFromHost: frame.direction == .hostToController)
        if acl.boundary != 1 {
            if !isCutChosen.isEmpty { isCutChosen[path] = nil }
            leaveOutUnfinished(path)
        }
        guard let pdu = frame.l2cap else { return path }
        let isOpenSDU = frame.fold == .fragment && !isChosen
        let parts = pdu.fragmentCount > 1 ? analyzer.assembledFrames : []
        for index in doneCount..<waiting.count where waiting[index].path == path && isOpen(at: index) {
            if waiting[index].record.header.direction == .unknown {
                waiting[index].record.header.direction = frame.direction
            }
            if !waiting[index].endsPartOfSDU && waiting[index].completedBy == nil {
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

    private func isOpen(at index: Int) -> Bool { waiting[index].isChosen == nil }

    /// Leaves out the waiting packets of an unfinished PDU, since a new PDU starts on its path.
    private mutating func leaveOutUnfinished(_ path: Path) {
        for index in doneCount..<waiting.count where belongsToUnfinishedPDU(at: index, path) {
            waiting[index].isChosen = false
        }
    }

    /// Whether packets of an unfinished PDU wait.
    private func isUnderWay(_ path: Path) -> Bool {
        (doneCount..<waiting.count).contains { belongsToUnfinishedPDU(at: $0, path) }
    }

    private func belongsToUnfinishedPDU(at index: Int, _ path: Path) -> Bool {
        waiting[index].path == path && isOpen(at: index) && !waiting[index].endsPartOfSDU
            && waiting[index].completedBy == nil
    }
}
