import WireBytes

/// A channel that advertising data with a certain prefix may belong to.
struct AdvertisingMatch: Comparable, Sendable {
    let place: ProfilePlace
    let prefix: [UInt8]
    /// Whether the user named the profile.
    let isCertain: Bool

    /// The order in which channels are tried: the user's first, then those with the longest prefix.
    static func < (one: Self, other: Self) -> Bool {
        if one.isCertain != other.isCertain { return one.isCertain }
        return (0 - one.prefix.count, one.place) < (0 - other.prefix.count, other.place)
    }
}

extension ProfileSet {
    /// Returns the meaning of a value in advertising data, without the number of its owner; nil if no profile
    /// describes it.
    ///
    /// Of a profile that the user did not name, only a value that fits is shown: its owner's number was
    /// assigned, which proves as much as a constant in a frame.
    public func explain(_ value: RawSpan, of owner: AdvertisingSelector.Owner) -> ProfileAnnotation? {
        guard let matches = advertising[owner] else { return nil }
        let recognition: ProfileAnnotation.Recognition =
            if case .company = owner { .company } else { .serviceData }
        var misfit: ProfileAnnotation?
        for match in matches where value.starts(with: match.prefix) {
            let channel = channel(match.place)
            var annotation = ProfileAnnotation(
                profile: name(match.place.profile), channel: channel.name, recognition: recognition)
            annotation.describe(value.copied(), channel)
            if annotation.misfits.isEmpty { return annotation }
            if match.isCertain, misfit == nil { misfit = annotation }
        }
        return misfit
    }
}
