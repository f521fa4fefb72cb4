import BluetoothCore
import Crypto
import Runtime

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
        /// The last private address of the peer.
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

    /// Whether an address is a private one of this controller.
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
