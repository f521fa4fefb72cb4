import BluetoothCore
import Crypto
import Runtime
import WireBytes

/// A controller's resolving list: the identities whose private addresses it resolves and generates.
///
/// Source: Core Specification, Vol 6, Part B, 4.7 and 6.
struct ResolvingList: Sendable {
    /// A private address and the time at which it was generated.
    struct Made: Sendable {
        var address: DeviceAddress
        var at: Instant
    }

    struct Entry: Sendable {
        /// Public, or random and static.
        let identity: DeviceAddress
        /// Keys of 16 bytes, most significant first; nil for all zeros.
        let peerKey: [UInt8]?
        let localKey: [UInt8]?
        /// Whether the peer may also use its identity address.
        var hasDevicePrivacy = false
        var peer: DeviceAddress?
        /// The private address for use with the peer.
        var local: Made?
        /// The peer's private address in directed advertising.
        var target: Made?

        init(_ command: LEAddDeviceToResolvingList) {
            let isPublic = command.peerIdentityAddressType == 0
            identity = DeviceAddress(command.peerIdentityAddress.value, isPublic ? .public : .random)
            peerKey = Self.key(command.peerIRK)
            localKey = Self.key(command.localIRK)
        }

        private static func key(_ octets: [UInt8]) -> [UInt8]? {
            octets.contains { $0 != 0 } ? octets.reversed() : nil
        }
    }

    var entries: [Entry] = []
    var isEnabled = false
    /// Lifetime of a generated private address, in seconds.
    var timeout: UInt16 = 900

    func place(of identity: DeviceAddress) -> Int? { entries.firstIndex { $0.identity == identity } }

    /// Returns the index of the entry whose peer generated a private address.
    func place(ofPeer address: DeviceAddress) -> Int? {
        guard isEnabled else { return nil }
        return entries.firstIndex { Self.fits(address, $0.peerKey) }
    }

    func isOwn(_ address: DeviceAddress) -> Bool {
        isEnabled && entries.contains { Self.fits(address, $0.localKey) }
    }

    private static func fits(_ address: DeviceAddress, _ key: [UInt8]?) -> Bool {
        guard let key, address.isResolvablePrivate else { return false }
        let prand = UInt32(truncatingIfNeeded: address.value >> 24)
        let hash = try? PrivateAddressResolver.hash(key: key, prand: prand)
        return hash == UInt32(truncatingIfNeeded: address.value) & 0xFF_FFFF
    }

    /// Returns the address that an entry's key has generated, or a new one if that has expired.
    func renewed(_ made: Made?, _ key: [UInt8]?, at now: Instant, _ random: inout SplitMix) -> Made? {
        guard isEnabled, let key else { return nil }
        if let made, made.at.advanced(by: .seconds(Int(timeout))) > now { return made }
        let bits = UInt32(truncatingIfNeeded: random.next())
        guard let value = try? PrivateAddressResolver.address(key: key, random: bits) else { return nil }
        return Made(address: DeviceAddress(value, .random), at: now)
    }
}

// Commands of the resolving list.

