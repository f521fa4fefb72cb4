public import BluetoothCore
public import Runtime
public import WireBytes

/// A controller's response to a command.
public enum CommandAnswer: Sendable {
    /// Command Complete with these return parameters.
    case complete([UInt8])
    /// Command Status; other events may follow.
    case status(HCIStatus)

    public static func complete(_ status: HCIStatus) -> Self { .complete([status.rawValue]) }
    public static func complete(_ returned: some PDUFields) -> Self { .complete(returned.encoded) }

    /// Returns Command Complete with a status and the handle of a connection.
    public static func complete(_ status: HCIStatus, on handle: UInt16) -> Self {
        .complete(
            HCIConnectionStatusReturn {
                $0.status = status
                $0.connectionHandle = handle
            })
    }

    /// Executes a command packet. Its length is checked first, then its parameters as they are decoded.
    ///
    /// - Parameter perform: executes a command; nil for an unknown one.
    /// - Returns: the event packet that answers it, without the packet type byte, and the command; nil for a
    ///   packet that ends within its header.
    public static func event(
        answering packet: [UInt8], _ perform: (HCIOpcode, [UInt8]) throws(DecodeError) -> CommandAnswer?
    ) -> (packet: [UInt8], opcode: HCIOpcode)? {
        guard packet.count >= 3 else { return nil }
        let opcode = HCIOpcode(rawValue: UInt16(packet[0]) | UInt16(packet[1]) << 8)
        let parameters = Array(packet[3...])
        var answer = CommandAnswer.complete(.invalidHCICommandParameters)
        if parameters.count == Int(packet[2]) {
            do throws(DecodeError) {
                answer = try perform(opcode, parameters) ?? .status(.unknownHCICommand)
            } catch {}
        }
        return (answer.event(for: opcode), opcode)
    }

    private func event(for opcode: HCIOpcode) -> [UInt8] {
        switch self {
        case .complete(let returned):
            let complete = HCICommandComplete {
                $0.numHCICommandPackets = 1
                $0.commandOpcode = opcode
            }
            let parameters = complete.encoded + returned
            return [HCICommandComplete.eventCode.rawValue, UInt8(clamping: parameters.count)] + parameters
        case .status(let status):
            return HCICommandStatus {
                $0.status = status
                $0.numHCICommandPackets = 1
                $0.commandOpcode = opcode
            }.packet
        }
    }
}

/// The part of a controller that is the same on every air: properties, event masks, addresses and lists.
public struct ControllerCore: Sendable {
    public let configuration: ControllerConfiguration
    public private(set) var randomAddress: DeviceAddress?
    public private(set) var acceptList: [DeviceAddress] = []
    /// The data length that the host suggests for new links: in bytes, and in microseconds.
    public private(set) var suggested: (octets: UInt16, time: UInt16) = (27, 328)
    private(set) var eventMaskPage2: UInt64 = 0
    private var eventMask: UInt64 = 0x1FFF_FFFF_FFFF
    private var leEventMask: UInt64 = 0x1F

    /// Creates a controller after a reset.
    public init(_ configuration: ControllerConfiguration) { self.configuration = configuration }

    /// Whether an event passes the mask. Responses to commands and Number Of Completed Packets always do.
    public func lets(_ event: HCIEventCode) -> Bool {
        switch event {
        case .commandComplete, .commandStatus, .numberOfCompletedPackets: true
        default: eventMask & 1 << (UInt64(event.rawValue) &- 1) != 0
        }
    }

    /// Whether an LE event passes both masks.
    public func lets(_ subevent: LESubeventCode) -> Bool {
        lets(.leMeta) && leEventMask & 1 << (UInt64(subevent.rawValue) &- 1) != 0
    }

    /// Executes a command that concerns no link, advertising or scan; nil for others.
    ///
    /// - Parameters:
    ///   - inUse: whether the random address, or the filter accept list, can't be changed now.
    ///   - random: the source of random numbers.
    public mutating func perform(
        _ opcode: HCIOpcode, _ parameters: [UInt8], inUse: (address: Bool, acceptList: Bool) = (false, false),
        _ random: inout SplitMix
    ) throws(DecodeError) -> CommandAnswer? {
        switch opcode {
        case HCISetEventMask.opcode: eventMask = try HCISetEventMask(whole: parameters).eventMask
        case HCISetEventMaskPage2.opcode where configuration.supported.contains(.ping):
            eventMaskPage2 = try HCISetEventMaskPage2(whole: parameters).eventMaskPage2
        case LESetEventMask.opcode: leEventMask = try LESetEventMask(whole: parameters).leEventMask
        case LESetRandomAddress.opcode:
            let address = try LESetRandomAddress(whole: parameters).randomAddress
            guard !inUse.address else { return .complete(.commandDisallowed) }
            randomAddress = DeviceAddress(address.value, .random)
        case LEWriteSuggestedDefaultDataLength.opcode:
            let wish = try LEWriteSuggestedDefaultDataLength(whole: parameters)
            guard (27...251).contains(wish.suggestedMaxTxOctets),
                (328...17_040).contains(wish.suggestedMaxTxTime)
            else { return .complete(.invalidHCICommandParameters) }
            suggested = (wish.suggestedMaxTxOctets, wish.suggestedMaxTxTime)
        case LERand.opcode:
            _ = try LERand(whole: parameters)
            let number = random.next()
            return .complete(LERand.ReturnParameters { $0.randomNumber = number })
        case LEClearFilterAcceptList.opcode:
            _ = try LEClearFilterAcceptList(whole: parameters)
            guard !inUse.acceptList else { return .complete(.commandDisallowed) }
            acceptList = []
        case LEAddDeviceToFilterAcceptList.opcode:
            let entry = try LEAddDeviceToFilterAcceptList(whole: parameters)
            guard entry.addressType <= 1 else { return .complete(.invalidHCICommandParameters) }
            guard !inUse.acceptList else { return .complete(.commandDisallowed) }
            let address = DeviceAddress(entry.address.value, entry.addressType == 0 ? .public : .random)
            guard !acceptList.contains(address) else { return .complete(.success) }
            guard acceptList.count < Int(configuration.acceptListSize) else {
                return .complete(.memoryCapacityExceeded)
            }
            acceptList.append(address)
        case LERemoveDeviceFromFilterAcceptList.opcode:
            let entry = try LERemoveDeviceFromFilterAcceptList(whole: parameters)
            guard !inUse.acceptList else { return .complete(.commandDisallowed) }
            let address = DeviceAddress(entry.address.value, entry.addressType == 0 ? .public : .random)
            acceptList.removeAll { $0 == address }
        default:
            guard let returned = query(opcode) else { return nil }
            // These commands have no parameters.
            return parameters.isEmpty ? .complete(returned) : .complete(.invalidHCICommandParameters)
        }
        return .complete(.success)
    }

