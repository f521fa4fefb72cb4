import BluetoothCore
import Runtime
import WireBytes

// Commands of advertising sets.

extension VirtualAir {
    mutating func performExtendedAdvertising(
        _ opcode: HCIOpcode, _ parameters: [UInt8], _ controller: Int
    ) throws(DecodeError) -> CommandAnswer? {
        switch opcode {
        case LESetAdvertisingSetRandomAddress.opcode:
            let wish = try LESetAdvertisingSetRandomAddress(whole: parameters)
            return .complete(setAddress(wish, controller))
        case LESetExtendedAdvertisingParameters.opcode:
            return .complete(setUp(try LESetExtendedAdvertisingParameters(whole: parameters), controller))
        case LESetExtendedAdvertisingData.opcode:
            let wish = try LESetExtendedAdvertisingData(whole: parameters)
            return .complete(setData(wish, controller))
        case LESetExtendedScanResponseData.opcode:
            let wish = try LESetExtendedScanResponseData(whole: parameters)
            return .complete(setScanResponse(wish, controller))
        case LESetExtendedAdvertisingEnable.opcode:
            let wish = try LESetExtendedAdvertisingEnable(whole: parameters)
            return .complete(enable(wish, controller))
        case LEReadMaximumAdvertisingDataLength.opcode:
            _ = try LEReadMaximumAdvertisingDataLength(whole: parameters)
            let most = controllers[controller].configuration.maxAdvertisingDataLength
            return .complete(
                LEReadMaximumAdvertisingDataLength.ReturnParameters { $0.maxAdvertisingDataLength = most })
        case LEReadNumberOfSupportedAdvertisingSets.opcode:
            _ = try LEReadNumberOfSupportedAdvertisingSets(whole: parameters)
            let limit = controllers[controller].configuration.advertisingSetLimit
            return .complete(
                LEReadNumberOfSupportedAdvertisingSets.ReturnParameters {
                    $0.numSupportedAdvertisingSets = limit
                })
        case LERemoveAdvertisingSet.opcode:
            let handle = try LERemoveAdvertisingSet(whole: parameters).advertisingHandle
            guard handle <= 0xEF else { return .complete(.invalidHCICommandParameters) }
            guard let place = place(of: handle, controller) else {
                return .complete(.unknownAdvertisingIdentifier)
            }
            guard !controllers[controller].sets[place].isEnabled else {
                return .complete(.commandDisallowed)
            }
            controllers[controller].sets.remove(at: place)
            return .complete(.success)
        case LEClearAdvertisingSets.opcode:
            _ = try LEClearAdvertisingSets(whole: parameters)
            guard !controllers[controller].sets.contains(where: \.isEnabled) else {
                return .complete(.commandDisallowed)
            }
            controllers[controller].sets.removeAll { !$0.isLegacy }
            return .complete(.success)
        default: return nil
        }
    }

    /// Returns the index of an advertising set. The first one belongs to the legacy commands and has no
    /// handle.
    private func place(of handle: UInt8, _ controller: Int) -> Int? {
        controllers[controller].sets.firstIndex { $0.handle == handle && !$0.isLegacy }
    }

    private mutating func setAddress(
        _ wish: LESetAdvertisingSetRandomAddress, _ controller: Int
    ) -> HCIStatus {
        guard wish.advertisingHandle <= 0xEF else { return .invalidHCICommandParameters }
        guard let place = place(of: wish.advertisingHandle, controller) else {
            return .unknownAdvertisingIdentifier
        }
        let set = controllers[controller].sets[place]
        guard !set.isEnabled || !set.isConnectable else { return .commandDisallowed }
        controllers[controller].sets[place].randomAddress = DeviceAddress(wish.randomAddress.value, .random)
        return .success
    }

    /// Creates a set or changes its parameters.
    ///
    /// Source: Core Specification, Vol 4, Part E, 7.8.53.
    private mutating func setUp(
        _ wish: LESetExtendedAdvertisingParameters, _ controller: Int
    ) -> LESetExtendedAdvertisingParameters.ReturnParameters {
        var set = AdvertisingSet(handle: wish.advertisingHandle, parameters: wish)
        let place = place(of: wish.advertisingHandle, controller)
        let status = check(wish, place, controller)
        if status == .success, let place {
            controllers[controller].sets[place].parameters = wish
        } else if status == .success {
            set.generation = controllers[controller].advertisingGeneration
            controllers[controller].sets.append(set)
        }
        return .init {
            $0.status = status
            $0.selectedTxPower = status == .success ? set.txPower : 0
        }
    }

