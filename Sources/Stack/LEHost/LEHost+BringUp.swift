import BluetoothCore
import WireBytes

/// Bring-up of a controller, one command after another.
///
/// Source: Core Specification, Vol 6, Part D, 2.1.
struct BringUp: Sendable {
    enum Step: Int, CaseIterable, Sendable {
        case reset
        case readVersion
        case readAddress
        case readClassicFeatures
        case readFeatures
        case readCommands
        case readBufferSize
        case readClassicBufferSize
        case setEventMask
        case writeLEHostSupport
        case setLEEventMask
        case readAcceptListSize
        case readResolvingListSize
        case setEventMaskPage2
        case readMaximumDataLength
        case writeSuggestedDataLength
        case readMaximumAdvertisingDataLength
        case setRandomAddress

        /// Whether the host continues if the controller refuses the command.
        var isOptional: Bool {
            switch self {
            // Old dual-mode controllers support LE without this command.
            case .writeLEHostSupport: true
            case .readCommands, .setEventMaskPage2, .readMaximumDataLength, .writeSuggestedDataLength,
                .readMaximumAdvertisingDataLength:
                true
            default: false
            }
        }
    }

    /// The LMP feature "BR/EDR Not Supported" (Vol 2, Part C, 3.3).
    static var classicNotSupported: UInt64 { 1 << 37 }

    /// The public address of the controller; all zeros without one.
    var publicAddress = DeviceAddress(0, .public)
    var leFeatures: LEFeatures = []
    /// Whether the controller has all commands of extended advertising, scanning and connecting that the host
    /// uses.
    ///
    /// A controller accepts either these or the legacy commands, so the host uses only one kind.
    var usesExtendedCommands = false
    /// Maximum length of advertising data in bytes.
    var maxAdvertisingDataLength = 31
    var suggestedOctets: UInt16 = 27
    var suggestedTime: UInt16 = 328
    /// Page 0 of the LMP features.
    var lmpFeatures: UInt64 = 0
    var acceptListSize = 0
    var hasResolvingList = false
    var packetLength = 0
    var packetCount = 0
}

extension LEHost {
    // The events Disconnection Complete, Encryption Change, Hardware Error, Number Of Completed Packets, Data
    // Buffer Overflow, Encryption Key Refresh Complete and LE Meta.
    static var eventMask: UInt64 {
        [4, 7, 15, 18, 25, 47, 61].reduce(0) { $0 | 1 << $1 }
    }

    // The events Connection Complete, Advertising Report, Connection Update Complete, Remote Connection
    // Parameter Request, Data Length Change, Enhanced Connection Complete and PHY Update Complete; Long Term
    // Key Request for a host with keys; Extended Advertising Report and Advertising Set Terminated for a
    // controller that has them.
    var leEventMask: UInt64 {
        let security = hasKeys ? [4] : []
        let extended = bringUp.usesExtendedCommands ? [12, 17] : []
        return ([0, 1, 2, 5, 6, 9, 11] + security + extended).reduce(0) { $0 | 1 << $1 }
    }

    private var hasKeys: Bool { configuration.security != nil || !configuration.bonds.isEmpty }

    mutating func powerOn() {
        switch state {
        case .off, .failed: break
        case .starting, .ready: return
        }
        context.commands.reset()
        bringUp = BringUp()
        scanner.restart()
        initiator.restart()
        advertiser.restart()
        privacy = PrivacyState()
        address = nil
        context.identityAddress = nil
        setState(.starting)
        begin(.reset)
    }

    mutating func powerOff() {
        guard state != .off else { return }
        dropLinks(.remoteDeviceTerminatedConnectionDueToPowerOff)
        scanner = Scanner()
        initiator = Initiator()
        advertiser = Advertiser()
        privacy = PrivacyState()
        let wasAlive = state == .ready || state == .starting
        context.commands.reset()
        setState(.off)
        // A reset also ends the controller's links and scans.
        if wasAlive { send(HCIReset(), for: .reset) }
    }

