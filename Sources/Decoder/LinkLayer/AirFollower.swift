import BluetoothCore
public import CaptureFile
import WireBytes

/// Follows the connections in a sniffer's capture, packet by packet, and tells what the central's host saw.
///
/// Packets whose check sequence is wrong change nothing. Memory is bounded: of more than ``connectionLimit``
/// connections the one that was quiet longest is forgotten.
public struct AirFollower: Sendable {
    /// Most connections followed at once.
    public static let connectionLimit = 64

    /// The link layer's account of the last packet.
    public struct Account: Sendable {
        public var packet = AirPacket()
        /// Whether its header could be read.
        public var isReadable = false
        /// Index of its connection in ``AirFollower/connections``; nil for others.
        public var connection: Int?
        /// Whether the central sent it; nil if that is unknown.
        public var fromCentral: Bool?
        /// Whether the sender was inferred from the packet's place in its connection event.
        public var senderIsInferred = false
        /// Whether it repeats the packet before it in its direction.
        public var isRetransmission = false
        /// Connection events before it that were not heard.
        public var missedEvents = 0
        /// Whether a packet may have been missed since the last one: an event was not heard, or a check
        /// sequence was wrong.
        public var mayHaveMissed = false
        /// Whether the sequence number shows that a packet of this direction was missed.
        public var hasLost = false
        /// The handles of connections whose end was not heard, and which this packet shows to be over.
        public var unheardEnds: [UInt16] = []
        /// The connections that this packet shows to be lost although no PDU ended them, with the time of
        /// their end in nanoseconds.
        public var inferredEnds: [(handle: UInt16, time: Int64)] = []
        /// The opcode of a control PDU that can be read.
        public var controlOpcode: UInt8?
        /// Whether this is how it was sent: not an encrypted PDU whose start the sniffer missed, nor one that
        /// another program decrypted.
        public var isCertain = false
        /// Whether its sender has sent one like it before on the connection, although only one is allowed.
        public var repeatsVersion = false
        /// The payload after decryption, where this program opened it.
        public var opened: [UInt8]?
        /// The reason why the payload, which is encrypted, was not opened; nil for others.
        public var closed: LinkSecurity.Reason?
        /// Whether the payload is encrypted and was not opened.
        public var isClosed: Bool { closed != nil }
        /// Whether it is an L2CAP PDU in plaintext, although others of the connection were encrypted before.
        public var isPlaintext = false
        /// Whether another program decrypted it and did not say so.
        var isDecrypted = false
    }

    public internal(set) var last = Account()
    /// The HCI packets of the last packet.
    public internal(set) var view = HostView()
    public internal(set) var connections: [AirConnection] = []
    /// The keys that are tried, and those that the capture revealed.
    public private(set) var keys: LinkKeys
    /// Advertisers of chained extended advertising, by advertising set.
    private var chains = AdvertisingChains()
    /// Whether extended advertising was heard, which alone is answered on a secondary channel.
    private var hasExtendedAdvertising = false
    private var nextHandle: UInt16 = 0
    /// The earliest time at which the supervision timeout of a connection has run out, in nanoseconds.
    private var nextDeadline = Int64.max

    /// Creates a follower that opens links with these keys, and those that it learns.
    public init(keys: LinkKeys = LinkKeys()) { self.keys = keys }

    /// Follows one packet; other records have an empty view.
    public mutating func follow(_ record: borrowing Record) {
        view.clear()
        last = Account()
        let radio = record.header.radio
        guard record.header.kind == .air,
            var packet = AirPacket(
                record.octets, radio, isWhole: !record.header.isTruncated,
                crcInit: { address in find(address).flatMap { connections[$0].crcInit } })
        else { return }
        if record.header.time.nanoseconds > nextDeadline {
            loseSilent(at: record.header.time.nanoseconds, before: packet)
        }
        if packet.integrity == .invalid, !radio.flags.contains(.crcChecked), isDecrypted(packet, record) {
            packet.integrity = .unchecked
            last.isDecrypted = true
            if let place = find(packet.accessAddress) { connections[place].isDecryptedElsewhere = true }
        }
        if packet.isRequest, packet.channel == 0, !hasExtendedAdvertising { packet.isSecondary = false }
        last.packet = packet
        last.isReadable = !radio.flags.contains(.whitened)
        guard packet.integrity != .invalid else {
            last.connection = packet.isAdvertising ? nil : find(packet.accessAddress)
            if let place = last.connection { connections[place].counts.wrongCRC &+= 1 }
            last.mayHaveMissed = true
            return
        }
        guard last.isReadable else { return }
        let payload = record.octets.clamped(packet.payload)
        if packet.isAdvertising {
            advertised(payload, record.header)
        } else if radio.flags.contains(.isochronous) {
            return
        } else if let place = find(packet.accessAddress) ?? begin(packet, payload, record.header) {
            last.connection = place
            received(payload, record.header, connection: place)
        }
    }

