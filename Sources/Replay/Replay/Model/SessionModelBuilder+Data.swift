import Analysis
import BluetoothCore
import CaptureFile
import Runtime
import WireBytes

// The PDUs of connections, and the matching of responses with requests.

extension SessionModelBuilder {
    mutating func addData(_ record: borrowing Record, at time: Instant, log: Int) {
        guard let number = linkNumber, frame.acl?.isVendor != true else { return }
        // Data after the end of the connection is not played.
        guard analyzer.links[frame.link].isOpen else { return }
        guard analyzer.links[frame.link].transport != .brEDR else {
            logs[log].classic.insert(number)
            return
        }
        let side: RecordedPDU.Side = frame.direction == .hostToController ? .host : .peer
        let frameNumber = frame.number
        guard let l2cap = frame.l2cap else {
            if frame.fold == .fragment { logs[log].open[number]?.pending[side] = frameNumber }
            return
        }
        if logs[log].open[number] == nil {
            // A link with an unknown beginning counts as LE if it uses a fixed LE channel.
            guard (0x04...0x06).contains(l2cap.cid) else {
                logs[log].classic.insert(number)
                return
            }
            adoptOrphan(connection: number, at: time, log: log)
        }
        logs[log].open[number]?.pending[side] = nil
        guard let open = logs[log].open[number] else { return }
        let place = open.place
        let connection = logs[log].connections[place].number
        let octets = analyzer.payload(in: record).copied()
        let isCut = l2cap.isCut || octets.count < l2cap.length
        if isCut { logs[log].obstacles.note(.truncated, frame: frameNumber, connection: connection) }
        guard l2cap.cid < 0x40 else {
            return logs[log].obstacles.note(.channels, frame: frameNumber, connection: connection)
        }
        guard heldPDUs < limits.pdus, take(octets.count, log: log) else {
            return logs[log].obstacles.note(.limit, frame: frameNumber)
        }
        heldPDUs += 1
        var pdu = RecordedPDU(
            frame: frameNumber, time: time, side: side, channel: L2CAPChannelID(rawValue: l2cap.cid),
            octets: octets, isCut: isCut)
        switch pdu.channel {
        case .attribute:
            logs[log].attPDUs += 1
            join(&pdu, connection: number, place: place, log: log)
        case .securityManager: noteSecurity(pdu, log: log, connection)
        default: break
        }
        logs[log].connections[place].pdus.append(pdu)
    }

    /// Adds an obstacle for a Security Manager PDU that can't be played.
    ///
    /// A refused pairing can be played, since a host without security refuses it too.
    private mutating func noteSecurity(_ pdu: RecordedPDU, log: Int, _ connection: Int) {
        let code = SMPCode(rawValue: pdu.octets.first ?? 0)
        guard code != .securityRequest, code != .pairingFailed else { return }
        logs[log].obstacles.note(.pairing, frame: pdu.frame, connection: connection)
    }

    /// Matches a response or confirmation with its request or indication, and records new ones that wait.
    private mutating func join(_ pdu: inout RecordedPDU, connection number: Int, place: Int, log: Int) {
        let next = logs[log].connections[place].pdus.count
        let other: RecordedPDU.Side = pdu.side == .host ? .peer : .host
        switch pdu.opcode.kind {
        case .request: logs[log].open[number]?.request[pdu.side] = next
        case .response:
            guard let asked = logs[log].open[number]?.request[other],
                pdu.fits(logs[log].connections[place].pdus[asked].opcode)
            else { return }
            logs[log].open[number]?.request[other] = nil
            pdu.answers = asked
        case .indication: logs[log].open[number]?.indication[pdu.side] = next
        case .confirmation: pdu.answers = logs[log].open[number]?.indication.removeValue(forKey: other)
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
    private mutating func takeBackFailure(connection number: Int, at time: Instant, log: Int) -> Bool {
        guard logs[log].attempt == nil, let last = logs[log].failed,
            last.handle == analyzer.links[frame.link].handle
        else { return false }
        let failed = logs[log].connections[last.place]
        guard failed.peer.value != 0, failed.completed.duration(to: time) < Self.contradicted else {
            return false
        }
        logs[log].failed = nil
        logs[log].connections[last.place].status = .success
        logs[log].connections[last.place].number = number
        logs[log].assumptions.note(.startsInMidConnection, frame: frame.number, connection: number)
        logs[log].open[number] = AdapterLog.Open(place: last.place, slot: frame.link)
        return true
    }

    /// Adds a connection whose beginning the log does not show.
    private mutating func adoptOrphan(connection number: Int, at time: Instant, log: Int) {
        if takeBackFailure(connection: number, at: time, log: log) { return }
        guard logs[log].connections.count < limits.connections else {
            logs[log].obstacles.note(.limit, frame: frame.number)
            return
        }
        var connection = RecordedConnection(
            number: number, frame: frame.number, status: .success,
            peer: analyzer.links[frame.link].address ?? Self.madeUpAddress(connection: number),
            completed: time.advanced(by: .zero - Self.madeUpBeginning))
        connection.wasOpenAtStart = true
        logs[log].connections.append(connection)
        logs[log].assumptions.note(
            .startsInMidConnection, frame: frame.number, connection: connection.number)
        logs[log].open[number] = AdapterLog.Open(
            place: logs[log].connections.count - 1, slot: frame.link)
    }

    /// Assigns the host's attempt to a connection, if the analysis found that only the event of the
    /// connection is missing from the log.
    mutating func claimAttempt(place: Int, _ slot: Int, log: Int) {
        let link = analyzer.links[slot]
        guard link.beginningIsMissing, let peer = link.address, let asked = link.phases.connectStarted
        else { return }
        let first = logs[log].connections[place].pdus.first?.time ?? logs[log].last
        logs[log].connections[place].wasOpenAtStart = false
        logs[log].connections[place].peer = peer
        logs[log].connections[place].asked = min(logs[log].instant(of: asked), first)
        logs[log].connections[place].completed = first
    }
}
