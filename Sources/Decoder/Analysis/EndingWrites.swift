import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

// Writes after which a peer disconnects, and peers that disconnect each time.

/// The host's last write on a link.
struct LastWrite: Sendable {
    /// Fingerprint of a write: its handle, and the length and the first and last bytes of its value.
    struct Content: Hashable, Sendable {
        var handle: UInt16 = 0
        var count = 0
        var ends: UInt64 = 0
    }

    private(set) var content = Content()
    private(set) var opcode = ATTOpcode.writeRequest
    private(set) var frame = FramePlace()
    private(set) var time = CaptureTime(nanoseconds: .min)
    /// ``Link/peerActivityCount`` before the write.
    private var heard = 0
    /// A bit for each earlier write, taken from a hash; several writes may share one.
    private var sent: UInt64 = 0
    /// Whether it asked the peer to restart.
    var asksToRestart = false
    /// Whether this was the first write with its bit on the link.
    private var isFirst = false

    mutating func note(_ frame: borrowing Frame, _ payload: RawSpan, _ value: Range<Int>, heard: Int) {
        var ends: UInt64 = 0
        for place in value.prefix(8) { ends = ends << 8 | UInt64(payload.octet(at: place) ?? 0) }
        for place in value.dropFirst(8).suffix(8) {
            ends = ends &* 31 ^ UInt64(payload.octet(at: place) ?? 0)
        }
        asksToRestart = false
        content = Content(handle: frame.attPDU.handle ?? 0, count: value.count, ends: ends)
        (opcode, self.frame, time, self.heard) = (frame.attPDU.opcode, frame.place, frame.time, heard)
        let mixed = (ends ^ UInt64(content.handle) << 48 ^ UInt64(content.count)) &* 0x9E37_79B9_7F4A_7C15
        let bit: UInt64 = 1 << (mixed >> 58)
        isFirst = sent & bit == 0
        sent |= bit
    }

    /// Returns the nanoseconds from the write to the peer's disconnection. Nil if they are too many for an
    /// effect of the write, if the peer has sent anything since, or if the link survived an equal write
    /// before.
    func ended(at end: CaptureTime, heard: Int) -> Int64? {
        guard isFirst, let waited = silence(until: end, heard: heard) else { return nil }
        return (0...Link.longestReaction).contains(waited) ? waited : nil
    }

    /// Returns the peer's silence since the write, in nanoseconds; nil if it has sent anything.
    func silence(until end: CaptureTime, heard: Int) -> Int64? {
        self.heard == heard ? end.since(time) : nil
    }
}

/// A write after which the peer ended its connection.
public struct EndingWrite: Sendable {
    var opcode: ATTOpcode
    var content: LastWrite.Content
    var frame: FramePlace
    /// Nanoseconds from the write to the disconnection.
    var waited: Int64
}

extension Link {
    /// The write after which the connection was lost because the peer restarted as it asked; nil if the peer
    /// was heard for longer than ``longestReaction`` after it, or another request followed.
    func restart(until end: CaptureTime) -> FramePlace? {
        guard lastWrite.asksToRestart, bearers[0][.host].request.frame.bits <= lastWrite.frame.bits,
            bearers[0][.host].later.isEmpty
        else { return nil }
        let last = max(lastHeard ?? lastWrite.time, lastWrite.time)
        let known = conditions.inForce.timeout
        let timeout = Int64(known > 0 ? known : Self.longestTimeout) * 10_000_000
        let isRestart =
            last.since(lastWrite.time) <= Self.longestReaction
            && end.since(last) <= timeout + Self.longestReaction
        return isRestart ? lastWrite.frame : nil
    }

    /// Longest supervision timeout, in steps of 10 ms (Core Specification, Vol 4, Part E, 7.8.12).
    private static let longestTimeout: UInt16 = 3200

    /// Number of PDUs that show the peer still working: its notifications and indications, and both sides'
    /// errors and pairing PDUs.
    var peerActivityCount: Int {
        counts.notifications.byPeer &+ counts.indications.byPeer &+ counts.errors &+ counts.smpPDUs
    }
}

extension Analyzer {
    /// Returns the problem of a peer that disconnects right after a write, if the same write ended an earlier
    /// link too. The first such disconnection is only remembered.
    mutating func endingWrite(_ reason: HCIStatus) -> HCIProblem? {
        let last = link.lastWrite
        guard !last.asksToRestart, link.role == .central, let began = link.phases.connected,
            let waited = last.ended(at: frame.time, heard: link.peerActivityCount)
        else { return nil }
        let write = EndingWrite(opcode: last.opcode, content: last.content, frame: last.frame, waited: waited)
        let kind = Setback.Kind.ending(last.content)
        var problem = Problem(.hci(.endedAfterWrite(reason, write)))
        problem.file = frame.place.file
        problem.isOnAir = frame.header.kind == .air
        problem.device = device(of: problem, slot: frame.link)
        let before = setbacks.lastIndex {
            $0.kind == kind && isSecondChance(after: $0, at: began, slot: frame.link)
        }
        guard let before else {
            keep(kind, problem, connection: link.number, isReported: false)
            return nil
        }
        link.wasRejected = true
        if !setbacks[before].isReported {
            setbacks[before].isReported = true
            count(setbacks[before])
        }
        setbacks[before].time = frame.time
        return .endedAfterWrite(reason, write)
    }

