import BluetoothCore
import Runtime
import WireBytes

// Commands of the hosts. Before it is executed, a command is checked as the specification requires: first its
// length, then its parameters, then the controller's state.

/// A controller's response to a command.
enum CommandAnswer {
    /// Command Complete with these return parameters.
    case complete([UInt8])
    /// Command Status; other events may follow.
    case status(HCIStatus)

    static func complete(_ status: HCIStatus) -> Self { .complete([status.rawValue]) }
    static func complete(_ returned: some PDUFields) -> Self { .complete(returned.encoded) }
}

extension VirtualAir {
    mutating func command(_ octets: [UInt8], of controller: Int) {
        guard octets.count >= 3 else { return }
        let opcode = HCIOpcode(rawValue: UInt16(octets[0]) | UInt16(octets[1]) << 8)
        let parameters = Array(octets[3...])
        let answer: CommandAnswer
        if parameters.count == Int(octets[2]) {
            let before = effects.count
            answer = perform(opcode, parameters, controller) ?? .status(.unknownHCICommand)
            // The response precedes the events that the command causes.
            let brought = Array(effects[before...])
            effects.removeSubrange(before...)
            reply(answer, opcode, controller)
            effects += brought
        } else {
            reply(.complete(.invalidHCICommandParameters), opcode, controller)
        }
    }

    private mutating func reply(_ answer: CommandAnswer, _ opcode: HCIOpcode, _ controller: Int) {
        switch answer {
        case .complete(let returned):
            let complete = HCICommandComplete {
                $0.numHCICommandPackets = 1
                $0.commandOpcode = opcode
            }
            let parameters = complete.encoded + returned
            send(
                HCIPacket(
                    .event,
                    [HCICommandComplete.eventCode.rawValue, UInt8(clamping: parameters.count)] + parameters),
                to: controller)
        case .status(let status):
            tell(
                HCICommandStatus {
                    $0.status = status
                    $0.numHCICommandPackets = 1
                    $0.commandOpcode = opcode
                }, to: controller)
        }
    }

    private mutating func perform(
        _ opcode: HCIOpcode, _ parameters: [UInt8], _ controller: Int
    ) -> CommandAnswer? {
        let features = controllers[controller].configuration.supported
        guard let known = KnownCommand.with(opcode, of: features) else {
            return nil
        }
        if let set = known.set {
            let used = controllers[controller].commandSet ?? set
            controllers[controller].commandSet = used
            guard used == set else { return known.refusal(.commandDisallowed) }
        }
        do throws(DecodeError) {
            if let answer = try performSetup(opcode, parameters, controller) { return answer }
            if let answer = try performAdvertising(opcode, parameters, controller) { return answer }
            if let answer = try performScanning(opcode, parameters, controller) { return answer }
            if let answer = try performPrivacy(opcode, parameters, controller) { return answer }
            return try performLink(opcode, parameters, controller)
        } catch {
            return .complete(.invalidHCICommandParameters)
        }
    }

