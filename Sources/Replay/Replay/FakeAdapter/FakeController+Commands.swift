import BluetoothCore
import Runtime
import WireBytes

// The host's commands to its controller, and the controller's responses.

extension FakeController {
    mutating func command(_ octets: [UInt8]) {
        guard octets.count >= 3 else { return }
        let opcode = HCIOpcode(rawValue: UInt16(octets[0]) | UInt16(octets[1]) << 8)
        let parameters = Array(octets[3...])
        guard parameters.count == Int(octets[2]) else {
            return reply(.complete(.invalidHCICommandParameters), opcode)
        }
        // The response precedes the effects of the command, which are scheduled after it.
        let answer: CommandAnswer
        do throws(DecodeError) {
            answer = try perform(opcode, parameters) ?? .status(.unknownHCICommand)
        } catch {
            answer = .complete(.invalidHCICommandParameters)
        }
        reply(answer, opcode)
        follow(opcode)
    }

    private mutating func reply(_ answer: CommandAnswer, _ opcode: HCIOpcode) {
        switch answer {
        case .complete(let returned):
            let complete = HCICommandComplete {
                $0.numHCICommandPackets = 1
                $0.commandOpcode = opcode
            }
            let parameters = complete.encoded + returned
            send([HCICommandComplete.eventCode.rawValue, UInt8(clamping: parameters.count)] + parameters)
        case .status(let status):
            tell(
                HCICommandStatus {
                    $0.status = status
                    $0.numHCICommandPackets = 1
                    $0.commandOpcode = opcode
                })
        }
    }

    mutating func send(_ event: [UInt8]) { schedule(.packet(HCIPacket(.event, event)), at: now) }

    mutating func tell<Event: HCIEvent>(_ event: Event, at time: Instant? = nil) {
        guard setup.lets(Event.eventCode) else { return }
        schedule(.packet(HCIPacket(.event, event.packet)), at: time ?? now)
    }

    mutating func tell<Event: LEEvent>(_ event: Event, at time: Instant? = nil) {
        guard setup.lets(Event.subeventCode) else { return }
        schedule(.packet(HCIPacket(.event, event.packet)), at: time ?? now)
    }

    private mutating func perform(
        _ opcode: HCIOpcode, _ parameters: [UInt8]
    ) throws(DecodeError) -> CommandAnswer? {
        if let answer = try performSetup(opcode, parameters) { return answer }
        if let answer = try performScanning(opcode, parameters) { return answer }
        if let answer = try performAdvertising(opcode, parameters) { return answer }
        return try performLink(opcode, parameters)
    }

    private mutating func performSetup(
        _ opcode: HCIOpcode, _ parameters: [UInt8]
    ) throws(DecodeError) -> CommandAnswer? {
        switch opcode {
        case HCIReset.opcode:
            _ = try HCIReset(whole: parameters)
            reset()
            return .complete(.success)
        case HCISetEventMask.opcode:
            setup.eventMask = try HCISetEventMask(whole: parameters).eventMask
            return .complete(.success)
        case LESetEventMask.opcode:
            setup.leEventMask = try LESetEventMask(whole: parameters).leEventMask
            return .complete(.success)
        case LESetRandomAddress.opcode:
            let address = try LESetRandomAddress(whole: parameters).randomAddress
            setup.randomAddress = DeviceAddress(address.value, .random)
            return .complete(.success)
        case LERand.opcode:
            _ = try LERand(whole: parameters)
            let number = random.next()
            return .complete(LERand.ReturnParameters { $0.randomNumber = number })
        case LEClearFilterAcceptList.opcode:
            _ = try LEClearFilterAcceptList(whole: parameters)
            setup.acceptList = []
            return .complete(.success)
        case LEAddDeviceToFilterAcceptList.opcode:
            let entry = try LEAddDeviceToFilterAcceptList(whole: parameters)
            let address = DeviceAddress(entry.address.value, entry.addressType & 1 == 0 ? .public : .random)
            guard !setup.acceptList.contains(address) else { return .complete(.success) }
            guard setup.acceptList.count < Int(model.controller.acceptListSize) else {
                return .complete(.memoryCapacityExceeded)
            }
            setup.acceptList.append(address)
            return .complete(.success)
        case LERemoveDeviceFromFilterAcceptList.opcode:
            let entry = try LERemoveDeviceFromFilterAcceptList(whole: parameters)
            setup.acceptList.removeAll {
                $0.value == entry.address.value && $0.isRandom == (entry.addressType & 1 == 1)
            }
            return .complete(.success)
        default:
            guard let answer = performQuery(opcode) else { return nil }
            // These commands have no parameters.
            return parameters.isEmpty ? answer : .complete(.invalidHCICommandParameters)
        }
    }

