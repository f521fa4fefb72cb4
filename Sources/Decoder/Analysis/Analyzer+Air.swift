import BluetoothCore
import CaptureFile
import LinkLayer
import PayloadFormat
import WireBytes

// Packets from the air: the analysis sees them as the HCI packets of the central's host.

extension Analyzer {
    mutating func analyzeAir(_ record: borrowing Record) {
        air.follow(record)
        let account = air.last
        if let fromCentral = account.fromCentral {
            frame.direction = fromCentral ? .hostToController : .controllerToHost
            frame.directionIsInferred = account.senderIsInferred
        }
        if account.packet.isAdvertising { analyzeRequest(record, account) }
        frame.fold = Self.fold(account)
        noteMissedPackets(account)
        let view = air.view
        for packet in view.packets {
            let octets = view.octets.borrowedOctets.clamped(packet.range)
            // A command or an event of a connection on the air: the log shows ends of connections.
            if packet.kind != .acl, frame.reports == 0, account.connection != nil { noteAirEvents() }
            switch packet.kind {
            case .command: analyzeCommand(octets)
            case .event: analyzeEvent(octets)
            default:
                // `request` may be the CONNECT_IND that the connection's first packet confirms; the packet's
                // data answers another request.
                frame.request = nil
                correctDirection(octets.dropping(HCIACLHeader.size), in: account)
                analyzeACL(octets)
                placePayload(octets, in: account)
            }
        }
        if !account.packet.isAdvertising || account.packet.advertisingType == 5 { attachAir(account) }
        analyzeDataChannel(record, account)
        // The peripheral's host has given a key.
        if account.controlOpcode == LLControlOpcode.startEncryptionRequest.rawValue,
            account.fromCentral == false
        {
            acceptEncryption(by: .peer)
        }
        if account.packet.integrity == .invalid { totals.wrongCRC &+= 1 }
    }

    /// Handles a request on an advertising channel (SCAN_REQ, CONNECT_IND), which only a central sends.
    private mutating func analyzeRequest(_ record: borrowing Record, _ account: AirFollower.Account) {
        let type = account.packet.advertisingType
        guard type == 3 || type == 5, account.packet.integrity != .invalid else { return }
        frame.direction = .hostToController
        // AUX_CONNECT_REQ has the same fields.
        guard type == 5, !account.packet.isCut,
            let fault = Self.faultOfConnect(record.octets.clamped(account.packet.payload))
        else { return }
        report(.hci(.invalidConnectRequest(fault)), by: .host)
    }

    /// Reports a data channel PDU that violates the specification.
    private mutating func analyzeDataChannel(_ record: borrowing Record, _ account: AirFollower.Account) {
        guard !account.packet.isAdvertising, !account.isRetransmission else { return }
        let sender: Problem.Party = account.fromCentral == true ? .host : .peer
        if account.packet.isCut {
            let (length, count) = (account.packet.length, account.packet.payload.count)
            guard !record.header.isTruncated, account.packet.integrity == .valid,
                !record.header.radio.flags.contains(.decrypted)
            else { return }
            let fault = "data channel PDU has \(count.counting("byte")), and \(length) by its header"
            return report(.hci(.invalidLinkPDU(fault)), by: sender)
        }
        if account.packet.llid == 0, account.packet.integrity == .valid, account.connection != nil {
            report(.hci(.invalidLinkPDU("data channel PDU with the LLID 0, which is reserved")), by: sender)
        }
        if account.isPlaintext {
            let fault = "L2CAP PDU in plaintext after encryption began"
            report(.hci(.invalidLinkPDU("\(fault): its receiver has to drop the connection")), by: sender)
        }
        guard account.isCertain, let opcode = account.controlOpcode else { return }
        guard let name = AirTable.controlName(opcode) else {
            return report(.hci(.reservedControl(opcode)), by: sender)
        }
        // Of a PDU that another program decrypted, it is unknown whether the integrity code was removed.
        guard !record.header.radio.flags.contains(.decrypted) else { return }
        let payload = record.octets.clamped(account.packet.payload)
        let fault =
            account.opened.map { Self.fault(ofControl: $0.borrowedOctets, account) }
            ?? Self.fault(ofControl: payload, account)
        if let fault { report(.hci(.invalidLinkPDU("\(name) \(fault)")), by: sender) }
    }