    private mutating func performSetup(
        _ opcode: HCIOpcode, _ parameters: [UInt8], _ controller: Int
    ) throws(DecodeError) -> CommandAnswer? {
        let configuration = controllers[controller].configuration
        switch opcode {
        case HCIReset.opcode:
            _ = try HCIReset(whole: parameters)
            reset(controller)
            return .complete(.success)
        case HCISetEventMask.opcode:
            controllers[controller].eventMask = try HCISetEventMask(whole: parameters).eventMask
            return .complete(.success)
        case HCISetEventMaskPage2.opcode:
            controllers[controller].eventMaskPage2 = try HCISetEventMaskPage2(whole: parameters)
                .eventMaskPage2
            return .complete(.success)
        case LESetEventMask.opcode:
            controllers[controller].leEventMask = try LESetEventMask(whole: parameters).leEventMask
            return .complete(.success)
        case HCIReadLocalVersionInformation.opcode:
            return .complete(
                HCIReadLocalVersionInformation.ReturnParameters {
                    $0.hciVersion = configuration.version
                    $0.lmpVersion = configuration.version
                    $0.companyIdentifier = configuration.company
                })
        case HCIReadLocalSupportedCommands.opcode:
            return .complete(
                HCIReadLocalSupportedCommands.ReturnParameters {
                    $0.supportedCommands = KnownCommand.octets(of: configuration.supported)
                })
        case HCIReadLocalSupportedFeatures.opcode:
            // BR/EDR Not Supported and LE Supported (Vol 2, Part C, 3.3: bits 37 and 38).
            return .complete(
                HCIReadLocalSupportedFeatures.ReturnParameters { $0.lmpFeatures = 1 << 37 | 1 << 38 })
        case HCIReadBDADDR.opcode:
            return .complete(
                HCIReadBDADDR.ReturnParameters { $0.bdAddr = configuration.publicAddress })
        case LEReadBufferSize.opcode:
            return .complete(
                LEReadBufferSize.ReturnParameters {
                    $0.leACLDataPacketLength = configuration.aclPacketLength
                    $0.totalNumLEACLDataPackets = configuration.aclPacketCount
                })
        case LEReadLocalSupportedFeatures.opcode:
            return .complete(
                LEReadLocalSupportedFeatures.ReturnParameters {
                    $0.leFeatures = configuration.supported.rawValue
                })
        case .leReadSupportedStates:
            // All states and combinations of version 4.0 (7.8.27: bits 0 to 41).
            return .complete([HCIStatus.success.rawValue] + [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x03, 0, 0])
        case LESetRandomAddress.opcode:
            let state = controllers[controller]
            let random = try LESetRandomAddress(whole: parameters).randomAddress
            // Advertising sets have their own addresses.
            guard !state.sets[0].isEnabled, !state.scanning.isEnabled, state.initiating == nil else {
                return .complete(.commandDisallowed)
            }
            controllers[controller].randomAddress = DeviceAddress(random.value, .random)
            return .complete(.success)
        case LERand.opcode:
            let number = random.next()
            return .complete(LERand.ReturnParameters { $0.randomNumber = number })
        default: return try performAcceptList(opcode, parameters, controller)
        }
    }

    private mutating func performAcceptList(
        _ opcode: HCIOpcode, _ parameters: [UInt8], _ controller: Int
    ) throws(DecodeError) -> CommandAnswer? {
        let state = controllers[controller]
        let isInUse =
            state.initiating?.initiatorFilterPolicy == 1
            || state.scanning.isEnabled && state.scanning.parameters.scanningFilterPolicy & 1 == 1
            || state.sets.contains { $0.isEnabled && $0.parameters.advertisingFilterPolicy != 0 }
        switch opcode {
        case LEReadFilterAcceptListSize.opcode:
            return .complete(
                LEReadFilterAcceptListSize.ReturnParameters {
                    $0.filterAcceptListSize = state.configuration.acceptListSize
                })
        case LEClearFilterAcceptList.opcode:
            guard !isInUse else { return .complete(.commandDisallowed) }
            controllers[controller].acceptList = []
            return .complete(.success)
        case LEAddDeviceToFilterAcceptList.opcode:
            let entry = try LEAddDeviceToFilterAcceptList(whole: parameters)
            guard entry.addressType <= 1 else { return .complete(.invalidHCICommandParameters) }
            guard !isInUse else { return .complete(.commandDisallowed) }
            let address = DeviceAddress(entry.address.value, entry.addressType == 0 ? .public : .random)
            guard !state.acceptList.contains(address) else { return .complete(.success) }
            guard state.acceptList.count < Int(state.configuration.acceptListSize) else {
                return .complete(.memoryCapacityExceeded)
            }
            controllers[controller].acceptList.append(address)
            return .complete(.success)
        case LERemoveDeviceFromFilterAcceptList.opcode:
            let entry = try LERemoveDeviceFromFilterAcceptList(whole: parameters)
            guard !isInUse else { return .complete(.commandDisallowed) }
            let address = DeviceAddress(entry.address.value, entry.addressType == 0 ? .public : .random)
            controllers[controller].acceptList.removeAll { $0 == address }
            return .complete(.success)
        default: return nil
        }
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

    /// Decodes fields from the start of these bytes.
    init(octets: [UInt8]) throws(DecodeError) {
        self = try octets.withReader { (reader: inout ByteReader) throws(DecodeError) -> Self in
            try Self(decoding: &reader)
        }
    }
}