    /// Whether another program decrypted a packet and left the check sequence of the encrypted one: after the
    /// start of encryption it is in clear, as a whole.
    private func isDecrypted(_ packet: AirPacket, _ record: borrowing Record) -> Bool {
        guard !packet.isAdvertising, packet.length > 0, packet.llid > 1,
            let place = find(packet.accessAddress), connections[place].security.isEncrypted,
            AirConnection.fits(record.octets.clamped(packet.payload), packet)
        else { return false }
        // Chance gives a damaged PDU with a MIC, which has more bytes, the opcode of a control PDU.
        return packet.llid == 2 || packet.length <= EncryptedPacket.micLength
            || connections[place].isDecryptedElsewhere
    }

    private func find(_ accessAddress: UInt32) -> Int? {
        connections.firstIndex { $0.accessAddress == accessAddress }
    }

    /// Begins a connection whose request was not heard, if the packet is believable.
    private mutating func begin(
        _ packet: AirPacket, _ payload: RawSpan, _ header: RecordHeader
    ) -> Int? {
        guard packet.llid != 0 || header.radio.flags.contains(.crcValid) else { return nil }
        if packet.integrity == .unchecked {
            // Noise looks like anything; a whole L2CAP PDU on a fixed channel does not come by chance.
            guard packet.llid == 2, let length = payload.u16le(at: 0), let channel = payload.u16le(at: 2),
                (4...6).contains(channel), Int(length) + 4 == packet.length
            else { return nil }
        }
        return add(packet.accessAddress)
    }

    private mutating func add(_ accessAddress: UInt32) -> Int {
        var connection = AirConnection(accessAddress, handle: nextHandle)
        nextHandle = nextHandle == 0xEFF ? 0 : nextHandle + 1
        if let old = find(accessAddress) {
            connections[old] = connection
            return old
        }
        guard connections.count >= Self.connectionLimit else {
            connections.append(connection)
            return connections.count - 1
        }
        let quietest = connections.indices.min {
            (connections[$0].last?.time ?? .min) < (connections[$1].last?.time ?? .min)
        }
        let place = quietest ?? 0
        swap(&connections[place], &connection)
        return place
    }

    // MARK: Advertising

    private mutating func advertised(_ payload: RawSpan, _ header: RecordHeader) {
        let packet = last.packet
        let type = packet.advertisingType
        let rssi = header.radio.knownSignal ?? 127
        let kinds: (DeviceAddress.Kind, DeviceAddress.Kind) = (
            packet.header & 0x40 == 0 ? .public : .random, packet.header & 0x80 == 0 ? .public : .random
        )
        switch type {
        case 0, 1, 2, 4, 6:
            guard payload.byteCount >= 6 else { return }
            // Who still advertises has not taken the connection request: it takes one that was not heard.
            var reader = ByteReader(payload)
            if type < 2, let device = try? DeviceAddress(decoding: &reader, kind: kinds.0) {
                for place in connections.indices
                where connections[place].waits(for: device, at: header.time.nanoseconds) {
                    connections[place].firstEvent = nil
                }
            }
            // A controller passes at most the 31 bytes that are allowed.
            let kept = type == 1 ? payload.clamped(0..<0) : payload.clamped(6..<37)
            let start = view.beginLEEvent(0x02)
            view.bytes.u8(1)
            view.bytes.u8(type == 2 ? 3 : type == 6 ? 2 : type)
            view.bytes.u8(kinds.0.rawValue)
            payload.clamped(0..<6).append(to: &view.bytes.octets)
            view.bytes.u8(UInt8(kept.byteCount))
            kept.append(to: &view.bytes.octets)
            view.bytes.i8(rssi)
            view.endEvent(from: start)
        case 5: requested(payload, kinds, header)
        case 7: advertisedExtended(payload, kinds, header)
        default: break
        }
    }