    /// Returns the fault of a control PDU, which begins with its opcode, in words; nil for a valid one.
    /// Source: Core Specification, Vol 6, Part B, 2.4.2 and 5.1.
    private static func fault(ofControl pdu: RawSpan, _ account: AirFollower.Account) -> String? {
        let opcode = pdu.octet(at: 0) ?? 0
        if let size = AirTable.controlLayout(opcode)?.size, pdu.byteCount != size + 1 {
            return "has \(pdu.byteCount.counting("byte")) (\(size + 1) expected)"
        }
        if account.repeatsVersion { return "again on this connection (each side sends one)" }
        switch LLControlOpcode(rawValue: opcode) {
        case .connectionUpdateIndication:
            guard let interval = pdu.u16le(at: 4), let latency = pdu.u16le(at: 6),
                let timeout = pdu.u16le(at: 8)
            else { return nil }
            return fault(ofParameters: .init(interval: interval, latency: latency, timeout: timeout))
        case .channelMapIndication: return fault(ofChannels: pdu.dropping(1))
        case .lengthRequest, .lengthResponse:
            for offset in [1, 5] {
                guard let octets = pdu.u16le(at: offset), let time = pdu.u16le(at: offset + 2) else { break }
                if !(27...251).contains(octets) { return "has a length of \(octets) bytes (27 to 251)" }
                if !(328...17_040).contains(time) { return "has a time of \(time) µs (328 to 17040 µs)" }
            }
            return nil
        default: return nil
        }
    }

    private static func fault(ofParameters parameters: LinkConditions.Parameters) -> String? {
        ConnectionParameterRange(parameters).fault.map { "asks for \($0)" }
    }

    /// Returns the fault of a map of data channels, which has five bytes, in words; nil for a valid one.
    private static func fault(ofChannels map: RawSpan) -> String? {
        let channels = (0..<37).count { (map.octet(at: $0 / 8) ?? 0) >> UInt8($0 % 8) & 1 == 1 }
        return channels < 2 ? "has \(channels.counting("data channel")) (at least 2)" : nil
    }

    /// Returns the fault of a CONNECT_IND in words; nil for a valid one. Source: Core Specification, Vol 6,
    /// Part B, 2.3.3.1.
    private static func faultOfConnect(_ payload: RawSpan) -> String? {
        guard payload.byteCount == 34, let interval = payload.u16le(at: 22),
            let latency = payload.u16le(at: 24), let timeout = payload.u16le(at: 26),
            let hop = payload.octet(at: 33).map({ $0 & 0x1F })
        else { return "has \(payload.byteCount.counting("byte")) (34 expected)" }
        if !(5...16).contains(hop) { return "has a hop increment of \(hop) (5 to 16 allowed)" }
        return fault(ofChannels: payload.dropping(28))
            ?? fault(ofParameters: .init(interval: interval, latency: latency, timeout: timeout))
    }

    /// Replaces a direction of the recorder that the packet's content contradicts.
    private mutating func correctDirection(_ data: RawSpan, in account: AirFollower.Account) {
        guard let place = account.connection, let slot = openSlot(of: air.connections[place].handle),
            links[slot].contradicts(
                frame.direction, of: data, starts: account.packet.llid == 2,
                lacksSides: air.connections[place].lacksSides)
        else { return }
        frame.direction = frame.direction == .hostToController ? .controllerToHost : .hostToController
        frame.directionIsInferred = true
    }

    /// Whether the frame's connection began with the request that was heard before it, as far as known.
    var requestWasTaken: Bool {
        guard frame.header.kind == .air else { return true }
        return air.last.connection.map { air.connections[$0].firstEvent != nil } ?? true
    }

    /// Returns the time at which a connection on the air ended, if only its silence shows that.
    func inferredEnd(of handle: UInt16) -> CaptureTime? {
        guard frame.header.kind == .air else { return nil }
        return air.last.inferredEnds.first { $0.handle == handle }.map { CaptureTime(nanoseconds: $0.time) }
    }