    mutating func fail(_ failure: HostFailure) {
        guard state != .off else { return }
        dropLinks(.hardwareFailure)
        context.commands.reset()
        if scanner.isTold { tell(.scanning(false)) }
        if advertiser.isTold { tell(.advertising(false)) }
        privacy = PrivacyState()
        advertiser.restart()
        scanner.restart()
        initiator.restart()
        setState(.failed(failure))
    }

    private mutating func dropLinks(_ reason: HCIStatus) {
        while let link = links.first { close(link.link.id, reason) }
        turn = 0
    }

    private mutating func begin(_ step: BringUp.Step) {
        let purpose = CommandPurpose.bringUp(step)
        switch step {
        case .reset: send(HCIReset(), for: purpose)
        case .readVersion: send(HCIReadLocalVersionInformation(), for: purpose)
        case .readAddress: send(HCIReadBDADDR(), for: purpose)
        case .readClassicFeatures: send(HCIReadLocalSupportedFeatures(), for: purpose)
        case .writeLEHostSupport: send(HCIWriteLEHostSupport(leSupportedHost: 1), for: purpose)
        case .readFeatures: send(LEReadLocalSupportedFeatures(), for: purpose)
        case .readBufferSize: send(LEReadBufferSize(), for: purpose)
        case .readClassicBufferSize: send(HCIReadBufferSize(), for: purpose)
        case .setEventMask: send(HCISetEventMask(eventMask: Self.eventMask), for: purpose)
        case .setLEEventMask: send(LESetEventMask(leEventMask: leEventMask), for: purpose)
        case .readAcceptListSize: send(LEReadFilterAcceptListSize(), for: purpose)
        case .readCommands: send(HCIReadLocalSupportedCommands(), for: purpose)
        case .readResolvingListSize: send(LEReadResolvingListSize(), for: purpose)
        // The event Authenticated Payload Timeout Expired.
        case .setEventMaskPage2: send(HCISetEventMaskPage2(eventMaskPage2: 1 << 23), for: purpose)
        case .readMaximumDataLength: send(LEReadMaximumDataLength(), for: purpose)
        case .writeSuggestedDataLength:
            let (octets, time) = (bringUp.suggestedOctets, bringUp.suggestedTime)
            send(
                LEWriteSuggestedDefaultDataLength(suggestedMaxTxOctets: octets, suggestedMaxTxTime: time),
                for: purpose)
        case .readMaximumAdvertisingDataLength: send(LEReadMaximumAdvertisingDataLength(), for: purpose)
        case .setRandomAddress:
            let random = configuration.staticAddress ?? DeviceAddress(0, .random)
            send(LESetRandomAddress(randomAddress: random), for: purpose)
        }
    }

    /// Handles the return parameters of a step, which start with the status.
    mutating func took(_ step: BringUp.Step, _ opcode: HCIOpcode, returned: [UInt8]) {
        guard state == .starting else { return }
        let status = HCIStatus(rawValue: returned.first ?? HCIStatus.unspecifiedError.rawValue)
        guard status == .success || step.isOptional else { return fail(.refused(opcode, status)) }
        do throws(DecodeError) {
            if status == .success { try keep(step, returned) }
        } catch {
            return fail(.malformed(opcode))
        }
        var next = BringUp.Step(rawValue: step.rawValue + 1)
        while let step = next, !isNeeded(step) { next = BringUp.Step(rawValue: step.rawValue + 1) }
        if let next { return begin(next) }
        becomeReady()
    }

    private func isNeeded(_ step: BringUp.Step) -> Bool {
        let features = bringUp.leFeatures
        switch step {
        // A controller without LE buffers uses those of BR/EDR.
        case .readClassicBufferSize: return bringUp.packetCount == 0 || bringUp.packetLength == 0
        // Only a controller with BR/EDR must know that its host supports LE.
        case .writeLEHostSupport: return bringUp.lmpFeatures & BringUp.classicNotSupported == 0
        case .readCommands:
            return features.contains(.leExtendedAdvertising)
                || configuration.privacy?.usesResolvingList == true
        case .readResolvingListSize: return bringUp.hasResolvingList
        case .setEventMaskPage2: return features.contains(.lePing) && hasKeys
        case .readMaximumDataLength:
            return features.contains(.leDataPacketLengthExtension) && configuration.requestsDataLength
        case .writeSuggestedDataLength: return bringUp.suggestedOctets > 27
        case .readMaximumAdvertisingDataLength: return bringUp.usesExtendedCommands
        case .setRandomAddress: return configuration.staticAddress != nil && !isPrivate
        default: return true
        }
    }