    /// Handles CONNECT_IND and AUX_CONNECT_REQ.
    private mutating func requested(
        _ payload: RawSpan, _ kinds: (DeviceAddress.Kind, DeviceAddress.Kind), _ header: RecordHeader
    ) {
        var reader = ByteReader(payload)
        guard payload.byteCount >= 34, let central = try? DeviceAddress(decoding: &reader, kind: kinds.0),
            let peripheral = try? DeviceAddress(decoding: &reader, kind: kinds.1),
            let accessAddress = try? reader.u32le(), let low = try? reader.u16le(),
            let high = try? reader.u8(), let interval = payload.u16le(at: 22),
            let latency = payload.u16le(at: 24), let timeout = payload.u16le(at: 26)
        else { return }
        // The same request repeated on the air, or heard by two sniffers, is one.
        if let known = find(accessAddress), !connections[known].isEstablished,
            connections[known].peripheral == peripheral
        {
            last.connection = known
            return
        }
        endOlder(central, peripheral, at: header.time.nanoseconds)
        let place = add(accessAddress)
        connections[place].central = central
        connections[place].peripheral = peripheral
        connections[place].crcInit = UInt32(low) | UInt32(high) << 16
        connections[place].interval = Int64(interval) * 1_250_000
        // The packet of 352 µs, the delay of 1.25 ms and the offset (Vol 6, Part B, 4.5.3); 0.1 ms for the
        // sniffer's clock.
        let offset = Int64(payload.u16le(at: 20) ?? 0) * 1_250_000
        let (first, overflow) = header.time.nanoseconds.addingReportingOverflow(1_500_000 + offset)
        connections[place].firstEvent = overflow ? nil : first
        connections[place].parameters = (interval, latency, timeout)
        connections[place].security = LinkSecurity(central: central, peripheral: peripheral)
        last.connection = place
        var command = ByteWriter()
        command.u16le(0x10)
        command.u16le(0x10)
        command.bytes([0, peripheral.kind.rawValue])
        command.u48le(peripheral.value)
        command.u8(central.kind.rawValue)
        for value in [interval, interval, latency, timeout, 0, 0] { command.u16le(value) }
        view.command(0x200D, command)
    }

    /// Ends the connections whose supervision timeout has run out after the peripheral had fallen silent. If
    /// both sides fell silent at once, the sniffer may have lost them. The connection of `packet` goes on:
    /// the sniffer's clock jumped.
    private mutating func loseSilent(at time: Int64, before packet: AirPacket) {
        nextDeadline = .max
        for place in connections.indices
        where !connections[place].hasEnded && connections[place].accessAddress != packet.accessAddress {
            let connection = connections[place]
            guard let last = connection.last, connection.timeout > 0, connection.isEstablished else {
                continue
            }
            let deadline = last.time &+ connection.timeout
            if time <= deadline {
                nextDeadline = min(nextDeadline, deadline)
            } else {
                _ = inferEnd(of: place, at: time)
            }
        }
    }

    /// Ends a connection whose end is only shown by its silence; returns false if that does not show it.
    private mutating func inferEnd(of place: Int, at now: Int64) -> Bool {
        guard let reason = connections[place].silentEnd,
            let time = connections[place].silentEndTime(reason, at: now)
        else { return false }
        last.inferredEnds.append((connections[place].handle, time))
        end(connection: place, reason: reason)
        return true
    }

    /// Ends connections between the same devices, which can't be open any more.
    private mutating func endOlder(
        _ central: DeviceAddress, _ peripheral: DeviceAddress, at time: Int64
    ) {
        for place in connections.indices
        where connections[place].isEstablished && !connections[place].hasEnded
            && connections[place].peripheral == peripheral && connections[place].central == central
            && !inferEnd(of: place, at: time)
        {
            connections[place].hasEnded = true
            last.unheardEnds.append(connections[place].handle)
        }
    }