    /// Returns the return parameters of a command that reads a property; nil for other commands.
    private func query(_ opcode: HCIOpcode) -> [UInt8]? {
        switch opcode {
        case HCIReadLocalVersionInformation.opcode:
            HCIReadLocalVersionInformation.ReturnParameters {
                $0.hciVersion = configuration.version
                $0.lmpVersion = configuration.version
                $0.companyIdentifier = configuration.company
            }.encoded
        case HCIReadLocalSupportedCommands.opcode:
            HCIReadLocalSupportedCommands.ReturnParameters {
                $0.supportedCommands = KnownCommand.octets(of: configuration.supported)
            }.encoded
        case HCIReadLocalSupportedFeatures.opcode:
            // BR/EDR Not Supported and LE Supported (Vol 2, Part C, 3.3: bits 37 and 38).
            HCIReadLocalSupportedFeatures.ReturnParameters { $0.lmpFeatures = 1 << 37 | 1 << 38 }.encoded
        case HCIReadBDADDR.opcode:
            HCIReadBDADDR.ReturnParameters { $0.bdAddr = configuration.publicAddress }.encoded
        case LEReadBufferSize.opcode:
            LEReadBufferSize.ReturnParameters {
                $0.leACLDataPacketLength = configuration.aclPacketLength
                $0.totalNumLEACLDataPackets = configuration.aclPacketCount
            }.encoded
        case LEReadLocalSupportedFeatures.opcode:
            LEReadLocalSupportedFeatures.ReturnParameters {
                $0.leFeatures = configuration.supported.rawValue
            }.encoded
        case .leReadSupportedStates:
            // All states and combinations of version 4.0 (7.8.27: bits 0 to 41).
            [HCIStatus.success.rawValue] + [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x03, 0, 0]
        case LEReadAdvertisingPhysicalChannelTxPower.opcode:
            LEReadAdvertisingPhysicalChannelTxPower.ReturnParameters().encoded
        case LEReadFilterAcceptListSize.opcode:
            LEReadFilterAcceptListSize.ReturnParameters {
                $0.filterAcceptListSize = configuration.acceptListSize
            }.encoded
        case LEReadSuggestedDefaultDataLength.opcode:
            LEReadSuggestedDefaultDataLength.ReturnParameters {
                $0.suggestedMaxTxOctets = suggested.octets
                $0.suggestedMaxTxTime = suggested.time
            }.encoded
        case LEReadMaximumDataLength.opcode:
            LEReadMaximumDataLength.ReturnParameters {
                $0.supportedMaxTxOctets = configuration.maxDataOctets
                $0.supportedMaxTxTime = (configuration.maxDataOctets + 14) * 8
                $0.supportedMaxRxOctets = $0.supportedMaxTxOctets
                $0.supportedMaxRxTime = $0.supportedMaxTxTime
            }.encoded
        default: nil
        }
    }
}

extension LESetScanParameters {
    /// Whether all parameters are in their ranges.
    public var isAllowed: Bool {
        leScanType <= 1 && (4...0x4000).contains(leScanInterval)
            && (4...leScanInterval).contains(leScanWindow)
            && ownAddressType <= 3 && scanningFilterPolicy <= 3
    }
}

extension LESetScanEnable {
    /// Whether both parameters are in their ranges.
    public var isAllowed: Bool { leScanEnable <= 1 && filterDuplicates <= 1 }
}

extension LECreateConnection {
    /// Whether all parameters are in their ranges.
    ///
    /// Source: Core Specification, Vol 4, Part E, 7.8.12.
    public var isAllowed: Bool {
        (4...0x4000).contains(leScanInterval) && (4...leScanInterval).contains(leScanWindow)
            && initiatorFilterPolicy <= 1 && ownAddressType <= 3
            && (initiatorFilterPolicy == 1 || peerAddressType <= 3)
            && LinkParameters.areAllowed(
                min: connectionIntervalMin, max: connectionIntervalMax, latency: maxLatency,
                timeout: supervisionTimeout)
            && minCELength <= maxCELength
    }
}

extension HCIDisconnect {
    /// Whether a host may use the reason.
    public var isAllowed: Bool { reason.isDisconnectReason }
}
