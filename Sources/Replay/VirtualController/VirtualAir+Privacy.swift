import BluetoothCore
import Runtime
import WireBytes

// Private addresses: the commands of the resolving list, and its effects on the air.

extension VirtualAir {
    /// Source: Core Specification, Vol 4, Part E, 7.8.38 to 7.8.45 and 7.8.77.
    mutating func performPrivacy(
        _ opcode: HCIOpcode, _ parameters: [UInt8], _ controller: Int
    ) throws(DecodeError) -> CommandAnswer? {
        let state = controllers[controller]
        let limit = Int(state.configuration.resolvingListSize)
        switch opcode {
        case LEAddDeviceToResolvingList.opcode:
            let wish = try LEAddDeviceToResolvingList(whole: parameters)
            guard wish.peerIdentityAddressType <= 1 else { return .complete(.invalidHCICommandParameters) }
            let new = ResolvingList.Entry(wish)
            let isKnown = state.resolving.entries.contains {
                $0.identity == new.identity || new.peerKey != nil && $0.peerKey == new.peerKey
            }
            guard !isKnown else { return .complete(.invalidHCICommandParameters) }
            guard !isListInUse(controller) else { return .complete(.commandDisallowed) }
            guard state.resolving.entries.count < limit else { return .complete(.memoryCapacityExceeded) }
            controllers[controller].resolving.entries.append(new)
            return .complete(.success)
        case LERemoveDeviceFromResolvingList.opcode:
            let wish = try LERemoveDeviceFromResolvingList(whole: parameters)
            return changeEntry(wish.peerIdentityAddressType, wish.peerIdentityAddress, controller) {
                $0.entries.remove(at: $1)
            }
        case LEClearResolvingList.opcode:
            _ = try LEClearResolvingList(whole: parameters)
            guard !isListInUse(controller) else { return .complete(.commandDisallowed) }
            controllers[controller].resolving.entries = []
            return .complete(.success)
        case LEReadResolvingListSize.opcode:
            _ = try LEReadResolvingListSize(whole: parameters)
            return .complete(
                LEReadResolvingListSize.ReturnParameters { $0.resolvingListSize = UInt8(clamping: limit) })
        case LESetPrivacyMode.opcode:
            let wish = try LESetPrivacyMode(whole: parameters)
            guard wish.privacyMode <= 1 else { return .complete(.invalidHCICommandParameters) }
            return changeEntry(wish.peerIdentityAddressType, wish.peerIdentityAddress, controller) {
                $0.entries[$1].hasDevicePrivacy = wish.privacyMode == 1
            }
        default: return try performResolution(opcode, parameters, controller)
        }
    }

    private mutating func performResolution(
        _ opcode: HCIOpcode, _ parameters: [UInt8], _ controller: Int
    ) throws(DecodeError) -> CommandAnswer? {
        switch opcode {
        case LESetAddressResolutionEnable.opcode:
            let enable = try LESetAddressResolutionEnable(whole: parameters).addressResolutionEnable
            guard enable <= 1 else { return .complete(.invalidHCICommandParameters) }
            guard !isBusy(controller) else { return .complete(.commandDisallowed) }
            controllers[controller].resolving.isEnabled = enable == 1
            return .complete(.success)
        case LESetResolvablePrivateAddressTimeout.opcode:
            let timeout = try LESetResolvablePrivateAddressTimeout(whole: parameters).rpaTimeout
            guard (1...3600).contains(timeout) else { return .complete(.invalidHCICommandParameters) }
            controllers[controller].resolving.timeout = timeout
            return .complete(.success)
        case LEReadPeerResolvableAddress.opcode:
            let wish = try LEReadPeerResolvableAddress(whole: parameters)
            let entry = entry(wish.peerIdentityAddressType, wish.peerIdentityAddress, controller)
            return .complete(
                LEReadPeerResolvableAddress.ReturnParameters {
                    $0.status = entry?.peer == nil ? .unknownConnectionIdentifier : .success
                    $0.peerResolvableAddress = entry?.peer ?? $0.peerResolvableAddress
                })
        case LEReadLocalResolvableAddress.opcode:
            let wish = try LEReadLocalResolvableAddress(whole: parameters)
            let entry = entry(wish.peerIdentityAddressType, wish.peerIdentityAddress, controller)
            return .complete(
                LEReadLocalResolvableAddress.ReturnParameters {
                    $0.status = entry?.local == nil ? .unknownConnectionIdentifier : .success
                    $0.localResolvableAddress = entry?.local?.address ?? $0.localResolvableAddress
                })
        default: return nil
        }
    }

