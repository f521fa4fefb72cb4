import Analysis
import BluetoothCore
import CaptureFile
import Runtime
import WireBytes

// The PDUs of connections, and the matching of responses with requests.

extension AdapterLog {
    mutating func addData(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        guard let number = analyzer.linkNumber, analyzer.frame.acl?.isVendor != true else { return }
        // Data after the end of the connection is not played.
        guard analyzer.links[analyzer.frame.link].isOpen else { return }
        guard analyzer.links[analyzer.frame.link].transport != .brEDR else {
            classic.insert(number)
            return
        }
        let side: RecordedPDU.Side = analyzer.frame.direction == .hostToController ? .host : .peer
        let frameNumber = analyzer.frame.number
        guard let l2cap = analyzer.frame.l2cap else {
            if analyzer.frame.fold == .fragment { open[number]?.pending[side] = frameNumber }
            return
        }
        if open[number] == nil {
            // A link with an unknown beginning counts as LE if it uses a fixed LE channel.
            guard (0x04...0x06).contains(l2cap.cid) else {
                classic.insert(number)
                return
            }
            adoptOrphan(connection: number, analyzer)
        }
        open[number]?.pending[side] = nil
        guard let open = open[number] else { return }
        let place = open.place
        let connection = connections[place].number
        let octets = analyzer.payload(in: record).copied()
        let isCut = l2cap.isCut || octets.count < l2cap.length
        if isCut { obstacles.note(.truncated, frame: frameNumber, connection: connection) }
        guard l2cap.cid < 0x40 else {
            return obstacles.note(.channels, frame: frameNumber, connection: connection)
        }
        guard room.pdus < room.limits.pdus, take(octets.count, analyzer) else {
            return obstacles.note(.limit, frame: frameNumber)
        }
        room.pdus += 1
        var pdu = RecordedPDU(
            frame: frameNumber, time: last, side: side, channel: L2CAPChannelID(rawValue: l2cap.cid),
            octets: octets, isCut: isCut)
        switch pdu.channel {
        case .attribute:
            attPDUs += 1
            join(&pdu, connection: number, place: place, analyzer)
        case .securityManager: noteSecurity(pdu, analyzer, connection)
        default: break
        }
        connections[place].pdus.append(pdu)
    }

    /// Adds an obstacle for a Security Manager PDU that can't be played.
    ///
    /// A refused pairing can be played, since a host without security refuses it too.
    private mutating func noteSecurity(_ pdu: RecordedPDU, _ analyzer: borrowing Analyzer, _ connection: Int)
    {
        let code = SMPCode(rawValue: pdu.octets.first ?? 0)
        guard code != .securityRequest, code != .pairingFailed else { return }
        obstacles.note(.pairing, frame: pdu.frame, connection: connection)
    }

    /// Matches a response or confirmation with its request or indication, and records new ones that wait.
    private mutating func join(
        _ pdu: inout RecordedPDU, connection number: Int, place: Int, _ analyzer: borrowing Analyzer
    ) {
        let next = connections[place].pdus.count
        let other: RecordedPDU.Side = pdu.side == .host ? .peer : .host
        switch pdu.opcode.kind {
        case .request: open[number]?.request[pdu.side] = next
        case .response:
            guard let asked = open[number]?.request[other], pdu.fits(connections[place].pdus[asked].opcode)
            else { return }
            open[number]?.request[other] = nil
            pdu.answers = asked
        case .indication: open[number]?.indication[pdu.side] = next
        case .confirmation: pdu.answers = open[number]?.indication.removeValue(forKey: other)
        default: break
        }
    }

    /// Time from the made-up beginning of a connection to its first PDU: enough for a host's discovery.
    private static var madeUpBeginning: Duration { .seconds(30) }

    /// Returns a static random address for a device without an address in the log.
    private static func madeUpAddress(connection number: Int) -> DeviceAddress {
        DeviceAddress(0xC0_00_00_00_00_00 | UInt64(truncatingIfNeeded: number), .random)
    }

    /// Longest time after a failed attempt in which data still shows that the connection exists.
    private static var contradicted: Duration { .seconds(1) }

    /// Turns a failed attempt into a connection, if data follows on the handle in the attempt's event.
    ///
    /// - Returns: whether it did so.
    private mutating func takeBackFailure(connection number: Int, _ analyzer: borrowing Analyzer) -> Bool {
        guard attempt == nil, let lost = failed, lost.handle == analyzer.links[analyzer.frame.link].handle
        else { return false }
        let attempted = connections[lost.place]
        guard attempted.peer.value != 0, attempted.completed.duration(to: last) < Self.contradicted else {
            return false
        }
        failed = nil
        connections[lost.place].status = .success
        connections[lost.place].number = number
        assumptions.note(.startsInMidConnection, frame: analyzer.frame.number, connection: number)
        open[number] = AdapterLog.Open(place: lost.place, slot: analyzer.frame.link)
        return true
    }

    /// Adds a connection whose beginning the log does not show.
    private mutating func adoptOrphan(connection number: Int, _ analyzer: borrowing Analyzer) {
        if takeBackFailure(connection: number, analyzer) { return }
        guard connections.count < room.limits.connections else {
            obstacles.note(.limit, frame: analyzer.frame.number)
            return
        }
        var connection = RecordedConnection(
            number: number, frame: analyzer.frame.number, status: .success,
            peer: analyzer.links[analyzer.frame.link].address ?? Self.madeUpAddress(connection: number),
            completed: last.advanced(by: .zero - Self.madeUpBeginning))
        connection.wasOpenAtStart = true
        connections.append(connection)
        assumptions.note(.startsInMidConnection, frame: analyzer.frame.number, connection: connection.number)
        open[number] = AdapterLog.Open(place: connections.count - 1, slot: analyzer.frame.link)
    }

    /// Assigns the host's attempt to a connection, if the analysis found that only the event of the
    /// connection is missing from the log.
    mutating func claimAttempt(place: Int, _ slot: Int, _ analyzer: borrowing Analyzer) {
        let link = analyzer.links[slot]
        guard link.beginningIsMissing, let peer = link.address, let asked = link.phases.connectStarted else {
            return
        }
        let first = connections[place].pdus.first?.time ?? last
        connections[place].wasOpenAtStart = false
        connections[place].peer = peer
        connections[place].asked = min(instant(of: asked), first)
        connections[place].completed = first
    }
}
