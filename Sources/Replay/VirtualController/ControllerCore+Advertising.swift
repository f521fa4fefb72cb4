import BluetoothCore
import WireBytes

// Commands of advertisers: those of legacy advertising, and those of advertising sets.

extension ControllerCore {
    /// The first set, which belongs to the legacy commands.
    private static var legacy: Int { 0 }

    mutating func performAdvertising(
        _ opcode: HCIOpcode, _ parameters: [UInt8]
    ) throws(DecodeError) -> CommandAnswer? {
        let set = sets[Self.legacy]
        switch opcode {
        case LESetAdvertisingParameters.opcode:
            let wish = try LESetAdvertisingParameters(whole: parameters)
            guard !set.isEnabled else { return .complete(.commandDisallowed) }
            let new = LESetExtendedAdvertisingParameters(wish)
            guard wish.advertisingType <= 4, new.primaryAdvertisingIntervalMax <= 0x4000,
                Self.areAllowed(new)
            else { return .complete(.invalidHCICommandParameters) }
            sets[Self.legacy].parameters = new
        case LESetAdvertisingData.opcode:
            let wish = try LESetAdvertisingData(whole: parameters)
            guard wish.advertisingDataLength <= 31 else { return .complete(.invalidHCICommandParameters) }
            sets[Self.legacy].data.octets = Array(
                wish.advertisingData.prefix(Int(wish.advertisingDataLength)))
        case LESetScanResponseData.opcode:
            let wish = try LESetScanResponseData(whole: parameters)
            guard wish.scanResponseDataLength <= 31 else { return .complete(.invalidHCICommandParameters) }
            sets[Self.legacy].scanResponse.octets = Array(
                wish.scanResponseData.prefix(Int(wish.scanResponseDataLength)))
        case LESetAdvertisingEnable.opcode:
            let enable = try LESetAdvertisingEnable(whole: parameters).advertisingEnable
            guard enable == 0 || enable == 1 && ownAddress(of: set) != nil else {
                return .complete(.invalidHCICommandParameters)
            }
            if enable == 0, set.isEnabled { stopAdvertising(set: Self.legacy) }
            if enable == 1, !set.isEnabled { startAdvertising([(Self.legacy, LEAdvertisingSetDuration())]) }
        default: return try performExtendedAdvertising(opcode, parameters)
        }
        return .complete(.success)
    }

    private mutating func startAdvertising(_ starts: [(place: Int, wish: LEAdvertisingSetDuration)]) {
        for (place, wish) in starts {
            advertisingGeneration += 1
            sets[place].isEnabled = true
            sets[place].generation = advertisingGeneration
            sets[place].duration = wish.duration
            sets[place].eventLimit = wish.maxExtendedAdvertisingEvents
            sets[place].events = 0
        }
        change = .advertising(starts.map(\.place))
    }

    public mutating func stopAdvertising(set place: Int) {
        advertisingGeneration += 1
        sets[place].isEnabled = false
        sets[place].generation = advertisingGeneration
    }