extension ControllerCore {
    /// Source: Core Specification, Vol 4, Part E, 7.8.38 to 7.8.45 and 7.8.77.
    mutating func performPrivacy(
        _ opcode: HCIOpcode, _ parameters: [UInt8]
    ) throws(DecodeError) -> CommandAnswer? {
        let limit = Int(configuration.resolvingListSize)
        switch opcode {
        case LEAddDeviceToResolvingList.opcode:
            let wish = try LEAddDeviceToResolvingList(whole: parameters)
            guard wish.peerIdentityAddressType <= 1 else { return .complete(.invalidHCICommandParameters) }
            let new = ResolvingList.Entry(wish)
            let isKnown = resolving.entries.contains {
                $0.identity == new.identity || new.peerKey != nil && $0.peerKey == new.peerKey
            }
            guard !isKnown else { return .complete(.invalidHCICommandParameters) }
            guard !isListInUse else { return .complete(.commandDisallowed) }
            guard resolving.entries.count < limit else { return .complete(.memoryCapacityExceeded) }
            resolving.entries.append(new)
            return .complete(.success)
        case LERemoveDeviceFromResolvingList.opcode:
            let wish = try LERemoveDeviceFromResolvingList(whole: parameters)
            return changeEntry(wish.peerIdentityAddressType, wish.peerIdentityAddress) {
                $0.entries.remove(at: $1)
            }
        case LEClearResolvingList.opcode:
            _ = try LEClearResolvingList(whole: parameters)
            guard !isListInUse else { return .complete(.commandDisallowed) }
            resolving.entries = []
            return .complete(.success)
        case LEReadResolvingListSize.opcode:
            _ = try LEReadResolvingListSize(whole: parameters)
            return .complete(
                LEReadResolvingListSize.ReturnParameters(resolvingListSize: UInt8(clamping: limit)))
        case LESetPrivacyMode.opcode:
            let wish = try LESetPrivacyMode(whole: parameters)
            guard wish.privacyMode <= 1 else { return .complete(.invalidHCICommandParameters) }
            return changeEntry(wish.peerIdentityAddressType, wish.peerIdentityAddress) {
                $0.entries[$1].hasDevicePrivacy = wish.privacyMode == 1
            }
        default: return try performResolution(opcode, parameters)
        }
    }

    private mutating func performResolution(
        _ opcode: HCIOpcode, _ parameters: [UInt8]
    ) throws(DecodeError) -> CommandAnswer? {
        switch opcode {
        case LESetAddressResolutionEnable.opcode:
            let enable = try LESetAddressResolutionEnable(whole: parameters).addressResolutionEnable
            guard enable <= 1 else { return .complete(.invalidHCICommandParameters) }
            guard !isBusy else { return .complete(.commandDisallowed) }
            resolving.isEnabled = enable == 1
            return .complete(.success)
        case LESetResolvablePrivateAddressTimeout.opcode:
            let timeout = try LESetResolvablePrivateAddressTimeout(whole: parameters).rpaTimeout
            guard (1...3600).contains(timeout) else { return .complete(.invalidHCICommandParameters) }
            resolving.timeout = timeout
            return .complete(.success)
        case LEReadPeerResolvableAddress.opcode:
            let wish = try LEReadPeerResolvableAddress(whole: parameters)
            let entry = entry(wish.peerIdentityAddressType, wish.peerIdentityAddress)
            return .complete(
                LEReadPeerResolvableAddress.ReturnParameters {
                    $0.status = entry?.peer == nil ? .unknownConnectionIdentifier : .success
                    $0.peerResolvableAddress = entry?.peer ?? $0.peerResolvableAddress
                })
        case LEReadLocalResolvableAddress.opcode:
            let wish = try LEReadLocalResolvableAddress(whole: parameters)
            let entry = entry(wish.peerIdentityAddressType, wish.peerIdentityAddress)
            return .complete(
                LEReadLocalResolvableAddress.ReturnParameters {
                    $0.status = entry?.local == nil ? .unknownConnectionIdentifier : .success
                    $0.localResolvableAddress = entry?.local?.address ?? $0.localResolvableAddress
                })
        default: return nil
        }
    }

    private func entry(_ type: UInt8, _ address: DeviceAddress) -> ResolvingList.Entry? {
        guard type <= 1 else { return nil }
        return resolving.place(of: DeviceAddress(address.value, type == 0 ? .public : .random))
            .map { resolving.entries[$0] }
    }

    /// Changes an entry, if it exists and may be changed.
    private mutating func changeEntry(
        _ type: UInt8, _ address: DeviceAddress, _ change: (inout ResolvingList, Int) -> Void
    ) -> CommandAnswer {
        guard type <= 1 else { return .complete(.invalidHCICommandParameters) }
        guard !isListInUse else { return .complete(.commandDisallowed) }
        let identity = DeviceAddress(address.value, type == 0 ? .public : .random)
        guard let place = resolving.place(of: identity) else {
            return .complete(.unknownConnectionIdentifier)
        }
        change(&resolving, place)
        return .complete(.success)
    }

    private var isListInUse: Bool { resolving.isEnabled && isBusy }

    private var isBusy: Bool { sets.contains(where: \.isEnabled) || scanning.isEnabled || initiating != nil }
}