    private mutating func keep(_ step: BringUp.Step, _ returned: [UInt8]) throws(DecodeError) {
        switch step {
        case .readAddress:
            bringUp.publicAddress = try HCIReadBDADDR.ReturnParameters(start: returned).bdAddr
            bringUp.publicAddress.kind = .public
        case .readClassicFeatures:
            let features = try HCIReadLocalSupportedFeatures.ReturnParameters(start: returned)
            bringUp.lmpFeatures = features.lmpFeatures
        case .readFeatures:
            bringUp.leFeatures = LEFeatures(
                rawValue: try LEReadLocalSupportedFeatures.ReturnParameters(start: returned).leFeatures)
        case .readCommands:
            let commands = try HCIReadLocalSupportedCommands.ReturnParameters(start: returned)
                .supportedCommands
            bringUp.usesExtendedCommands =
                bringUp.leFeatures.contains(.leExtendedAdvertising) && Self.hasExtendedCommands(commands)
            if let policy = configuration.privacy {
                bringUp.hasResolvingList = privacy.take(commands, policy)
            }
        case .readMaximumDataLength:
            let most = try LEReadMaximumDataLength.ReturnParameters(start: returned)
            bringUp.suggestedOctets = min(most.supportedMaxTxOctets, 251)
            bringUp.suggestedTime = min(most.supportedMaxTxTime, 17_040)
        case .readMaximumAdvertisingDataLength:
            let most = try LEReadMaximumAdvertisingDataLength.ReturnParameters(start: returned)
            bringUp.maxAdvertisingDataLength = Int(most.maxAdvertisingDataLength)
        case .readBufferSize:
            let size = try LEReadBufferSize.ReturnParameters(start: returned)
            bringUp.packetLength = Int(size.leACLDataPacketLength)
            bringUp.packetCount = Int(size.totalNumLEACLDataPackets)
        case .readClassicBufferSize:
            let size = try HCIReadBufferSize.ReturnParameters(start: returned)
            bringUp.packetLength = Int(size.aclDataPacketLength)
            bringUp.packetCount = Int(size.totalNumACLDataPackets)
        case .readAcceptListSize:
            let size = try LEReadFilterAcceptListSize.ReturnParameters(start: returned)
            bringUp.acceptListSize = Int(size.filterAcceptListSize)
        case .readResolvingListSize:
            let size = try LEReadResolvingListSize.ReturnParameters(start: returned)
            privacy.listSize = Int(size.resolvingListSize)
        case .reset, .readVersion, .setEventMask, .setLEEventMask, .setRandomAddress, .writeLEHostSupport,
            .setEventMaskPage2, .writeSuggestedDataLength:
            break
        }
    }

    private mutating func becomeReady() {
        guard bringUp.packetCount > 0 else { return fail(.noBuffers) }
        if let own = configuration.staticAddress {
            context.identityAddress = DeviceAddress(own.value, .random)
        } else if bringUp.publicAddress.value != 0 {
            context.identityAddress = bringUp.publicAddress
        } else {
            return fail(.noAddress)
        }
        if !isPrivate { address = identityAddress }
        privacy.needsAddress = isPrivate
        beginPrivacy()
    }

    /// Makes the host ready, and starts what was requested before.
    mutating func setReady() {
        setState(.ready)
        reconcileScanner()
        reconcileInitiator()
        reconcileAdvertiser()
    }

    /// The Own_Address_Type parameter: 0 public, 1 random.
    var ownAddressType: UInt8 { configuration.staticAddress == nil && !isPrivate ? 0 : 1 }
}