    private mutating func performExtendedAdvertising(
        _ opcode: HCIOpcode, _ parameters: [UInt8]
    ) throws(DecodeError) -> CommandAnswer? {
        switch opcode {
        case LESetAdvertisingSetRandomAddress.opcode:
            return .complete(setAddress(try LESetAdvertisingSetRandomAddress(whole: parameters)))
        case LESetExtendedAdvertisingParameters.opcode:
            return .complete(setUp(try LESetExtendedAdvertisingParameters(whole: parameters)))
        case LESetExtendedAdvertisingData.opcode:
            return .complete(setData(try LESetExtendedAdvertisingData(whole: parameters)))
        case LESetExtendedScanResponseData.opcode:
            return .complete(setScanResponse(try LESetExtendedScanResponseData(whole: parameters)))
        case LESetExtendedAdvertisingEnable.opcode:
            return .complete(enable(try LESetExtendedAdvertisingEnable(whole: parameters)))
        case LEReadMaximumAdvertisingDataLength.opcode:
            _ = try LEReadMaximumAdvertisingDataLength(whole: parameters)
            let most = configuration.maxAdvertisingDataLength
            return .complete(
                LEReadMaximumAdvertisingDataLength.ReturnParameters(maxAdvertisingDataLength: most))
        case LEReadNumberOfSupportedAdvertisingSets.opcode:
            _ = try LEReadNumberOfSupportedAdvertisingSets(whole: parameters)
            let limit = configuration.advertisingSetLimit
            return .complete(
                LEReadNumberOfSupportedAdvertisingSets.ReturnParameters(numSupportedAdvertisingSets: limit))
        case LERemoveAdvertisingSet.opcode:
            let handle = try LERemoveAdvertisingSet(whole: parameters).advertisingHandle
            guard handle <= 0xEF else { return .complete(.invalidHCICommandParameters) }
            guard let place = place(of: handle) else { return .complete(.unknownAdvertisingIdentifier) }
            guard !sets[place].isEnabled else { return .complete(.commandDisallowed) }
            sets.remove(at: place)
            return .complete(.success)
        case LEClearAdvertisingSets.opcode:
            _ = try LEClearAdvertisingSets(whole: parameters)
            guard !sets.contains(where: \.isEnabled) else { return .complete(.commandDisallowed) }
            sets.removeAll { !$0.isLegacy }
            return .complete(.success)
        default: return nil
        }
    }

    /// Returns the index of an advertising set. The first one belongs to the legacy commands and has no
    /// handle.
    private func place(of handle: UInt8) -> Int? {
        sets.firstIndex { $0.handle == handle && !$0.isLegacy }
    }

    private mutating func setAddress(_ wish: LESetAdvertisingSetRandomAddress) -> HCIStatus {
        guard wish.advertisingHandle <= 0xEF else { return .invalidHCICommandParameters }
        guard let place = place(of: wish.advertisingHandle) else {
            return .unknownAdvertisingIdentifier
        }
        let set = sets[place]
        guard !set.isEnabled || !set.isConnectable else { return .commandDisallowed }
        sets[place].randomAddress = DeviceAddress(wish.randomAddress.value, .random)
        return .success
    }

    /// Creates a set or changes its parameters.
    ///
    /// Source: Core Specification, Vol 4, Part E, 7.8.53.
    private mutating func setUp(
        _ wish: LESetExtendedAdvertisingParameters
    ) -> LESetExtendedAdvertisingParameters.ReturnParameters {
        var set = AdvertisingSet(handle: wish.advertisingHandle, parameters: wish)
        let place = place(of: wish.advertisingHandle)
        let status = check(wish, set: place)
        if status == .success, let place {
            sets[place].parameters = wish
        } else if status == .success {
            set.generation = advertisingGeneration
            sets.append(set)
        }
        return .init {
            $0.status = status
            $0.selectedTxPower = status == .success ? set.txPower : 0
        }
    }

