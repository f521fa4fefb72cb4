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
    /// - Returns: the event packet that answers it, without the packet type byte; nil for a packet that ends
    ///   within its header.
    public static func event(
        answering packet: [UInt8], _ perform: (HCIOpcode, [UInt8]) throws(DecodeError) -> CommandAnswer?
    ) -> [UInt8]? {
        guard packet.count >= 3 else { return nil }
        let opcode = HCIOpcode(rawValue: UInt16(packet[0]) | UInt16(packet[1]) << 8)
        let parameters = Array(packet[3...])
        var answer = CommandAnswer.complete(.invalidHCICommandParameters)
        if parameters.count == Int(packet[2]) {
            do throws(DecodeError) {
                answer = try perform(opcode, parameters) ?? .status(.unknownHCICommand)
            } catch {}
        }
        return answer.event(for: opcode)
    }

    private func event(for opcode: HCIOpcode) -> [UInt8] {
        switch self {
        case .complete(let returned):
            let complete = HCICommandComplete(numHCICommandPackets: 1, commandOpcode: opcode)
            let parameters = complete.encoded + returned
            return [HCICommandComplete.eventCode.rawValue, UInt8(clamping: parameters.count)] + parameters
        case .status(let status):
            return HCICommandStatus(status: status, numHCICommandPackets: 1, commandOpcode: opcode).packet
        }
    }
}

/// The part of a controller that is the same on every air: its properties, and all that its host sets.
///
/// It executes the commands that concern no link. The air carries out their changes, and executes the others.
public struct ControllerCore: Sendable {
    /// The effect of a command on the air.
    public enum Change: Sendable {
        case reset
        /// These sets began to advertise, or began anew.
        case advertising([Int])
        case scanning
        /// The host wants a connection. The air sets ``initiating`` to nil if it is not possible.
        case initiating(LEExtendedCreateConnection)
        /// The host no longer wants it.
        case cancelled
    }

    public struct Scanning: Sendable {
        private struct Seen: Hashable, Sendable {
            var address: DeviceAddress
            var isScanResponse: Bool
            var set: UInt8
            var dataID: Int
        }

        public internal(set) var isEnabled = false
        public internal(set) var parameters = LESetExtendedScanParameters(
            scanningPHYs: .le1M, phys: [LEScanningPHYParameters(scanInterval: 0x10, scanWindow: 0x10)])
        /// 0 for no filter, 1 for duplicates since scanning began, 2 for duplicates within a period.
        public internal(set) var filterDuplicates: UInt8 = 0
        var start = Instant.zero
        /// Steps of 10 ms; 0 for no end.
        var duration: UInt16 = 0
        /// Steps of 1.28 s; 0 to scan once.
        var period: UInt16 = 0
        private var seen: Set<Seen> = []
        /// The number of the period that `seen` belongs to.
        private var seenPeriod: Int64 = 0

        mutating func forgetSeen() {
            seen = []
            seenPeriod = 0
        }

        /// Whether the filter of duplicates passes an advertisement.
        ///
        /// - Parameters:
        ///   - set: the advertising set; 0 for legacy PDUs.
        ///   - dataID: the version of the set's data; 0 for legacy PDUs.
        public mutating func passes(
            _ address: DeviceAddress, isScanResponse: Bool, set: UInt8 = 0, dataID: Int = 0, at now: Instant
        ) -> Bool {
            guard filterDuplicates > 0 else { return true }
            if filterDuplicates == 2, period > 0 {
                let current = (now.nanoseconds - start.nanoseconds) / (Int64(period) * 1_280_000_000)
                if current != seenPeriod { seen = [] }
                seenPeriod = current
            }
            let new = Seen(address: address, isScanResponse: isScanResponse, set: set, dataID: dataID)
            return seen.insert(new).inserted
        }
    }

    /// Whether a host uses the legacy or the extended commands, which can't be mixed.
    enum CommandSet: Sendable {
        case legacy
        case extended
    }

