import BluetoothCore
import WireBytes

// Link layer control PDUs (Core Specification, Vol 6, Part B, 2.4.2), and the HCI events that they lead to.

extension AirFollower {
    /// Handles a control PDU in clear, or one that was opened.
    mutating func controlled(_ pdu: RawSpan, connection place: Int, _ recordedFromCentral: Bool) {
        guard let opcode = pdu.octet(at: 0) else { return }
        let fromCentral = sender(of: opcode, connection: place, recordedFromCentral)
        // Of an encrypted PDU the opcode is not readable; a length that fits no PDU shows that it is one.
        last.controlOpcode = opcode
        last.isCertain = isSurelyClear(pdu, connection: place)
        let handle = connections[place].handle
        var event = ByteWriter()
        switch LLControlOpcode(rawValue: opcode) {
        case .connectionUpdateIndication:
            guard let interval = pdu.u16le(at: 4), let latency = pdu.u16le(at: 6),
                let timeout = pdu.u16le(at: 8), let instant = pdu.u16le(at: 10)
            else { return }
            connections[place].check(instant: instant)
            connections[place].nextInterval = (instant, Int64(interval) * 1_250_000)
            connections[place].parameters = (interval, latency, timeout)
            event.u8(0)
            for value in [handle, interval, latency, timeout] { event.u16le(value) }
            view.leEvent(0x03, event)
        case .channelMapIndication:
            if let instant = pdu.u16le(at: 6) { connections[place].check(instant: instant) }
        case .terminateIndication: terminated(connection: place, pdu.octet(at: 1) ?? 0x13, fromCentral)
        case .encryptionRequest where fromCentral: encryptionAsked(pdu, on: handle)
        case .startEncryptionRequest:
            if case .paused = connections[place].encryption {
                connections[place].encryption = .starting(again: true)
            } else {
                connections[place].encryption = .starting(again: false)
            }
        case .pauseEncryptionResponse: connections[place].encryption = .paused
        case .featureRequest: connections[place].centralAsksFeatures = fromCentral
        case .featureResponse:
            guard connections[place].centralAsksFeatures, !fromCentral, pdu.byteCount >= 9 else { return }
            connections[place].centralAsksFeatures = false
            event.u8(0)
            event.u16le(handle)
            event.bytes(pdu.clamped(1..<9))
            view.leEvent(0x04, event)
        case .versionIndication:
            noteVersion(connection: place, fromCentral)
            guard !fromCentral, pdu.byteCount >= 6 else { return }
            event.u8(0)
            event.u16le(handle)
            event.bytes(pdu.clamped(1..<6))
            view.event(0x0C, event)
        case .unknownResponse: rejected(pdu.octet(at: 1), 0x1A, on: handle, fromCentral)
        case .rejectIndication:
            rejected(
                LLControlOpcode.encryptionRequest.rawValue, pdu.octet(at: 1) ?? 0x1F, on: handle, fromCentral)
        case .extendedRejectIndication:
            rejected(pdu.octet(at: 1), pdu.octet(at: 2) ?? 0x1F, on: handle, fromCentral)
        case .connectionParameterRequest: parametersAsked(pdu, on: handle, fromCentral)
        case .lengthRequest, .lengthResponse:
            lengths(
                pdu, connection: place, fromCentral,
                isResponse: LLControlOpcode(rawValue: opcode) == .lengthResponse)
        case .phyUpdateIndication:
            guard let sent = pdu.octet(at: 1), let received = pdu.octet(at: 2), sent | received != 0 else {
                return
            }
            if let instant = pdu.u16le(at: 3) { connections[place].check(instant: instant) }
            event.u8(0)
            event.u16le(handle)
            event.bytes([Self.phy(sent), Self.phy(received)])
            view.leEvent(0x0C, event)
        default: break
        }
    }

    /// Takes note of LL_VERSION_IND, which each side sends once (Vol 6, Part B, 5.1.5).
    private mutating func noteVersion(connection place: Int, _ fromCentral: Bool) {
        let isAgain = connections[place].withWay(fromCentral) { way in
            defer { way.hasSentVersion = true }
            return way.hasSentVersion
        }
        last.repeatsVersion = isAgain && connections[place].tellsSides && !last.senderIsInferred
    }

    /// Returns whether the central sent a control PDU: what the recorder says, unless that can't be.
    private mutating func sender(of opcode: UInt8, connection place: Int, _ recordedFromCentral: Bool) -> Bool
    {
        guard answersItself(opcode, connection: place) else { return recordedFromCentral }
        last.fromCentral = !recordedFromCentral
        last.senderIsInferred = true
        return !recordedFromCentral
    }

    /// Whether a response would come from the side that asked, or a second LL_VERSION_IND from one side,
    /// which a recorder shows that gives all packets the same sender.
    private mutating func answersItself(_ opcode: UInt8, connection place: Int) -> Bool {
        guard !connections[place].tellsSides else { return false }
        if opcode == LLControlOpcode.versionIndication.rawValue {
            let (central, peripheral) = connections[place].ways
            return connections[place].mixesSides && central.hasSentVersion != peripheral.hasSentVersion
        }
        // The opcode of a request is one less than that of its response.
        guard [0x04, 0x09, 0x10, 0x13, 0x15, 0x17].contains(opcode) else {
            connections[place].asked = opcode
            return false
        }
        return connections[place].mixesSides && connections[place].asked == opcode - 1
    }

