public import BluetoothCore

/// The profiles of a run.
public struct ProfileSet: Sendable {
    /// The profiles, the user's before those that are tried.
    public let profiles: [Profile]
    /// How many of them the user asked for; of the others only frames that fit and show it are annotated.
    public let certainCount: Int
    /// Whether any selector needs no label.
    let hasUnlabelled: Bool

    /// Profiles that the user asked for, and others that are only tried.
    public init(_ profiles: [Profile], tried: [Profile] = []) {
        let names = Set(profiles.map(\.name))
        self.profiles = profiles + tried.filter { !names.contains($0.name) }
        certainCount = profiles.count
        hasUnlabelled = self.profiles.contains {
            $0.channels.contains { $0.attributes.contains { $0.characteristic == nil } }
        }
    }

    /// Whether there is no profile at all.
    public var isEmpty: Bool { profiles.isEmpty }

    /// The channels that a characteristic may belong to; empty for none. Asked once for each attribute.
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
