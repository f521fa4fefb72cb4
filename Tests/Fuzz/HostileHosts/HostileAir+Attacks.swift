import BluetoothCore
import LEHost

// What happens: by the application, by the other side, and by controllers that keep to nothing.

extension HostileAir {
    mutating func step() {
        let side = choices.pick(2)
        switch choices.pick(24) {
        case 0...5: answer(side)
        case 6...13: for _ in 0..<4 { carry(side) }
        case 14...16: act(side)
        case _ where wires.isEmpty: join()
        case _ where !choices.isOne(in: calm): pass(.milliseconds(1))
        case 17: put(.packet(HCIPacket(.acl, data())), side)
        case 18: put(.packet(HCIPacket(.acl, unit())), side)
        case 19: event(someEvent(), side)
        case 20: answerWrongly(side)
        case 21: carry(side) { Self.spoil(&$0, &$1) }
        case 22: pass([.milliseconds(100), .seconds(2), .seconds(31)][choices.pick(3)])
        default: disturb(side)
        }
    }

    private mutating func disturb(_ side: Int) {
        switch choices.pick(14) {
        case 8...9: join()
        case 10...13:
            let flood = HCIPacket(.acl, unit())
            for _ in 0..<1_000 { put(.packet(flood), side) }
        case 0: if let wire = wires.first { cut(wire.handle) }
        case 1: end(someHandle(), side)
        case 2: put(.packet(HCIPacket(HCIPacketType(rawValue: choices.octet()), choices.octets(6))), side)
        case 3: put(.transportFailed, side)
        case 4: put(.powerOff, side)
        default: put(.powerOn, side)
        }
    }

    private mutating func someHandle() -> UInt16 {
        choices.isOne(in: 8) ? choices.word() : choices.pick(from: wires.map(\.handle), else: 0x40)
    }

    // MARK: The application

    private mutating func act(_ side: Int) {
        let links = sides[side].host.openLinks.map(\.id)
        let link = choices.pick(from: links, else: LinkID(rawValue: 99))
        let peer = Self.addresses[1 - side]
        switch choices.pick(24) {
        case 20...: useChannel(link, side)
        case 0: put(.startScanning(ScanParameters()), side)
        case 1: put(.stopScanning, side)
        case 2: put(.connect(peer), side)
        case 3: put(.cancelConnect(peer), side)
        case 4: if choices.isOne(in: 4) { put(.disconnect(link), side) }
        case 5: put(.readRSSI(link), side)
        case 6: put(.startAdvertising(AdvertisingParameters()), side)
        case 7: put(.stopAdvertising, side)
        case 8:
            put(
                .writeCommand(handle: UInt16(choices.pick(12)), choices.octets(choices.pick(20)), on: link),
                side)
        case 9: put(.update(valueHandle: choices.isOne(in: 2) ? 3 : 6, choices.octets(3), on: link), side)
        case 10: if choices.isOne(in: 8) { put(.setBonds([]), side) }
        case 11...13: put(.secure(link), side)
        case 14...15: answerQuestion(side)
        default: perform(operation(), on: link, side)
        }
    }

    mutating func answerQuestion(_ side: Int) {
        guard !sides[side].questions.isEmpty else { return }
        let (link, question) = sides[side].questions.removeFirst()
        let right: PairingAnswer = question == .enter ? .passkey(shown ?? 0) : .yes
        put(.answerPairing(choices.isOne(in: 8) ? .no : right, on: link), side)
    }

    private mutating func operation() -> GATTOperation {
        let handle = UInt16(choices.pick(14))
        switch choices.pick(9) {
        case 0: return .exchangeMTU(choices.word())
        case 1: return .discoverServices()
        case 2: return .discoverCharacteristics(1...0xFFFF)
        case 3: return .discoverDescriptors(1...0xFFFF)
        case 4: return .write(handle, [UInt8](repeating: 1, count: Int(choices.octet()) * 3))
        case 5: return .readByType(.characteristicDeclaration, 1...0xFFFF)
        case 6: return .request(choices.octets(choices.pick(8)))
        default: return .read(handle)
        }
    }

    // MARK: The other side

    /// Makes something else of a host's data.
    private static func spoil(_ octets: inout [UInt8], _ choices: inout Choices) {
        switch choices.pick(7) {
        case 0: octets.removeLast(choices.pick(octets.count))
        case 1: octets += choices.octets(choices.pick(40))
        case 2: if octets.count > 4 { octets[4] = choices.octet() }
        case 3: octets[1] ^= 0x10
        case 4: if octets.count > 8 { octets[8] = choices.octet() }
        default:
            let place = choices.pick(octets.count)
            octets[place] ^= 1 << (choices.octet() & 7)
        }
        if choices.isOne(in: 2), octets.count >= 4 {
            octets[2] = UInt8(truncatingIfNeeded: octets.count - 4)
            octets[3] = 0
        }
    }

