import BluetoothCore
public import Crypto
import Runtime

/// How a host hides its identity from devices that it is not bonded with.
///
/// Source: Core Specification, Vol 3, Part C, 10.7; Vol 6, Part B, 1.3.2.2 and 6.
public struct HostPrivacy: Hashable, Sendable {
    /// What its private addresses are made with, and what it gives to those who pair: 16 octets, most
    /// significant first. It must stay the same as long as there are bonds.
    public var identityKey: SecretKey
    /// How long it uses a private address; nil for a host that uses its identity address on the air, too.
    public var rotation: Duration? = .seconds(15 * 60)
    /// Whether private addresses of bonded devices are resolved by the controller, where it can.
    public var usesResolvingList = true
    /// Whether a controller that resolves also hears bonded devices at their identity address (device privacy
    /// mode): not all that have a key use private addresses.
    public var hearsIdentities = true

    public init(identityKey: SecretKey) { self.identityKey = identityKey }
}

/// What a host does about private addresses, its own and those of others.
struct PrivacyState: Sendable {
    /// What the controller is told while it neither advertises, scans nor connects: only then it may be.
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

    /// A bonded device that advertises now, and until when that is believed.
    struct Sighting: Sendable {
        var address: DeviceAddress
        var until: Instant
    }

    /// How long a device that was heard is tried to be connected to at its address: it may have another one
    /// by then, and be heard again. Longer than two of the longest advertising intervals.
    static let sightingTime: Duration = .seconds(30)

    /// Commands that are left to be sent; the first is under way.
    var steps: [Step] = []
    /// When the own address is to change.
    var rotation: Instant?
    var needsAddress = false
    var needsList = true
    /// Devices that the controller's list can hold; 0 where it is not used.
    var listSize = 0
    var setsTimeout = false
    /// Bonds in the controller's list.
    var listed: [Bond] = []
    /// Whether the controller resolves addresses.
    var isResolving = false
    /// By the devices' identities.
    var sightings: [DeviceAddress: Sighting] = [:]

    /// Whether the controller resolves the private addresses of a bonded device.
    func resolves(_ bond: Bond) -> Bool { isResolving && listed.contains { $0.isListed(as: bond) } }

    /// Takes the commands that the controller has.
    ///
    /// Source: Core Specification, Vol 4, Part E, 6.27.
    mutating func take(_ commands: [UInt8], _ privacy: HostPrivacy) -> Bool {
        let has = { (octet: Int, bits: UInt8) in octet < commands.count && commands[octet] & bits == bits }
        setsTimeout = has(35, 1 << 2)
        // Without LE Set Privacy Mode, a device that has a key is not heard at its identity address.
        return has(34, 0b0111_1000) && has(35, 1 << 1) && (!privacy.hearsIdentities || has(39, 1 << 2))
    }
}

extension Bond {
    /// Whether both are the same to a resolving list.
    func isListed(as other: Bond) -> Bool { peer.names(other.peer) && identityKey == other.identityKey }
}

/// Knows bonded devices by their private addresses.
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

    /// The identity that made a private address; any other address as it is.
    func identity(of address: DeviceAddress) -> DeviceAddress {
        let plain = address.withPlainKind
        guard plain.isResolvablePrivate, let place = resolver.resolve(plain.value) else { return plain }
        return identities[place]
    }

    /// The same for an address that is seen again and again.
    mutating func seen(_ address: DeviceAddress) -> DeviceAddress {
        guard address.isResolvablePrivate, !identities.isEmpty else { return address.withPlainKind }
        if let known = answers[address] { return known }
        if answers.count >= Self.limit { answers = [:] }
        let identity = identity(of: address)
        answers[address] = identity
        return identity
    }
}