    private func check(
        _ wish: LESetExtendedAdvertisingParameters, _ place: Int?, _ controller: Int
    ) -> HCIStatus {
        guard Self.areAllowed(wish) else { return .invalidHCICommandParameters }
        let state = controllers[controller]
        var set = AdvertisingSet(handle: wish.advertisingHandle, parameters: wish)
        if !set.usesLegacyPDUs {
            let phys = [wish.primaryAdvertisingPHY, wish.secondaryAdvertisingPHY]
            guard phys.allSatisfy({ state.configuration.phys.contains($0.mask) }) else {
                return .unsupportedFeatureOrParameterValue
            }
        }
        guard let place else {
            return state.sets.count <= Int(state.configuration.advertisingSetLimit)
                ? .success : .memoryCapacityExceeded
        }
        guard !state.sets[place].isEnabled else { return .commandDisallowed }
        // The set's existing data must suit the new parameters.
        set.data = state.sets[place].data
        set.scanResponse = state.sets[place].scanResponse
        let limit = set.usesLegacyPDUs ? 31 : Int.max
        guard set.data.octets.count <= (set.carriesData ? limit : 0),
            set.scanResponse.octets.count <= (set.isScannable ? limit : 0)
        else { return .invalidHCICommandParameters }
        return .success
    }

    private static func areAllowed(_ wish: LESetExtendedAdvertisingParameters) -> Bool {
        guard wish.advertisingHandle <= 0xEF, wish.advertisingEventProperties <= 0x7F,
            (0x20...0xFF_FFFF).contains(wish.primaryAdvertisingIntervalMin),
            (wish.primaryAdvertisingIntervalMin...0xFF_FFFF).contains(wish.primaryAdvertisingIntervalMax),
            (1...7).contains(wish.primaryAdvertisingChannelMap), wish.ownAddressType <= 3,
            wish.peerAddressType <= 1, wish.advertisingFilterPolicy <= 3,
            wish.advertisingTxPower <= 20 || wish.advertisingTxPower == 127,
            wish.scanRequestNotificationEnable <= 1
        else { return false }
        let set = AdvertisingSet(handle: wish.advertisingHandle, parameters: wish)
        guard !set.usesLegacyPDUs else {
            return [0x13, 0x15, 0x1D, 0x12, 0x10].contains(wish.advertisingEventProperties)
        }
        return !(set.isConnectable && set.isScannable) && !set.isHighDuty
            && !(set.isAnonymous && (set.isConnectable || set.isScannable))
            && [.le1M, .leCoded].contains(wish.primaryAdvertisingPHY)
            && (1...3).contains(wish.secondaryAdvertisingPHY.rawValue) && wish.advertisingSID <= 0x0F
    }

    private mutating func setData(_ wish: LESetExtendedAdvertisingData, _ controller: Int) -> HCIStatus {
        guard wish.advertisingHandle <= 0xEF, wish.operation <= 4, wish.fragmentPreference <= 1 else {
            return .invalidHCICommandParameters
        }
        guard let place = place(of: wish.advertisingHandle, controller) else {
            return .unknownAdvertisingIdentifier
        }
        let set = controllers[controller].sets[place]
        if wish.operation == 4 {
            // A new data ID for the same data.
            guard set.isEnabled, !set.usesLegacyPDUs, !set.data.octets.isEmpty, wish.advertisingData.isEmpty
            else { return .invalidHCICommandParameters }
            controllers[controller].sets[place].dataID += 1
            return .success
        }
        guard set.carriesData else { return .invalidHCICommandParameters }
        let status = take(
            wish.advertisingData, wish.operation, into: &controllers[controller].sets[place].data, set,
            limit: controllers[controller].configuration.maxAdvertisingDataLength)
        if status == .success { controllers[controller].sets[place].dataID += 1 }
        return status
    }