    /// Data of any kind.
    private mutating func data() -> [UInt8] {
        let handle = someHandle()
        let count = choices.pick(48)
        let told = choices.isOne(in: 8) ? choices.octet() : UInt8(count)
        return [
            UInt8(truncatingIfNeeded: handle), UInt8(handle >> 8 & 0x0F) | choices.octet() & 0xF0, told, 0,
        ]
            + choices.octets(count)
    }

    /// A PDU of a protocol that the host speaks, out of its turn: any octets, and mostly the right length.
    private mutating func unit() -> [UInt8] {
        let information: [UInt8]
        let channel: UInt8
        switch choices.pick(6) {
        case 4: (channel, information) = frame()
        case 5:
            channel = UInt8(truncatingIfNeeded: L2CAPChannelID.leSignalling.rawValue)
            information = channelSignal()
        case 0:
            channel = UInt8(truncatingIfNeeded: L2CAPChannelID.securityManager.rawValue)
            let lengths = [1, 7, 7, 17, 17, 2, 17, 11, 17, 8, 17, 2, 65, 17, 2]
            let code = choices.pick(lengths.count)
            information = [UInt8(code)] + choices.octets(lengths[code] - 1)
        case 1:
            channel = UInt8(truncatingIfNeeded: L2CAPChannelID.leSignalling.rawValue)
            let count = choices.pick(14)
            information =
                [UInt8(choices.pick(0x1B)), choices.octet(), UInt8(count), 0] + choices.octets(count)
        default:
            channel = UInt8(truncatingIfNeeded: L2CAPChannelID.attribute.rawValue)
            information = [choices.pick(from: Self.opcodes, else: 0)] + choices.octets(choices.pick(24))
        }
        let handle = someHandle()
        let count = choices.isOne(in: 16) ? choices.octet() : UInt8(information.count)
        return [
            UInt8(truncatingIfNeeded: handle), UInt8(handle >> 8 & 0x0F) | 0x20, UInt8(information.count + 4),
            0,
            count, 0, channel, 0,
        ] + information
    }

    /// Attribute opcodes, those of commands and signed ones included.
    private static let opcodes: [UInt8] = Array(1...0x24) + [0x52, 0xD2, 0xFF]

    // MARK: Controllers

    private mutating func someEvent() -> [UInt8] {
        let codes: [HCIEventCode] = [
            HCIDisconnectionComplete.eventCode, HCIEncryptionChange.eventCode, HCICommandComplete.eventCode,
            HCICommandStatus.eventCode, HCIHardwareError.eventCode, HCINumberOfCompletedPackets.eventCode,
            HCIEncryptionKeyRefreshComplete.eventCode, .leMeta, .leMeta, .leMeta, .leMeta,
            HCIEventCode(rawValue: choices.octet()),
        ]
        let code = choices.pick(from: codes, else: .leMeta)
        var parameters = choices.octets(choices.pick(36))
        if code == .leMeta, !parameters.isEmpty { parameters[0] = UInt8(choices.pick(0x30)) }
        let handle = someHandle()
        let place = choices.pick(3)
        if parameters.count > place + 1, choices.isOne(in: 2) {
            parameters[place] = UInt8(truncatingIfNeeded: handle)
            parameters[place + 1] = UInt8(handle >> 8)
        }
        // Success, as often as not.
        if choices.isOne(in: 2) {
            let status = code == .leMeta ? 1 : 0
            if parameters.count > status { parameters[status] = 0 }
        }
        let told = choices.isOne(in: 16) ? choices.octet() : UInt8(parameters.count)
        return [code.rawValue, told] + parameters
    }

    private mutating func answerWrongly(_ side: Int) {
        guard let command = sides[side].commands.first, command.octets.count >= 3 else { return }
        if !choices.isOne(in: 4) { sides[side].commands.removeFirst() }
        let opcode = HCIOpcode(rawValue: UInt16(command.octets[0]) | UInt16(command.octets[1]) << 8)
        switch choices.pick(4) {
        case 0: status(opcode, side, HCIStatus(rawValue: choices.octet()))
        case 1: complete(opcode, choices.octets(choices.pick(8)), side)
        case 2: complete(opcode, [0], side, credits: choices.octet())
        default: complete(HCIOpcode(rawValue: choices.word()), [0], side)
        }
    }
}
