import BluetoothCore
import Runtime
import WireBytes

// Commands of advertisers, scanners and initiators.

extension VirtualAir {
    mutating func performAdvertising(
        _ opcode: HCIOpcode, _ parameters: [UInt8], _ controller: Int
    ) throws(DecodeError) -> CommandAnswer? {
        let legacy = 0
        let isEnabled = controllers[controller].sets[legacy].isEnabled
        switch opcode {
        case LESetAdvertisingParameters.opcode:
            let wish = try LESetAdvertisingParameters(whole: parameters)
            guard !isEnabled else { return .complete(.commandDisallowed) }
            guard Self.areAllowed(wish) else { return .complete(.invalidHCICommandParameters) }
            controllers[controller].sets[legacy].parameters = LESetExtendedAdvertisingParameters(wish)
            return .complete(.success)
        case LESetAdvertisingData.opcode:
            let wish = try LESetAdvertisingData(whole: parameters)
            guard wish.advertisingDataLength <= 31 else { return .complete(.invalidHCICommandParameters) }
            controllers[controller].sets[legacy].data.octets = Array(
                wish.advertisingData.prefix(Int(wish.advertisingDataLength)))
            return .complete(.success)
        case LESetScanResponseData.opcode:
            let wish = try LESetScanResponseData(whole: parameters)
            guard wish.scanResponseDataLength <= 31 else { return .complete(.invalidHCICommandParameters) }
            controllers[controller].sets[legacy].scanResponse.octets = Array(
                wish.scanResponseData.prefix(Int(wish.scanResponseDataLength)))
            return .complete(.success)
        case LESetAdvertisingEnable.opcode:
            let enable = try LESetAdvertisingEnable(whole: parameters).advertisingEnable
            guard enable <= 1 else { return .complete(.invalidHCICommandParameters) }
            guard enable == 1 else {
                if isEnabled { stopAdvertising(controller: controller, place: legacy) }
                return .complete(.success)
            }
            guard controllers[controller].ownAddress(of: controllers[controller].sets[legacy]) != nil else {
                return .complete(.invalidHCICommandParameters)
            }
            if !isEnabled { startAdvertising(controller, legacy) }
            return .complete(.success)
        default: return try performExtendedAdvertising(opcode, parameters, controller)
        }
    }

    private static func areAllowed(_ wish: LESetAdvertisingParameters) -> Bool {
        guard wish.advertisingType <= 4, wish.ownAddressType <= 3, wish.peerAddressType <= 1,
            wish.advertisingFilterPolicy <= 3, (1...7).contains(wish.advertisingChannelMap)
        else { return false }
        // High duty cycle directed advertising has a fixed interval.
        if wish.advertisingType == 1 { return true }
        return (0x20...0x4000).contains(wish.advertisingIntervalMin)
            && (wish.advertisingIntervalMin...0x4000).contains(wish.advertisingIntervalMax)
    }

    mutating func performScanning(
        _ opcode: HCIOpcode, _ parameters: [UInt8], _ controller: Int
    ) throws(DecodeError) -> CommandAnswer? {
        switch opcode {
        case LESetScanParameters.opcode:
            let wish = try LESetScanParameters(whole: parameters)
            guard wish.isAllowed else { return .complete(.invalidHCICommandParameters) }
            guard !controllers[controller].scanning.isEnabled else { return .complete(.commandDisallowed) }
            controllers[controller].scanning.parameters = LESetExtendedScanParameters(wish)
            return .complete(.success)
        case LESetScanEnable.opcode:
            let wish = try LESetScanEnable(whole: parameters)
            guard wish.isAllowed else { return .complete(.invalidHCICommandParameters) }
            let own = controllers[controller].scanning.parameters.ownAddressType
            guard wish.leScanEnable == 0 || controllers[controller].ownAddress(own) != nil else {
                return .complete(.invalidHCICommandParameters)
            }
            if wish.leScanEnable == 1, !controllers[controller].scanning.isEnabled {
                controllers[controller].scanning.start = now
            }
            controllers[controller].scanning.isEnabled = wish.leScanEnable == 1
            controllers[controller].scanning.filterDuplicates = wish.filterDuplicates
            controllers[controller].scanning.seen = []
            return .complete(.success)
        case LECreateConnection.opcode:
            let wish = try LECreateConnection(whole: parameters)
            guard wish.isAllowed else { return .status(.invalidHCICommandParameters) }
            return .status(initiate(LEExtendedCreateConnection(wish), controller: controller))
        case LECreateConnectionCancel.opcode:
            _ = try LECreateConnectionCancel(whole: parameters)
            guard controllers[controller].initiating != nil else { return .complete(.commandDisallowed) }
            controllers[controller].initiating = nil
            completeConnection(
                LEEnhancedConnectionComplete { $0.status = .unknownConnectionIdentifier }, to: controller)
            return .complete(.success)
        default: return try performExtendedScanning(opcode, parameters, controller)
        }
    }

    /// Starts waiting for an advertiser, if the controller's state allows it.
    mutating func initiate(_ wish: LEExtendedCreateConnection, controller: Int) -> HCIStatus {
        let state = controllers[controller]
        guard state.initiating == nil else { return .commandDisallowed }
        guard state.ownAddress(wish.ownAddressType) != nil else { return .invalidHCICommandParameters }
        guard linkCount(controller: controller) < state.configuration.linkLimit else {
            return .connectionLimitExceeded
        }
        if wish.initiatorFilterPolicy == 0 {
            let kind: DeviceAddress.Kind = wish.peerAddressType & 1 == 0 ? .public : .random
            let peer = DeviceAddress(wish.peerAddress.value, kind)
            let isConnected = links.contains { link in
                guard let own = link.ends.firstIndex(where: { $0.controller == controller && !$0.isGone })
                else { return false }
                let address = link.ends[1 - own].address
                let entry = state.resolving.place(ofPeer: address)
                return peer == entry.map { state.resolving.entries[$0].identity } ?? address
            }
            guard !isConnected else { return .connectionAlreadyExists }
        }
        controllers[controller].initiating = wish
        return .success
    }
}