    private mutating func setScanResponse(
        _ wish: LESetExtendedScanResponseData, _ controller: Int
    ) -> HCIStatus {
        guard wish.advertisingHandle <= 0xEF, wish.operation <= 3, wish.fragmentPreference <= 1 else {
            return .invalidHCICommandParameters
        }
        guard let place = place(of: wish.advertisingHandle, controller) else {
            return .unknownAdvertisingIdentifier
        }
        let set = controllers[controller].sets[place]
        // The only valid operation on a set that is not scannable is to discard its data.
        guard set.isScannable || wish.operation == 3 && wish.scanResponseData.isEmpty else {
            return .invalidHCICommandParameters
        }
        if set.isEnabled, !set.usesLegacyPDUs, wish.scanResponseData.isEmpty { return .commandDisallowed }
        let status = take(
            wish.scanResponseData, wish.operation, into: &controllers[controller].sets[place].scanResponse,
            set, limit: controllers[controller].configuration.maxAdvertisingDataLength)
        if status == .success { controllers[controller].sets[place].dataID += 1 }
        return status
    }

    /// Stores complete data (3), or the first (1), an intermediate (0) or the last (2) fragment.
    ///
    /// Source: Core Specification, Vol 4, Part E, 7.8.54 and 7.8.55.
    private func take(
        _ octets: [UInt8], _ operation: UInt8, into data: inout AdvertisingData, _ set: AdvertisingSet,
        limit: UInt16
    ) -> HCIStatus {
        guard octets.count <= 251, operation == 3 || !octets.isEmpty else {
            return .invalidHCICommandParameters
        }
        if set.usesLegacyPDUs, operation != 3 || octets.count > 31 { return .invalidHCICommandParameters }
        guard operation == 3 || !set.isEnabled else { return .commandDisallowed }
        // A fragment needs those before it.
        if operation == 0 || operation == 2, !data.isPartial { return .commandDisallowed }
        let isFollowing = operation == 0 || operation == 2
        let whole = isFollowing ? data.octets + octets : octets
        guard whole.count <= Int(limit) else {
            data = AdvertisingData()
            return .memoryCapacityExceeded
        }
        data = AdvertisingData(octets: whole, isPartial: operation < 2)
        return .success
    }

    /// Starts or stops either all named sets or none of them.
    ///
    /// Source: Core Specification, Vol 4, Part E, 7.8.56.
    private mutating func enable(_ wish: LESetExtendedAdvertisingEnable, _ controller: Int) -> HCIStatus {
        let handles = wish.sets.map(\.advertisingHandle)
        guard wish.enable <= 1, wish.enable == 0 || !handles.isEmpty, handles.count <= 0x3F,
            Set(handles).count == handles.count, handles.allSatisfy({ $0 <= 0xEF })
        else { return .invalidHCICommandParameters }
        var places: [(place: Int, wish: LEAdvertisingSetDuration)] = []
        for set in wish.sets {
            guard let place = place(of: set.advertisingHandle, controller) else {
                return .unknownAdvertisingIdentifier
            }
            places.append((place, set))
        }
        guard wish.enable == 1 else {
            let all = handles.isEmpty ? Array(controllers[controller].sets.indices) : places.map(\.place)
            for place in all where controllers[controller].sets[place].isEnabled {
                stopAdvertising(controller: controller, place: place)
            }
            return .success
        }
        for (place, wish) in places {
            let status = mayStart(controllers[controller].sets[place], wish, controller)
            guard status == .success else { return status }
        }
        for (place, wish) in places {
            startAdvertising(
                controller, place, duration: wish.duration, eventLimit: wish.maxExtendedAdvertisingEvents)
        }
        return .success
    }

    private func mayStart(
        _ set: AdvertisingSet, _ wish: LEAdvertisingSetDuration, _ controller: Int
    ) -> HCIStatus {
        // High duty cycle directed advertising lasts at most 1.28 s.
        if set.isHighDuty, !(1...128).contains(wish.duration) { return .invalidHCICommandParameters }
        guard controllers[controller].ownAddress(of: set) != nil else { return .invalidHCICommandParameters }
        guard !set.data.isPartial, !set.scanResponse.isPartial else { return .commandDisallowed }
        guard !set.usesLegacyPDUs else { return .success }
        guard !set.isScannable || !set.scanResponse.octets.isEmpty else { return .commandDisallowed }
        let isTooLong = set.isConnectable && set.data.octets.count > AdvertisingSet.connectableDataLimit
        return isTooLong ? .packetTooLong : .success
    }
}