    public let configuration: ControllerConfiguration
    public private(set) var randomAddress: DeviceAddress?
    public private(set) var acceptList: [DeviceAddress] = []
    /// The data length that the host suggests for new links: in bytes, and in microseconds.
    public private(set) var suggested: (octets: UInt16, time: UInt16) = (27, 328)
    private(set) var eventMaskPage2: UInt64 = 0
    private var eventMask: UInt64 = 0x1FFF_FFFF_FFFF
    private var leEventMask: UInt64 = 0x1F
    /// Legacy advertising, followed by the advertising sets.
    public internal(set) var sets = [AdvertisingSet()]
    /// Incremented each time advertising begins or ends, to discard events of earlier advertising.
    var advertisingGeneration = 0
    public var scanning = Scanning()
    /// The pending connection attempt; nil for none.
    public var initiating: LEExtendedCreateConnection?
    /// The effect of the last command; nil for none.
    public internal(set) var change: Change?
    /// The commands that the host has used since the last reset; nil for neither kind.
    private(set) var commandSet: CommandSet?
    var resolving = ResolvingList()
    /// The PHYs that new links may use, for sending and receiving.
    var defaultPHYs = PHYPreference.all
    private var nextHandle: UInt16 = 0x40
    /// Time at which the last packet reaches the host.
    var lastHanded = Instant.zero
    /// Number of the host's ACL packets in the buffers.
    var held = 0

    /// Creates a controller after a reset.
    public init(_ configuration: ControllerConfiguration) { self.configuration = configuration }

    mutating func reset() {
        let before = self
        self = Self(configuration)
        advertisingGeneration = before.advertisingGeneration + 1
        lastHanded = before.lastHanded
        nextHandle = before.nextHandle
        change = .reset
    }

    /// Returns the handle of a new connection.
    public mutating func newHandle(isTaken: (UInt16) -> Bool) -> UInt16 {
        var handle = nextHandle
        repeat {
            handle = nextHandle
            nextHandle = handle >= 0xEFF ? 0x40 : handle + 1
        } while isTaken(handle)
        return handle
    }

    /// Whether the random address, or the filter accept list, is in use. Advertising sets have their own
    /// addresses.
    private var inUse: (address: Bool, acceptList: Bool) {
        (
            sets[0].isEnabled || scanning.isEnabled || initiating != nil,
            initiating?.initiatorFilterPolicy == 1
                || scanning.isEnabled && scanning.parameters.scanningFilterPolicy & 1 == 1
                || sets.contains { $0.isEnabled && $0.parameters.advertisingFilterPolicy != 0 }
        )
    }

    func ownAddress(_ type: UInt8) -> DeviceAddress? {
        if type & 1 == 1 { return randomAddress }
        let address = configuration.publicAddress
        return address.value == 0 ? nil : DeviceAddress(address.value, .public)
    }

    /// Returns the address of a set; nil for none.
    func ownAddress(of set: AdvertisingSet) -> DeviceAddress? {
        let type = set.parameters.ownAddressType
        return type & 1 == 1 && !set.isLegacy ? set.randomAddress : ownAddress(type)
    }

    /// Maximum PDU payload that the host suggests for new links, in octets.
    var suggestedLength: UInt16 {
        guard configuration.features.contains(.leDataPacketLengthExtension) else { return 27 }
        return LESetDataLength.octets(suggested.octets, time: suggested.time)
    }

    /// Returns the scan parameters of a primary channel at a time; nil if the scanner does not listen.
    func listens(at now: Instant, on phy: LEPHY) -> LEScanningPHYParameters? {
        guard scanning.isEnabled, let parameters = scanning.parameters.parameters(of: phy) else {
            return nil
        }
        let since = now.nanoseconds - scanning.start.nanoseconds
        if scanning.period > 0 {
            let period = Int64(scanning.period) * 1_280_000_000
            guard since % period < Int64(scanning.duration) * 10_000_000 else { return nil }
        }
        let interval = Int64(parameters.scanInterval) * 625_000
        return since % interval < Int64(parameters.scanWindow) * 625_000 ? parameters : nil
    }

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