    /// Returns the problem of a peer that soon ended its last connections over BR/EDR in a log without their
    /// data. The first of these are only remembered.
    mutating func shortConnection(_ reason: HCIStatus) -> HCIProblem? {
        guard link.transport == .brEDR, totals.acl == 0, let began = link.phases.connected else { return nil }
        let before = setbacks.indices.filter {
            setbacks[$0].kind == .shortConnection && isSamePeer(setbacks[$0], slot: frame.link)
        }
        let isSoon = frame.time.since(began) <= Self.shortConnectionLimit
        guard isSoon, before.last.map({ began.since(setbacks[$0].time) <= Self.seriesGap }) ?? true else {
            endShortConnections()
            return nil
        }
        var problem = Problem(.hci(.endedByPeer(reason, atOnce: nil)))
        problem.file = frame.place.file
        problem.device = device(of: problem, slot: frame.link)
        let isSeries = before.count + 1 >= Self.shortConnectionSeries
        for index in before where isSeries && !setbacks[index].isReported {
            setbacks[index].isReported = true
            totals.count(setbacks[index], speaksProtocol: speaksProtocol(slot: frame.link))
        }
        keep(.shortConnection, problem, connection: link.number, isReported: isSeries)
        return isSeries ? .endedByPeer(reason, atOnce: nil) : nil
    }

    /// Longest duration of a short connection, in nanoseconds, and the number of them in a row that are a
    /// failure.
    private static let shortConnectionLimit: Int64 = 5_000_000_000
    private static let shortConnectionSeries = 3

    /// Ends the peer's series of short connections, since a connection with it ended in another way.
    mutating func endShortConnections() {
        for index in setbacks.indices.reversed()
        where setbacks[index].kind == .shortConnection && isSamePeer(setbacks[index], slot: frame.link) {
            setbacks.remove(at: index)
        }
    }

    /// Counts the first occurrence of a failure, now that it has recurred.
    private mutating func count(_ first: Setback) {
        let speaks = speaksProtocol(slot: frame.link)
        updateTotals(selected: isChosen(first.connection)) { $0.count(first, speaksProtocol: speaks) }
    }

    /// Whether a connection has a selected frame; false without a selection.
    private func isChosen(_ connection: Int) -> Bool {
        selection != nil
            && (finished.contains { $0.number == connection && $0.isChosen }
                || links.contains { $0.number == connection && $0.isChosen })
    }

    /// Whether the selection's totals include this problem. Short connections are included, and counted here,
    /// once three of a series are selected.
    mutating func countsInSelection(_ problem: Problem) -> Bool {
        guard case .hci(.endedByPeer) = problem.kind,
            let own = setbacks.lastIndex(where: { $0.kind == .shortConnection && $0.place == frame.place })
        else { return true }
        let (peer, epoch, order) = (setbacks[own].peer, setbacks[own].epoch, setbacks[own].order)
        let series = setbacks.indices.filter { index in
            let one = setbacks[index]
            return one.kind == .shortConnection && one.peer == peer && one.epoch == epoch
                && one.order < order && (one.isOfSelection || isChosen(one.connection))
        }
        for index in series + [own] { setbacks[index].isOfSelection = true }
        guard series.count + 1 >= Self.shortConnectionSeries else { return false }
        let speaks = speaksProtocol(slot: frame.link)
        for index in series where !setbacks[index].isCountedInSelection {
            setbacks[index].isCountedInSelection = true
            selection?.totals.count(setbacks[index], speaksProtocol: speaks)
        }
        setbacks[own].isCountedInSelection = true
        return true
    }
}

extension HCIProblem {
    /// Returns the row of a loss after a write that asked the peer to restart.
    static func restarted(_ reason: HCIStatus, _ write: FramePlace) -> Problem.Row {
        Problem.Row(
            .abnormalDisconnection, .reached, severity: .warning, side: .host, status: .hci(reason),
            frame: write
        ) {
            "connection lost after the write of frame \(write), which asks \(Side.peer) to restart: "
                + "\(text(reason))"
        }
    }
}

extension CaptureStatistics {
    /// Counts an earlier failure that has recurred, with the requests that it left unanswered.
    fileprivate mutating func count(_ first: Setback, speaksProtocol: Bool) {
        count(
            first.problem, at: first.place, order: first.order, first.time, link: first.connection,
            speaksProtocol: speaksProtocol)
        attachUnanswered(toDisconnection: first.problem.code, at: first.place, on: first.connection)
    }
}