    private func entry(_ type: UInt8, _ address: DeviceAddress, _ controller: Int) -> ResolvingList.Entry? {
        guard type <= 1 else { return nil }
        let list = controllers[controller].resolving
        return list.place(of: DeviceAddress(address.value, type == 0 ? .public : .random))
            .map { list.entries[$0] }
    }

    /// Changes an entry, if it exists and may be changed.
    private mutating func changeEntry(
        _ type: UInt8, _ address: DeviceAddress, _ controller: Int,
        _ change: (inout ResolvingList, Int) -> Void
    ) -> CommandAnswer {
        guard type <= 1 else { return .complete(.invalidHCICommandParameters) }
        guard !isListInUse(controller) else { return .complete(.commandDisallowed) }
        let identity = DeviceAddress(address.value, type == 0 ? .public : .random)
        guard let place = controllers[controller].resolving.place(of: identity) else {
            return .complete(.unknownConnectionIdentifier)
        }
        change(&controllers[controller].resolving, place)
        return .complete(.success)
    }

    private func isBusy(_ controller: Int) -> Bool {
        let state = controllers[controller]
        return state.sets.contains(where: \.isEnabled) || state.scanning.isEnabled || state.initiating != nil
    }

    private func isListInUse(_ controller: Int) -> Bool {
        controllers[controller].resolving.isEnabled && isBusy(controller)
    }

    // MARK: On the air

    /// Returns the address for an Own_Address_Type parameter: a private one for a listed peer, if the type
    /// requests that; nil if the controller has none.
    mutating func ownAddress(controller: Int, _ type: UInt8, towards peer: DeviceAddress) -> DeviceAddress? {
        madeAddress(controller, type, towards: peer) ?? controllers[controller].ownAddress(type)
    }

    /// Returns the address of a set: a private one, if the type requests that and the set's peer is listed.
    mutating func ownAddress(controller: Int, of set: AdvertisingSet) -> DeviceAddress? {
        madeAddress(controller, set.parameters.ownAddressType, towards: set.target)
            ?? controllers[controller].ownAddress(of: set)
    }

    /// Returns the private address that a controller generates for a listed peer; nil if it generates none.
    private mutating func madeAddress(
        _ controller: Int, _ type: UInt8, towards peer: DeviceAddress
    ) -> DeviceAddress? {
        var list = controllers[controller].resolving
        guard type >= 2, let place = list.place(of: peer.withPlainKind) else { return nil }
        let entry = list.entries[place]
        list.entries[place].local = list.renewed(entry.local, entry.localKey, at: now, &random)
        controllers[controller].resolving = list
        return list.entries[place].local?.address
    }

    /// Returns the target address of directed advertising: a private one, if the controller's own is private
    /// too.
    mutating func targetAddress(controller: Int, of set: AdvertisingSet) -> DeviceAddress {
        var list = controllers[controller].resolving
        guard set.parameters.ownAddressType >= 2, let place = list.place(of: set.target) else {
            return set.target
        }
        let entry = list.entries[place]
        list.entries[place].target = list.renewed(entry.target, entry.peerKey, at: now, &random)
        controllers[controller].resolving = list
        return list.entries[place].target?.address ?? set.target
    }

    /// Whether an address belongs to a controller, as its own or as a private one.
    func isAddressed(_ target: DeviceAddress, controller: Int, ownType: UInt8) -> Bool {
        let state = controllers[controller]
        return target == state.ownAddress(ownType) || state.resolving.isOwn(target)
    }

    /// Returns a peer's address as a controller knows it, which is its identity if the list resolves it. Nil
    /// for a peer that must use a private address and does not.
    mutating func known(_ address: DeviceAddress, at controller: Int) -> DeviceAddress? {
        let list = controllers[controller].resolving
        if let place = list.place(ofPeer: address) {
            controllers[controller].resolving.entries[place].peer = address
            let identity = list.entries[place].identity
            return DeviceAddress(
                identity.value, identity.kind == .public ? .publicIdentity : .randomIdentity)
        }
        guard list.isEnabled, let place = list.place(of: address) else { return address }
        let entry = list.entries[place]
        return entry.peerKey != nil && !entry.hasDevicePrivacy ? nil : address
    }
}
