import BluetoothCore
public import Profiles
public import UQDK
import WireBytes

/// What a run knows before it reads the first record.
public struct AnalysisKnowledge: Sendable {
    /// The digital-key protocol's dialects and keys.
    public var uqdk: UQDKKnowledge
    /// The private protocols that profiles describe.
    public var profiles: ProfileSet
    /// Attribute databases and identities of devices.
    public var gatt: GATTKnowledge

    /// Knowledge of reference format 1 and the shipped profiles alone, unless more is given.
    public init(
        uqdk: UQDKKnowledge = UQDKKnowledge(), profiles: ProfileSet = ProfileSet([], tried: Profile.shipped),
        gatt: GATTKnowledge = GATTKnowledge()
    ) {
        self.uqdk = uqdk
        self.profiles = profiles
        self.gatt = gatt
    }

    /// The databases and identities, with those of the peers in the keys file.
    var allGATT: GATTKnowledge {
        var all = gatt
        for peer in uqdk.keys.peers {
            if let irk = peer.irk { all.add(irk: irk, of: peer.address) }
        }
        return all
    }
}

/// The characteristics that the annotators above ATT look for: a handful, compared one by one on the way of
/// every value.
struct WatchedCharacteristics: Sendable {
    private var uqdk: [(uuid: BluetoothUUID, attribute: UQDKAttribute)] = []
    /// Command and event characteristics that are not the digital-key protocol's in this run, each with the
    /// named profile that is the reason.
    private var displaced: [(uuid: BluetoothUUID, profile: String)] = []
    private var profiled: [BluetoothUUID] = []
    private let profiles: ProfileSet
    /// A bit for each characteristic that is looked for, by some of its UUID's own: sends nearly every other
    /// one away.
    private var signature: UInt64 = 0

    private static func bit(_ uuid: BluetoothUUID) -> UInt64 {
        // 16-bit UUIDs differ in bits 32 to 47; those of a maker mostly there or in the last octets.
        1 &<< ((uuid.high &>> 32 ^ uuid.low) & 63)
    }

    /// Whether it may be one of those sought; false only where it certainly isn't.
    @inline(__always)
    func mayMatch(_ uuid: BluetoothUUID) -> Bool { signature & Self.bit(uuid) != 0 }

    init(_ knowledge: AnalysisKnowledge) {
        profiles = knowledge.profiles
        for profile in profiles.profiles {
            for attribute in profile.channels.flatMap(\.attributes) {
                guard let uuid = attribute.characteristic, !profiled.contains(uuid) else { continue }
                profiled.append(uuid)
                signature |= Self.bit(uuid)
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
                signature |= Self.bit(uuid)
            }
        }
    }

    /// A named profile that describes one direction of a conversation takes both from the protocol: half of
    /// one would be full of answers to nothing.
    private mutating func displace(_ gatt: DialectGATT) {
        guard let profile = profiles.named(gatt.command, .write) ?? profiles.named(gatt.event, .notify) else {
            return
        }
        for uuid in [gatt.command, gatt.event] where self.profile(displacing: uuid) == nil {
            displaced.append((uuid, profile))
            signature |= Self.bit(uuid)
        }
    }

    /// The named profile for which the digital-key protocol gives up a characteristic; nil for none.
    func profile(displacing uuid: BluetoothUUID) -> String? {
        for entry in displaced where entry.uuid == uuid { return entry.profile }
        return nil
    }

    /// Whether the user named profiles: they come before the digital-key protocol.
    var hasNamedProfiles: Bool { profiles.certainCount > 0 }

    /// What text calls a characteristic that one of the protocols above ATT uses.
    func name(_ uuid: BluetoothUUID) -> StaticText? {
        switch uqdk(uuid)?.role {
        case .command: "UQDK Command"
        case .event: "UQDK Event"
        case .info: "UQDK Info"
        case nil: nil
        }
    }

    /// The channels of profiles that a labelled value may belong to; empty for none.
    func matches(_ uuid: BluetoothUUID, in service: BluetoothUUID?) -> [ProfileMatch] {
        for watched in profiled where watched == uuid {
            return profiles.matches(characteristic: uuid, service: service)
        }
        return []
    }

    /// The name of the profile that a match is of.
    func profile(of match: ProfileMatch) -> String {
        profiles.profiles.indices.contains(match.profile) ? profiles.profiles[match.profile].name : ""
    }

    /// Whether an annotator looks for the characteristic of this value.
    func contains(_ label: AttributeLabel) -> Bool {
        guard label.part == .value, let uuid = label.characteristic, mayMatch(uuid) else { return false }
        return uqdk(uuid) != nil || !matches(uuid, in: label.service).isEmpty
    }

    /// Who listens to the values of a characteristic; nil where no protocol known here does.
    func listener(_ uuid: BluetoothUUID, in service: BluetoothUUID?) -> SubscribedTo? {
        if uqdk(uuid)?.role == .event { return .answers }
        return matches(uuid, in: service).isEmpty ? nil : .values
    }

    func uqdk(_ uuid: BluetoothUUID) -> UQDKAttribute? {
        for entry in uqdk where entry.uuid == uuid { return entry.attribute }
        return nil
    }
}
