import BluetoothCore
public import Crypto
public import Runtime
import WireBytes

/// Privacy settings that hide a host's identity from devices without a bond.
///
/// Source: Core Specification, Vol 3, Part C, 10.7; Vol 6, Part B, 1.3.2.2 and 6.
public struct HostPrivacy: Hashable, Sendable {
    /// The key for the host's private addresses, which devices get when they pair: 16 bytes, most significant
    /// first.
    ///
    /// It must not change while there are bonds.
    public var identityKey: SecretKey
    /// The lifetime of a private address; nil for a host that uses its identity address on the air.
    public var rotation: Duration? = .seconds(15 * 60)
    /// Whether the controller resolves the private addresses of bonded devices, if it can.
    public var usesResolvingList = true
    /// Whether a controller that resolves addresses also accepts bonded devices at their identity address
    /// (device privacy mode), since some devices with a key use no private addresses.
    public var hearsIdentities = true

    public init(identityKey: SecretKey) { self.identityKey = identityKey }
}

/// A host's state of private addresses, its own and those of other devices.
struct PrivacyState: Sendable {
    /// A command that the controller accepts only while it neither advertises nor scans nor connects.
    enum Step: Sendable {
        case setTimeout(UInt16)
        case clearList
        case remove(Bond)
        case add(Bond)
        case setDeviceMode(DeviceAddress)
        case resolve
        case draw
        case setAddress(DeviceAddress)
    }

    /// The address of a bonded device that advertises, and the time at which it expires.
    struct Sighting: Sendable {
        var address: DeviceAddress
        var until: Instant
    }

    /// Time for which a received address is used for connecting.
    ///
    /// Longer than two of the longest advertising intervals, so that a device that has changed its address is
    /// received again.
    static let sightingTime: Duration = .seconds(30)

    /// The commands that remain; the first one is in progress.
    var steps: [Step] = []
    /// Time of the next change of the host's address.
    var rotation: Instant?
    var needsAddress = false
    var needsList = true
    /// The capacity of the controller's resolving list; 0 if the list is not used.
    var listSize = 0
    var setsTimeout = false
    /// The bonds in the controller's resolving list.
    var listed: [Bond] = []
    /// Whether the controller resolves addresses.
    var isResolving = false
    /// The last sightings, by the devices' identities.
    var sightings: [DeviceAddress: Sighting] = [:]

    /// Whether the controller resolves the private addresses of a bonded device.
    func resolves(_ bond: Bond) -> Bool { isResolving && listed.contains { $0.isListed(as: bond) } }

    /// Reads the controller's supported commands; returns whether the host can use its resolving list.
    ///
    /// Source: Core Specification, Vol 4, Part E, 6.27.
    mutating func take(_ commands: [UInt8], _ privacy: HostPrivacy) -> Bool {
        let has = { (octet: Int, bits: UInt8) in octet < commands.count && commands[octet] & bits == bits }
        setsTimeout = has(35, 1 << 2)
        // Without LE Set Privacy Mode, devices with a key would not be accepted at their identity address.
        return has(34, 0b0111_1000) && has(35, 1 << 1) && (!privacy.hearsIdentities || has(39, 1 << 2))
    }
}

extension Bond {
    /// Whether both bonds are the same entry in a resolving list.
    func isListed(as other: Bond) -> Bool { peer.names(other.peer) && identityKey == other.identityKey }
}

/// Resolves the private addresses of bonded devices.
struct PeerResolver: Sendable {
    private static let limit = 1024
    private var resolver = PrivateAddressResolver()
    private var identities: [DeviceAddress] = []
    private var answers: [DeviceAddress: DeviceAddress] = [:]

    init(_ bonds: [Bond]) {
        for bond in bonds {
            guard let key = bond.identityKey, (try? resolver.add(identityResolvingKey: key.octets)) != nil
            else { continue }
            identities.append(bond.peer.withPlainKind)
        }
    }

    /// Returns the identity behind a private address; other addresses stay unchanged.
    func identity(of address: DeviceAddress) -> DeviceAddress {
        let plain = address.withPlainKind
        guard plain.isResolvablePrivate, let place = resolver.resolve(plain.value) else { return plain }
        return identities[place]
    }

    /// Returns the identity too, but from a cache, for addresses that are received repeatedly.
    mutating func seen(_ address: DeviceAddress) -> DeviceAddress {
        guard address.isResolvablePrivate, !identities.isEmpty else { return address.withPlainKind }
        if let known = answers[address] { return known }
        if answers.count >= Self.limit { answers = [:] }
        let identity = identity(of: address)
        answers[address] = identity
        return identity
    }
}

/// The identity resolving key of a host, in the form in which it is stored with bonds: in hexadecimal.
public struct IdentityKey: Hashable, Sendable {
    let key: SecretKey

    /// Generates a new key.
    public init(_ entropy: any Entropy) throws(EntropyError) {
        key = SecretKey(try entropy.octets(16, for: .identityKey))
    }
}

extension IdentityKey: Codable {
    /// Decodes the key; throws if it is not 16 bytes in hexadecimal.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        guard let octets = try? Hex.octets(try value.decode(String.self)), octets.count == 16 else {
            throw DecodingError.dataCorruptedError(
                in: value, debugDescription: "not 16 octets in hexadecimal")
        }
        key = SecretKey(octets)
    }

    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(Hex.text(key.octets))
    }
}

extension HostPrivacy {
    /// Creates privacy settings.
    ///
    /// - Parameter key: the key that is stored with the bonds.
    public init(_ key: IdentityKey) { self.init(identityKey: key.key) }
}