    private mutating func advertisedExtended(
        _ payload: RawSpan, _ kinds: (DeviceAddress.Kind, DeviceAddress.Kind), _ header: RecordHeader
    ) {
        var reader = ByteReader(payload)
        guard let fields = try? ExtendedAdvertisingHeader(decoding: &reader) else { return }
        hasExtendedAdvertising = true
        let data = payload.dropping(reader.offset)
        let known = chains.note(
            fields, kinds.0, kinds.1, at: header.time.nanoseconds)
        // A packet on a primary channel that only points to another one is not reported by controllers.
        guard !fields.hasAuxiliaryPointer || last.packet.isSecondary else { return }
        let rssi = header.radio.knownSignal ?? 127
        let kept = data.clamped(0..<229)
        var type: UInt16 = fields.mode == 1 ? 1 : fields.mode == 2 ? 2 : 0
        if known?.target != nil { type |= 4 }
        if fields.hasAuxiliaryPointer { type |= 0x20 }
        let start = view.beginLEEvent(0x0D)
        view.bytes.u8(1)
        view.bytes.u16le(type)
        view.bytes.u8(known?.advertiser?.kind.rawValue ?? 0xFF)
        view.bytes.u48le(known?.advertiser?.value ?? 0)
        view.bytes.u8(1)
        view.bytes.u8(last.packet.isSecondary ? 1 : 0)
        view.bytes.u8(known.map { UInt8($0.set) } ?? 0xFF)
        view.bytes.i8(Int8(truncatingIfNeeded: fields.txPower))
        view.bytes.i8(rssi)
        view.bytes.u16le(0)
        view.bytes.u8(known?.target?.kind.rawValue ?? 0)
        view.bytes.u48le(known?.target?.value ?? 0)
        view.bytes.u8(UInt8(kept.byteCount))
        kept.append(to: &view.bytes.octets)
        view.endEvent(from: start)
    }

    // MARK: Data

    private mutating func received(_ payload: RawSpan, _ header: RecordHeader, connection place: Int) {
        let packet = last.packet
        let time = header.time.nanoseconds
        let flags = header.radio.flags
        let fromCentral: Bool
        if flags.isDisjoint(with: [.fromCentral, .fromPeripheral]) {
            fromCentral = connections[place].infersCentral(at: time, packet.channel)
            last.senderIsInferred = true
        } else {
            fromCentral = flags.contains(.fromCentral)
        }
        last.fromCentral = fromCentral
        let before = connections[place].last
        last.missedEvents = connections[place].advance(
            to: time, packet.channel, fromCentral: fromCentral)
        if !last.senderIsInferred, before?.fromCentral == fromCentral, connections[place].anchor != time,
            !connections[place].announcesMore
        {
            connections[place].mixesSides = true
        }
        connections[place].announcesMore = packet.header & 0x10 != 0
        if connections[place].timeout > 0, !connections[place].hasEnded {
            nextDeadline = min(nextDeadline, time &+ connections[place].timeout)
        }
        connections[place].last = (time, packet.channel, packet.length, fromCentral)
        connections[place].noteSilence(packet, fromCentral: fromCentral)
        connections[place].counts.packets &+= 1
        guard !connections[place].hasEnded else { return }
        establish(connection: place)
        let content = payload.fingerprint &+ UInt64(packet.length)
        let (repeats, hasLost) = connections[place].withWay(fromCentral) { way in
            let isSame = way.sequenceNumber == packet.sequenceNumber
            let repeats = isSame && way.content == content
            way.sequenceNumber = packet.sequenceNumber
            way.content = content
            if packet.sequenceNumber | packet.nextSequenceNumber != 0 { way.hasNumbers = true }
            if !repeats {
                (way.opened, way.sent) = (nil, time)
                way.contents += 1
            }
            let isNumbered = way.hasNumbers || way.contents <= AirConnection.Way.unnumberedLimit
            return (repeats, isSame && !repeats && isNumbered)
        }
        if fromCentral, packet.length > 0 {
            let isSureToRepeat = last.missedEvents <= 1 || packet.comesOnce(payload)
            connections[place].noteData(at: time, isRepetition: repeats && isSureToRepeat)
        }
        last.hasLost = hasLost
        let isUnheard = connections[place].acknowledgesUnheard(packet, fromCentral: fromCentral)
        last.mayHaveMissed = hasLost || last.missedEvents > 0 || isUnheard
        if repeats, packet.length > 0 {
            last.isRetransmission = true
            last.opened = connections[place].withWay(fromCentral) { $0.opened }
            connections[place].counts.retransmissions &+= 1
            return
        }
        guard packet.length > 0, !packet.isCut || packet.llid != 3 else { return }
        noteStarted(connection: place, payload, llid: packet.llid, fromCentral)
        let isDecrypted = flags.contains(.decrypted) || last.isDecrypted
        if isDecrypted || !connections[place].mayBeClear(payload, packet) {
            guard isDecrypted else { return close(.noEncryptionRequest, connection: place) }
            return deliver(payload, packet.llid, connection: place, fromCentral)
        }
        open(payload, connection: place, fromCentral)
        connections[place].withWay(fromCentral) { $0.opened = last.opened }
    }