    /// Handles packets before this one that the sniffer missed or received with errors: no answer is reported
    /// missing, and no PDU is reassembled across the gap.
    private mutating func noteMissedPackets(_ account: AirFollower.Account) {
        for handle in account.unheardEnds {
            guard let slot = openSlot(of: handle) else { continue }
            links[slot].tolerateMissingAnswers()
            closeLink(slot: slot, reason: nil, with: .unheard)
            let shown = progress(ofFile: links[slot].file)?.shown
            let waiting = links[slot].waiting(at: links[slot].phases.last.nanoseconds, shown)
            links[slot].openRequests = Array(waiting.prefix(OpenRequest.limit))
            settleEnded()
            frame.link = -1
        }
        guard let place = account.connection, let slot = openSlot(of: air.connections[place].handle) else {
            return
        }
        links[slot].air = air.connections[place].counts
        if account.mayHaveMissed { links[slot].tolerateMissingAnswers() }
        guard account.hasLost, let fromCentral = account.fromCentral else { return }
        links[slot].skipRestOfPDU(of: fromCentral ? .host : .peer)
    }

    /// Returns how text output folds a packet: advertising, packets without content, unreadable packets.
    private static func fold(_ account: AirFollower.Account) -> Fold {
        guard account.isReadable, account.packet.integrity != .invalid else { return .noise }
        if account.packet.isAdvertising { return account.packet.advertisingType == 5 ? .none : .advertising }
        if account.isRetransmission || account.packet.length == 0 { return .silent }
        return .none
    }

    /// Sets where the payload of a PDU is. The PDU was analysed in its HCI form, `octets`, in which offsets
    /// differ.
    private mutating func placePayload(_ octets: RawSpan, in account: AirFollower.Account) {
        guard let pdu = frame.l2cap, case .record(let offset) = pdu.place else { return }
        guard account.opened == nil else {
            assembled.removeAll(keepingCapacity: true)
            octets.dropping(offset).append(to: &assembled)
            frame.l2cap?.place = .assembly
            return
        }
        frame.l2cap?.place = .record(offset &- HCIACLHeader.size &+ account.packet.payload.lowerBound)
    }

    /// Assigns a packet without an HCI equivalent to its connection.
    private mutating func attachAir(_ account: AirFollower.Account) {
        guard let place = account.connection else { return }
        let handle = air.connections[place].handle
        guard let slot = openSlot(of: handle) else { return }
        links[slot].hear(
            account, of: air.connections[place], signal: frame.header.radio.knownSignal, frame.place,
            frame.time)
        guard frame.link < 0 else { return }
        frame.link = slot
        frame.handle = handle
    }
}

extension Link {
    /// Whether a sniffer heard it.
    public var isOnAir: Bool { accessAddress != nil }

    /// Takes from a packet that a sniffer heard what it shows of the connection.
    ///
    /// - Parameter signal: the packet's strength in dBm, if the sniffer measured it.
    mutating func hear(
        _ account: AirFollower.Account, of connection: AirConnection, signal: Int8?, _ place: FramePlace,
        _ time: CaptureTime
    ) {
        air = connection.counts
        if account.fromCentral == false, let signal { self.signal = signal }
        accessAddress = connection.accessAddress
        central = connection.central
        closedReason = connection.closedReason
        if !account.isRetransmission, let isFromHost = account.fromCentral {
            assemblies[isFromHost ? .host : .peer].goOn(
                at: time, event: Int64(conditions.inForce.interval) * 1_250_000 / 2)
        }
        // LL_ENC_REQ.
        if account.controlOpcode == 0x03, phases.encryptionStarted == nil { phases.encryptionStarted = time }
        noteRejection(account, place, time)
    }

    /// Records a control PDU that rejects another one; any other packet with content clears it.
    private mutating func noteRejection(
        _ account: AirFollower.Account, _ place: FramePlace, _ time: CaptureTime
    ) {
        guard account.packet.length > 0, !account.isRetransmission else { return }
        let rejections: [LLControlOpcode] = [.unknownResponse, .rejectIndication, .extendedRejectIndication]
        guard account.isCertain, let opcode = account.controlOpcode, let name = AirTable.controlName(opcode),
            let known = LLControlOpcode(rawValue: opcode), rejections.contains(known)
        else {
            conditions.rejection = nil
            return
        }
        conditions.rejection = (name, account.fromCentral == true ? .host : .peer, place, time)
    }
}