    private func check(_ wish: LESetExtendedAdvertisingParameters, set place: Int?) -> HCIStatus {
        guard Self.areAllowed(wish) else { return .invalidHCICommandParameters }
        var set = AdvertisingSet(handle: wish.advertisingHandle, parameters: wish)
        if !set.usesLegacyPDUs {
            let phys = [wish.primaryAdvertisingPHY, wish.secondaryAdvertisingPHY]
            guard phys.allSatisfy({ configuration.phys.contains($0.mask) }) else {
                return .unsupportedFeatureOrParameterValue
            }
        }
        guard let place else {
            return sets.count <= Int(configuration.advertisingSetLimit) ? .success : .memoryCapacityExceeded
        }
        guard !sets[place].isEnabled else { return .commandDisallowed }
        // The set's existing data must suit the new parameters.
        set.data = sets[place].data
        set.scanResponse = sets[place].scanResponse
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

    private mutating func setData(_ wish: LESetExtendedAdvertisingData) -> HCIStatus {
        guard wish.advertisingHandle <= 0xEF, wish.operation <= 4, wish.fragmentPreference <= 1 else {
            return .invalidHCICommandParameters
        }
        guard let place = place(of: wish.advertisingHandle) else {
            return .unknownAdvertisingIdentifier
        }
        let set = sets[place]
        if wish.operation == 4 {
            // A new data ID for the same data.
            guard set.isEnabled, !set.usesLegacyPDUs, !set.data.octets.isEmpty, wish.advertisingData.isEmpty
            else { return .invalidHCICommandParameters }
            sets[place].dataID += 1
            return .success
        }
        guard set.carriesData else { return .invalidHCICommandParameters }
        let status = take(
            wish.advertisingData, wish.operation, into: &sets[place].data, set,
            limit: configuration.maxAdvertisingDataLength)
        if status == .success { sets[place].dataID += 1 }
        return status
    }

    private mutating func setScanResponse(_ wish: LESetExtendedScanResponseData) -> HCIStatus {
        guard wish.advertisingHandle <= 0xEF, wish.operation <= 3, wish.fragmentPreference <= 1 else {
            return .invalidHCICommandParameters
        }
        guard let place = place(of: wish.advertisingHandle) else {
            return .unknownAdvertisingIdentifier
        }
        let set = sets[place]
        // The only valid operation on a set that is not scannable is to discard its data.
        guard set.isScannable || wish.operation == 3 && wish.scanResponseData.isEmpty else {
            return .invalidHCICommandParameters
        }
        if set.isEnabled, !set.usesLegacyPDUs, wish.scanResponseData.isEmpty { return .commandDisallowed }
        let status = take(
            wish.scanResponseData, wish.operation, into: &sets[place].scanResponse,
            set, limit: configuration.maxAdvertisingDataLength)
        if status == .success { sets[place].dataID += 1 }
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
    private mutating func enable(_ wish: LESetExtendedAdvertisingEnable) -> HCIStatus {
        let handles = wish.sets.map(\.advertisingHandle)
        guard wish.enable <= 1, wish.enable == 0 || !handles.isEmpty, handles.count <= 0x3F,
            Set(handles).count == handles.count, handles.allSatisfy({ $0 <= 0xEF })
        else { return .invalidHCICommandParameters }
        var places: [(place: Int, wish: LEAdvertisingSetDuration)] = []
        for set in wish.sets {
            guard let place = place(of: set.advertisingHandle) else {
                return .unknownAdvertisingIdentifier
            }
            places.append((place, set))
        }
        guard wish.enable == 1 else {
            let all = handles.isEmpty ? Array(sets.indices) : places.map(\.place)
            for place in all where sets[place].isEnabled {
                stopAdvertising(set: place)
            }
            return .success
        }
        for (place, wish) in places {
            let status = mayStart(sets[place], wish)
            guard status == .success else { return status }
        }
        startAdvertising(places)
        return .success
    }

    private func mayStart(_ set: AdvertisingSet, _ wish: LEAdvertisingSetDuration) -> HCIStatus {
        // High duty cycle directed advertising lasts at most 1.28 s.
        if set.isHighDuty, !(1...128).contains(wish.duration) { return .invalidHCICommandParameters }
        guard ownAddress(of: set) != nil else { return .invalidHCICommandParameters }
        guard !set.data.isPartial, !set.scanResponse.isPartial else { return .commandDisallowed }
        guard !set.usesLegacyPDUs else { return .success }
        guard !set.isScannable || !set.scanResponse.octets.isEmpty else { return .commandDisallowed }
        let isTooLong = set.isConnectable && set.data.octets.count > AdvertisingSet.connectableDataLimit
        return isTooLong ? .packetTooLong : .success
    }
}