    /// Whether a control PDU was surely sent like this: not encrypted after a start that was missed, and not
    /// decrypted by another program.
    private func isSurelyClear(_ pdu: RawSpan, connection place: Int) -> Bool {
        let counts = connections[place].counts
        guard !last.isDecrypted else { return false }
        return last.opened != nil || pdu.byteCount <= EncryptedPacket.micLength
            || connections[place].firstEvent != nil && counts.missedEvents == 0 && counts.wrongCRC == 0
    }

    /// Handles LL_CONNECTION_PARAM_REQ.
    private mutating func parametersAsked(_ pdu: RawSpan, on handle: UInt16, _ fromCentral: Bool) {
        guard pdu.byteCount >= 9 else { return }
        var event = ByteWriter()
        event.u16le(handle)
        event.bytes(pdu.clamped(1..<9))
        guard fromCentral else { return view.leEvent(0x06, event) }
        event.u32le(0)
        view.command(LEConnectionUpdate.opcode.rawValue, event)
    }

    /// Handles LL_ENC_REQ: the central's host sees its own command, whose key is not on the air.
    private mutating func encryptionAsked(_ pdu: RawSpan, on handle: UInt16) {
        guard pdu.byteCount >= 11 else { return }
        var command = ByteWriter()
        command.u16le(handle)
        command.bytes(pdu.clamped(1..<11))
        for _ in 0..<2 { command.u64le(0) }
        view.command(LEEnableEncryption.opcode.rawValue, command)
    }

    /// Handles LL_TERMINATE_IND. The central's host sees its own command, unless it can't give this reason:
    /// then its controller ended the connection.
    private mutating func terminated(connection place: Int, _ reason: UInt8, _ fromCentral: Bool) {
        let isCommanded = fromCentral && HCIStatus(rawValue: reason).isDisconnectReason
        if isCommanded, connections[place].isEstablished {
            var command = ByteWriter()
            command.u16le(connections[place].handle)
            command.u8(reason)
            view.command(HCIDisconnect.opcode.rawValue, command)
        }
        end(connection: place, reason: isCommanded ? 0x16 : reason)
    }

    /// Tells the host that the other side rejected a control PDU, or does not know it.
    ///
    /// - Parameters:
    ///   - code: the opcode of the rejected PDU; nil if the PDU ends before it.
    ///   - status: the reason.
    private mutating func rejected(_ code: UInt8?, _ status: UInt8, on handle: UInt16, _ fromCentral: Bool) {
        let opcode = code.flatMap { LLControlOpcode(rawValue: $0) }
        var event = ByteWriter()
        guard !fromCentral else {
            guard opcode == .connectionParameterRequest else { return }
            event.u16le(handle)
            event.u8(status)
            return view.command(
                LERemoteConnectionParameterRequestNegativeReply.opcode.rawValue, event)
        }
        event.u8(status)
        event.u16le(handle)
        switch opcode {
        case .encryptionRequest:
            event.u8(0)
            view.event(0x08, event)
        case .featureRequest:
            event.u64le(0)
            view.leEvent(0x04, event)
        case .connectionParameterRequest:
            for _ in 0..<3 { event.u16le(0) }
            view.leEvent(0x03, event)
        case .phyRequest:
            event.bytes([1, 1])
            view.leEvent(0x0C, event)
        default: break
        }
    }

    /// Returns the number of the PHY of a bit; 1, the one that is always there, for no bit.
    private static func phy(_ bits: UInt8) -> UInt8 { bits & 4 != 0 ? 3 : bits & 2 != 0 ? 2 : 1 }

    /// Handles LL_LENGTH_REQ and LL_LENGTH_RSP.
    private mutating func lengths(
        _ pdu: RawSpan, connection place: Int, _ fromCentral: Bool, isResponse: Bool
    ) {
        guard let rx = pdu.u16le(at: 1), let rxTime = pdu.u16le(at: 3), let tx = pdu.u16le(at: 5),
            let txTime = pdu.u16le(at: 7)
        else { return }
        connections[place].withWay(fromCentral) { $0.lengths = (rx, rxTime, tx, txTime) }
        guard isResponse, let central = connections[place].ways.central.lengths,
            let peripheral = connections[place].ways.peripheral.lengths
        else { return }
        var event = ByteWriter()
        event.u16le(connections[place].handle)
        event.u16le(min(central.tx, peripheral.rx))
        event.u16le(min(central.txTime, peripheral.rxTime))
        event.u16le(min(central.rx, peripheral.tx))
        event.u16le(min(central.rxTime, peripheral.txTime))
        view.leEvent(0x07, event)
    }

    /// Tells the host that encryption has begun: the peripheral's first PDU after its request to start is
    /// encrypted.
    mutating func noteStarted(connection place: Int, _ payload: RawSpan, llid: UInt8, _ fromCentral: Bool) {
        guard case .starting(let again) = connections[place].encryption else { return }
        // LL_REJECT_IND and LL_TERMINATE_IND have two bytes, the response to the start has one.
        let ends = llid == 3 && payload.byteCount == 2 + EncryptedPacket.micLength && !last.isDecrypted
        if !fromCentral, ends { return }
        // An encrypted PDU has at least a byte before its MIC. A program may have decrypted the response.
        guard
            payload.byteCount > EncryptedPacket.micLength || last.isDecrypted
                || payload.octet(at: 0) == LLControlOpcode.startEncryptionResponse.rawValue
        else { return }
        // The peripheral ends the link without a word if the central's first encrypted PDU has another key.
        guard !fromCentral else { return connections[place].drops(byCentral: false, reason: 0x3D) }
        connections[place].encryption = .on
        connections[place].goesOn()
        var event = ByteWriter()
        event.u8(0)
        event.u16le(connections[place].handle)
        if again {
            view.event(0x30, event)
        } else {
            event.u8(1)
            view.event(0x08, event)
        }
    }
}
