public import BluetoothCore

/// The profiles of a run.
public struct ProfileSet: Sendable {
    /// The profiles: the user's, before those that are only tried.
    public let profiles: [Profile]
    /// The number of profiles that the user named; of the others, only frames that fit and prove it are
    /// annotated.
    public let certainCount: Int
    /// Whether any selector uses a handle.
    let hasHandles: Bool
    /// For each byte, whether a selector that needs no label has a prefix that starts with it.
    private let mayStart: [Bool]

    /// Creates a set of the profiles that the user named, and of others that are only tried.
    public init(_ profiles: [Profile], tried: [Profile] = []) {
        let names = Set(profiles.map(\.name))
        self.profiles = profiles + tried.filter { !names.contains($0.name) }
        certainCount = profiles.count
        let selectors = self.profiles.flatMap(\.channels).flatMap(\.attributes)
        hasHandles = selectors.contains { $0.characteristic == nil && $0.handle != nil }
        var mayStart = [Bool](repeating: false, count: 256)
        for selector in selectors where selector.characteristic == nil {
            if let octet = selector.valuePrefix.first { mayStart[Int(octet)] = true }
        }
        self.mayStart = mayStart
    }

    /// Whether a value with this first byte may belong to a channel that needs no label.
    func mayStart(with octet: UInt8?) -> Bool { octet.map { mayStart[Int($0)] } ?? false }

    /// Whether there are no profiles.
    public var isEmpty: Bool { profiles.isEmpty }

    /// Returns the name of the first profile that the user named and that describes values of a
    /// characteristic with this operation; nil if absent.
    public func named(_ characteristic: BluetoothUUID, _ operation: ProfileOperation) -> String? {
        profiles.prefix(certainCount).first { profile in
            profile.channels.flatMap(\.attributes).contains {
                $0.characteristic == characteristic && $0.operations.contains(operation)
            }
        }?.name
    }

    /// Returns the channels that a characteristic may belong to; empty if absent. Called once for
    /// each attribute.
    public func matches(characteristic: BluetoothUUID, service: BluetoothUUID?) -> [ProfileMatch] {
        var matches: [ProfileMatch] = []
        for (number, profile) in profiles.enumerated() {
            for (channel, description) in profile.channels.enumerated() {
                for (selector, attribute) in description.attributes.enumerated()
                where attribute.characteristic == characteristic
                    && (attribute.service == nil || attribute.service == service)
                {
                    matches.append(ProfileMatch(profile: number, channel: channel, selector: selector))
                }
            }
        }
        return matches
    }
}

/// A channel that an attribute may belong to, by its UUIDs.
public struct ProfileMatch: Hashable, Sendable {
    /// The number of the profile in its set.
    public let profile: Int
    /// The number of the channel in the profile.
    public let channel: Int
    /// The number of the selector in the channel.
    public let selector: Int
}