    /// Answers commands that read properties of the controller.
    private mutating func performQuery(_ opcode: HCIOpcode) -> CommandAnswer? {
        let controller = model.controller
        switch opcode {
        case HCIReadLocalVersionInformation.opcode:
            // Version 5.3 of the Core Specification is the minimum for all of these commands.
            return .complete(
                HCIReadLocalVersionInformation.ReturnParameters {
                    $0.hciVersion = 12
                    $0.lmpVersion = 12
                    $0.companyIdentifier = 0xFFFF
                })
        case HCIReadLocalSupportedCommands.opcode:
            return .complete(
                HCIReadLocalSupportedCommands.ReturnParameters {
                    $0.supportedCommands = Self.supportedCommands
                })
        case HCIReadLocalSupportedFeatures.opcode:
            // BR/EDR Not Supported and LE Supported (Vol 2, Part C, 3.3: bits 37 and 38).
            return .complete(
                HCIReadLocalSupportedFeatures.ReturnParameters { $0.lmpFeatures = 1 << 37 | 1 << 38 })
        case HCIReadBDADDR.opcode:
            if controller.address == nil { normalizations.note(.ownAddress) }
            let address = controller.address ?? Self.madeUpAddress
            return .complete(HCIReadBDADDR.ReturnParameters { $0.bdAddr = address })
        case LEReadBufferSize.opcode:
            return .complete(
                LEReadBufferSize.ReturnParameters {
                    $0.leACLDataPacketLength = controller.packetLength
                    $0.totalNumLEACLDataPackets = controller.packetCount
                })
        case LEReadLocalSupportedFeatures.opcode:
            // LE Encryption, Connection Parameters Request, Data Length Extension (Vol 6, Part B, 4.6).
            return .complete(
                LEReadLocalSupportedFeatures.ReturnParameters { $0.leFeatures = 1 << 0 | 1 << 1 | 1 << 5 })
        case .leReadSupportedStates:
            // All states and combinations of version 4.0 (7.8.27: bits 0 to 41).
            return .complete([HCIStatus.success.rawValue] + [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x03, 0, 0])
        case LEReadFilterAcceptListSize.opcode:
            return .complete(
                LEReadFilterAcceptListSize.ReturnParameters {
                    $0.filterAcceptListSize = controller.acceptListSize
                })
        default: return nil
        }
    }

    /// The address of an adapter whose log does not show one.
    static var madeUpAddress: DeviceAddress { DeviceAddress(0x02_00_00_00_00_10, .public) }

    /// The supported commands as Read Local Supported Commands returns them, with the octet and bits of each.
    ///
    /// Source: Core Specification, Vol 4, Part E, 6.27.
    private static var supportedCommands: [UInt8] {
        var octets = [UInt8](repeating: 0, count: 64)
        for (octet, bits) in [
            (0, [5]), (2, [7]), (5, [6, 7]), (14, [3, 5]), (15, [1, 5]), (25, [0, 1, 2, 4, 5, 6, 7]),
            (26, [0, 1, 2, 3, 4, 5, 6, 7]), (27, [0, 1, 2, 5, 7]), (28, [0, 3]), (33, [4, 5, 6, 7]),
            (34, [0]),
            (35, [3]),
        ] {
            for bit in bits { octets[octet] |= 1 << bit }
        }
        return octets
    }

    private mutating func performAdvertising(
        _ opcode: HCIOpcode, _ parameters: [UInt8]
    ) throws(DecodeError) -> CommandAnswer? {
        switch opcode {
        case LESetAdvertisingParameters.opcode:
            let wish = try LESetAdvertisingParameters(whole: parameters)
            guard !setup.isAdvertising else { return .complete(.commandDisallowed) }
            setup.advertising.intervalUnits = wish.advertisingIntervalMax
            setup.isConnectable = [0, 1, 4].contains(wish.advertisingType)
            setup.advertisesRandom = wish.ownAddressType & 1 == 1
            return .complete(.success)
        case LEReadAdvertisingPhysicalChannelTxPower.opcode:
            return .complete(LEReadAdvertisingPhysicalChannelTxPower.ReturnParameters())
        case LESetAdvertisingData.opcode:
            let wish = try LESetAdvertisingData(whole: parameters)
            setup.advertising.data = Array(wish.advertisingData.prefix(Int(wish.advertisingDataLength)))
            return .complete(.success)
        case LESetScanResponseData.opcode:
            let wish = try LESetScanResponseData(whole: parameters)
            setup.advertising.scanResponse = Array(
                wish.scanResponseData.prefix(Int(wish.scanResponseDataLength)))
            return .complete(.success)
        case LESetAdvertisingEnable.opcode:
            setup.isAdvertising = try LESetAdvertisingEnable(whole: parameters).advertisingEnable == 1
            setup.advertisingGeneration += 1
            scheduleCentral()
            return .complete(.success)
        default: return nil
        }
    }

    private mutating func reset() {
        setup = ControllerSetup()
        scanning = Scanning(generation: scanning.generation + 1)
        initiating = Initiating(generation: initiating.generation + 1)
        for index in links.indices where !links[index].isClosed {
            if !links[index].isLive, !links[index].mayBeEnded {
                diverge(
                    .different, nil, .attribute, index,
                    other: "disconnect, reason \(HCIStatus.connectionTerminatedByLocalHost)")
            }
            close(index)
            advanceLink(index)
        }
        giveConnectTurns()
    }
}

extension PDUFields {
    /// Decodes fields that fill these bytes exactly.
    init(whole octets: [UInt8]) throws(DecodeError) {
        self = try octets.withReader { (reader: inout ByteReader) throws(DecodeError) -> Self in
            let fields = try Self(decoding: &reader)
            try reader.expectEnd()
            return fields
        }
    }
}

extension DeviceAddress {
    /// Whether the address is random, including random identities.
    var isRandom: Bool { kind == .random || kind == .randomIdentity }

    /// Whether both addresses belong to the same device.
    func names(_ other: DeviceAddress) -> Bool {
        value == other.value && (isRandom == other.isRandom || kind == .unknown || other.kind == .unknown)
    }
}