    /// Executes a command, and sets ``change``. Returns nil for a command that concerns a link.
    ///
    /// - Parameter random: the source of random numbers.
    public mutating func perform(
        _ opcode: HCIOpcode, _ parameters: [UInt8], at now: Instant, _ random: inout SplitMix
    ) throws(DecodeError) -> CommandAnswer? {
        change = nil
        guard let known = KnownCommand.with(opcode, of: configuration.supported) else {
            return .status(.unknownHCICommand)
        }
        if let set = known.set {
            let used = commandSet ?? set
            commandSet = used
            guard used == set else { return known.refusal(.commandDisallowed) }
        }
        if let answer = try performGeneral(opcode, parameters, &random) { return answer }
        if let answer = try performAdvertising(opcode, parameters) { return answer }
        if let answer = try performScanning(opcode, parameters, at: now) { return answer }
        return try performPrivacy(opcode, parameters)
    }

    /// Executes a command that concerns no link, advertising or scan; nil for others.
    private mutating func performGeneral(
        _ opcode: HCIOpcode, _ parameters: [UInt8], _ random: inout SplitMix
    ) throws(DecodeError) -> CommandAnswer? {
        switch opcode {
        case HCIReset.opcode:
            _ = try HCIReset(whole: parameters)
            reset()
        case HCISetEventMask.opcode: eventMask = try HCISetEventMask(whole: parameters).eventMask
        case HCISetEventMaskPage2.opcode:
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
            return .complete(LERand.ReturnParameters(randomNumber: number))
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
            HCIReadLocalVersionInformation.ReturnParameters(
                hciVersion: configuration.version, lmpVersion: configuration.version,
                companyIdentifier: configuration.company
            ).encoded
        case HCIReadLocalSupportedCommands.opcode:
            HCIReadLocalSupportedCommands.ReturnParameters(
                supportedCommands: KnownCommand.octets(of: configuration.supported)
            ).encoded
        case HCIReadLocalSupportedFeatures.opcode:
            // BR/EDR Not Supported and LE Supported (Vol 2, Part C, 3.3: bits 37 and 38).
            HCIReadLocalSupportedFeatures.ReturnParameters(lmpFeatures: 1 << 37 | 1 << 38).encoded
        case HCIReadBDADDR.opcode: HCIReadBDADDR.ReturnParameters(bdAddr: configuration.publicAddress).encoded
        case LEReadBufferSize.opcode:
            LEReadBufferSize.ReturnParameters(
                leACLDataPacketLength: configuration.aclPacketLength,
                totalNumLEACLDataPackets: configuration.aclPacketCount
            ).encoded
        case LEReadLocalSupportedFeatures.opcode:
            LEReadLocalSupportedFeatures.ReturnParameters(leFeatures: configuration.supported.rawValue)
                .encoded
        case .leReadSupportedStates:
            // All states and combinations of version 4.0 (7.8.27: bits 0 to 41).
            [HCIStatus.success.rawValue] + [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x03, 0, 0]
        case LEReadAdvertisingPhysicalChannelTxPower.opcode:
            LEReadAdvertisingPhysicalChannelTxPower.ReturnParameters().encoded
        case LEReadFilterAcceptListSize.opcode:
            LEReadFilterAcceptListSize.ReturnParameters(filterAcceptListSize: configuration.acceptListSize)
                .encoded
        case LEReadSuggestedDefaultDataLength.opcode:
            LEReadSuggestedDefaultDataLength.ReturnParameters(
                suggestedMaxTxOctets: suggested.octets, suggestedMaxTxTime: suggested.time
            ).encoded
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
