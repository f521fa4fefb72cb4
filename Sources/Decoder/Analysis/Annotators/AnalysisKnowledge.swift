public import Profiles
public import UQDK

/// The knowledge of a run before it reads the first record.
public struct AnalysisKnowledge: Sendable {
    /// The digital-key protocol's dialects and keys.
    public var uqdk: UQDKKnowledge
    /// The private protocols that profiles describe.
    public var profiles: ProfileSet
    /// Attribute databases and identities of devices.
    public var gatt: GATTKnowledge

    /// Creates knowledge of reference format 1 and the shipped profiles only, unless more is given.
    public init(
        uqdk: UQDKKnowledge = UQDKKnowledge(), profiles: ProfileSet = ProfileSet([], tried: Profile.shipped),
        gatt: GATTKnowledge = GATTKnowledge()
    ) {
        self.uqdk = uqdk
        self.profiles = profiles
        self.gatt = gatt
    }

    /// The databases and identities, including those of the peers in the keys file.
    var allGATT: GATTKnowledge {
        var all = gatt
        for peer in uqdk.keys.peers {
            if let irk = peer.irk { all.add(irk: irk, of: peer.address) }
        }
        return all
    }
}

/// The characteristics that the annotators above ATT look for.
struct WatchedCharacteristics: Sendable {
    private var uqdk: [(uuid: BluetoothUUID, attribute: UQDKAttribute)] = []
    /// Command and event characteristics that are not decoded as the digital-key protocol in this run, each
    /// with the named profile that takes precedence.
    private var displaced: [(uuid: BluetoothUUID, profile: String)] = []
    private let profiles: ProfileSet
    /// One of 4,096 bits for each watched characteristic, taken from its UUID; it excludes nearly all others.
    private var signature = [UInt64](repeating: 0, count: 64)

    private static func bit(_ uuid: BluetoothUUID) -> (word: Int, mask: UInt64) {
        // 16-bit UUIDs differ in bits 32 to 47; a vendor's differ mostly there or in the last bytes.
        let place = uuid.high &>> 32 ^ uuid.low
        return (Int(truncatingIfNeeded: place &>> 6 & 63), 1 &<< (place & 63))
    }

    private mutating func watch(_ uuid: BluetoothUUID) {
        let (word, mask) = Self.bit(uuid)
        signature[word] |= mask
    }

    /// Whether it may be a watched characteristic; false only if it certainly isn't.
    @inline(__always)
    func mayMatch(_ uuid: BluetoothUUID) -> Bool {
        let (word, mask) = Self.bit(uuid)
        return signature[word] & mask != 0
    }

    init(_ knowledge: AnalysisKnowledge) {
        profiles = knowledge.profiles
        for profile in profiles.profiles {
            for attribute in profile.channels.flatMap(\.attributes) {
                if let uuid = attribute.characteristic { watch(uuid) }
            }
        }
        for dialect in knowledge.uqdk.dialects {
            displace(dialect.gatt)
        }
        for dialect in knowledge.uqdk.dialects {
            for uuid in [dialect.gatt.command, dialect.gatt.event, dialect.gatt.info].compactMap({ $0 }) {
                guard let attribute = knowledge.uqdk.attribute(of: uuid),
                    !uqdk.contains(where: { $0.uuid == uuid }), profile(displacing: uuid) == nil
                else { continue }
                uqdk.append((uuid, attribute))
                watch(uuid)
            }
        }
    }

    /// Takes both directions of a conversation from the digital-key protocol if a named profile describes
    /// one: the other direction alone would be full of answers without requests.
    private mutating func displace(_ gatt: DialectGATT) {
        guard let profile = profiles.named(gatt.command, .write) ?? profiles.named(gatt.event, .notify) else {
            return
        }
        for uuid in [gatt.command, gatt.event] where self.profile(displacing: uuid) == nil {
            displaced.append((uuid, profile))
            watch(uuid)
        }
    }

    /// Returns the named profile that takes a characteristic from the digital-key protocol; nil if there is
    /// none.
    func profile(displacing uuid: BluetoothUUID) -> String? {
        for entry in displaced where entry.uuid == uuid { return entry.profile }
        return nil
    }

    /// Whether the user named profiles: they take precedence over the digital-key protocol.
    var hasNamedProfiles: Bool { profiles.certainCount > 0 }

    /// Returns the name in text of a characteristic that a protocol above ATT uses.
    func name(_ uuid: BluetoothUUID) -> StaticText? {
        switch uqdk(uuid)?.role {
        case .command: "UQDK Command"
        case .event: "UQDK Event"
        case .info: "UQDK Info"
        case nil: nil
        }
    }

    /// Returns the channels of profiles that a labelled value may belong to; empty if absent.
    func matches(_ uuid: BluetoothUUID, in service: BluetoothUUID?) -> [ProfileMatch] {
        profiles.matches(characteristic: uuid, service: service)
    }

    /// Returns the name of the profile of a match.
    func profile(of match: ProfileMatch) -> String {
        profiles.profiles.indices.contains(match.profile) ? profiles.profiles[match.profile].name : ""
    }

    /// Whether an annotator looks for the characteristic of this value.
    func contains(_ label: AttributeLabel) -> Bool {
        guard label.part == .value, let uuid = label.characteristic, mayMatch(uuid) else { return false }
        return uqdk(uuid) != nil || !matches(uuid, in: label.service).isEmpty
    }

    /// Returns the purpose of a subscription to a characteristic; nil if no protocol known here listens to
    /// it.
    func listener(_ uuid: BluetoothUUID, in service: BluetoothUUID?) -> SubscribedTo? {
        if uqdk(uuid)?.role == .event { return .answers }
        return matches(uuid, in: service).isEmpty ? nil : .values
    }

    func uqdk(_ uuid: BluetoothUUID) -> UQDKAttribute? {
        for entry in uqdk where entry.uuid == uuid { return entry.attribute }
        return nil
    }
}