    /// Opens the payload of a data PDU, if it is encrypted, and delivers it.
    private mutating func open(_ payload: RawSpan, connection place: Int, _ fromCentral: Bool) {
        let packet = last.packet
        let result = connections[place].security.open(
            header: packet.header, payload: payload, fromCentral: fromCentral, keys: &keys)
        switch result {
        case .clear: deliver(payload, packet.llid, connection: place, fromCentral)
        case .plaintext:
            last.isPlaintext = true
            connections[place].drops(byCentral: !fromCentral, reason: 0x3D)
            deliver(payload, packet.llid, connection: place, fromCentral)
        case .pending:
            let sender = connections[place].security.openedFromCentral
            connections[place].withWay(sender) { $0.pendingLLID = packet.llid }
            close(.gap, connection: place)
        case .closed(let reason): close(reason, connection: place)
        case .opened(let octets): deliver(opened: octets, connection: place)
        case .confirmed(let before, let octets):
            // The packet that was held back comes first.
            let sender = connections[place].security.openedFromCentral
            let llid = connections[place].withWay(sender) { $0.pendingLLID }
            deliver(before.borrowedOctets, llid, connection: place, sender)
            connections[place].counts.closed &-= 1
            deliver(opened: octets, connection: place)
        }
    }

    private mutating func close(_ reason: LinkSecurity.Reason, connection place: Int) {
        last.closed = reason
        if reason == .wrongMIC, let fromCentral = last.fromCentral {
            connections[place].drops(byCentral: !fromCentral, reason: 0x3D)
        }
        connections[place].counts.closed &+= 1
        connections[place].closedReason = reason
    }

    /// Delivers an opened payload; its key tells who sent it.
    private mutating func deliver(opened octets: [UInt8], connection place: Int) {
        let fromCentral = connections[place].security.openedFromCentral
        last.fromCentral = fromCentral
        last.opened = octets
        connections[place].counts.opened &+= 1
        deliver(octets.borrowedOctets, last.packet.llid, connection: place, fromCentral)
    }

    private mutating func deliver(
        _ payload: RawSpan, _ llid: UInt8, connection place: Int, _ fromCentral: Bool
    ) {
        switch llid {
        case 3:
            connections[place].security.receive(control: payload)
            controlled(payload, connection: place, fromCentral)
        case 1, 2:
            hearPairing(payload, llid, connection: place, fromCentral)
            view.acl(on: connections[place].handle, starts: llid == 2, fromCentral: fromCentral, payload)
        default: break
        }
    }

    /// Puts Security Manager PDUs together, from which keys follow.
    private mutating func hearPairing(
        _ payload: RawSpan, _ llid: UInt8, connection place: Int, _ fromCentral: Bool
    ) {
        let pdu = connections[place].withWay(fromCentral) { way -> [UInt8]? in
            switch way.pairing.receive(payload, isContinuation: llid == 1) {
            case .whole(let header) where header.channel.rawValue == 6:
                payload.dropping(L2CAPHeader.size).copied()
            case .completed(let header, _) where header.channel.rawValue == 6: Array(way.pairing.information)
            default: nil
            }
        }
        guard let pdu else { return }
        connections[place].security.receive(
            pairing: pdu, fromCentral: fromCentral, senderIsCertain: !last.senderIsInferred, keys: &keys)
    }

    /// Tells the host of a connection when its first data PDU is heard.
    private mutating func establish(connection place: Int) {
        guard !connections[place].isEstablished else { return }
        connections[place].isEstablished = true
        let connection = connections[place]
        guard let peripheral = connection.peripheral else { return }
        var event = ByteWriter()
        event.u8(0)
        event.u16le(connection.handle)
        event.bytes([0, peripheral.kind.rawValue])
        event.u48le(peripheral.value)
        event.u16le(connection.parameters.interval)
        event.u16le(connection.parameters.latency)
        event.u16le(connection.parameters.timeout)
        event.u8(0)
        view.leEvent(0x01, event)
    }

    mutating func end(connection place: Int, reason: UInt8) {
        connections[place].hasEnded = true
        guard connections[place].isEstablished else { return }
        var event = ByteWriter()
        event.u8(0)
        event.u16le(connections[place].handle)
        event.u8(reason)
        view.event(0x05, event)
    }
}

extension AirConnection {
    mutating func withWay<R>(_ fromCentral: Bool, _ body: (inout Way) -> R) -> R {
        fromCentral ? body(&ways.central) : body(&ways.peripheral)
    }
}
