public import BluetoothCore
public import PayloadFormat
import WireBytes

/// The profiles of a run.
public struct ProfileSet: Sendable {
    /// The profiles: the user's, before those that are only tried.
    private let sources: [ProfileSource]
    /// The number of profiles that the user named; of the others, only frames that fit and prove it are
    /// annotated.
    public let certainCount: Int
    /// The keys that open encrypted fields, of all profiles.
    public var keys: [FieldKey] = []
    /// The results of slow functions of these keys.
    private let results = FunctionResults()
    let hasHandles: Bool
    /// The channels with a selector that needs no label.
    let unlabelled: [ProfilePlace]
    /// The selectors of each characteristic, in the order of their places.
    private let selectors: [BluetoothUUID: [ProfileMatch]]
    /// For each byte, whether a selector that needs no label has a prefix that starts with it.
    private let mayStart: [Bool]

    /// The selectors of each owner of advertising data, in the order in which they are tried.
    let advertising: [AdvertisingSelector.Owner: [AdvertisingMatch]]
    /// The channels of each SPSM.
    let services: [UInt16: [ProfilePlace]]
    /// For each profile, the fields that announce an SPSM, and the channels of that SPSM.
    let announcements: [Int: [(field: String, place: ProfilePlace)]]

    /// Creates a set of the profiles that the user named, and of others that are only tried.
    public init(_ profiles: [Profile], tried: [ProfileSource] = []) {
        let names = Set(profiles.map(\.name))
        sources = profiles.map(ProfileSource.init) + tried.filter { !names.contains($0.name) }
        certainCount = profiles.count
        var hasHandles = false
        var mayStart = [Bool](repeating: false, count: 256)
        var unlabelled: [ProfilePlace] = []
        var selectors: [BluetoothUUID: [ProfileMatch]] = [:]
        var advertising: [AdvertisingSelector.Owner: [AdvertisingMatch]] = [:]
        var services: [UInt16: [ProfilePlace]] = [:]
        var announcements: [Int: [(field: String, place: ProfilePlace)]] = [:]
        for (number, source) in sources.enumerated() {
            for (index, attributes) in source.selectors.enumerated() {
                let place = ProfilePlace(profile: number, channel: index)
                for selector in source.advertising[index] {
                    let match = AdvertisingMatch(
                        place: place, prefix: selector.valuePrefix, isCertain: number < certainCount)
                    advertising[selector.owner, default: []].append(match)
                }
                for selector in source.l2cap[index] {
                    switch selector {
                    case .psm(let psm): services[psm, default: []].append(place)
                    case .field(let field): announcements[number, default: []].append((field, place))
                    }
                }
                for (selector, attribute) in attributes.enumerated() {
                    if let characteristic = attribute.characteristic {
                        selectors[characteristic, default: []].append(
                            ProfileMatch(place: place, selector: selector))
                        continue
                    }
                    if unlabelled.last != place { unlabelled.append(place) }
                    if attribute.handle != nil { hasHandles = true }
                    if let octet = attribute.valuePrefix.first { mayStart[Int(octet)] = true }
                }
            }
        }
        self.hasHandles = hasHandles
        self.mayStart = mayStart
        self.unlabelled = unlabelled
        self.selectors = selectors
        self.advertising = advertising.mapValues { $0.sorted() }
        self.services = services
        self.announcements = announcements
    }

    /// Whether a value with this first byte may belong to a channel that needs no label.
    func mayStart(with octet: UInt8?) -> Bool { octet.map { mayStart[Int($0)] } ?? false }

    /// The characteristics whose values profiles describe.
    public var characteristics: [BluetoothUUID] { Array(selectors.keys) }

    /// The names of the profiles.
    public var names: [String] { sources.map(\.name) }

    /// Returns the name of a profile by its number in the set.
    public func name(of profile: Int) -> String { sources[profile].name }

    /// Returns the title of the profile with this name; nil if it has none.
    public func title(ofProfile name: String) -> String? { sources.first { $0.name == name }?.title }

    /// Returns the name of the first profile that the user named and that describes values of a
    /// characteristic with this operation; nil if absent.
    public func named(_ characteristic: BluetoothUUID, _ operation: ProfileOperation) -> String? {
        (selectors[characteristic] ?? []).first { match in
            match.profile < certainCount
                && attributes(match.place)[match.selector].operations.contains(operation)
        }.map { name(of: $0.profile) }
    }

    /// Returns the channels that a characteristic may belong to; empty if absent. Called once for
    /// each attribute.
    public func matches(characteristic: BluetoothUUID, service: BluetoothUUID?) -> [ProfileMatch] {
        (selectors[characteristic] ?? []).filter { isIn(service, $0) }
    }

    /// Whether profiles describe values of a characteristic.
    public func describes(_ characteristic: BluetoothUUID, in service: BluetoothUUID?) -> Bool {
        selectors[characteristic]?.contains { isIn(service, $0) } ?? false
    }

    private func isIn(_ service: BluetoothUUID?, _ match: ProfileMatch) -> Bool {
        attributes(match.place)[match.selector].service.map { $0 == service } ?? true
    }

    /// The selectors of a channel, which need not be read.
    func attributes(_ place: ProfilePlace) -> [AttributeSelector] {
        sources[place.profile].selectors[place.channel]
    }

    /// Returns a channel, and reads it if it comes with the program.
    func channel(_ place: ProfilePlace) -> ProfileChannel {
        sources[place.profile].channel(number: place.channel)
    }

    /// Returns the knowledge that opens the encrypted fields of a profile's messages.
    ///
    /// - Parameters:
    ///   - device: the address of the device that the message belongs to; nil if unknown.
    ///   - earlier: the values that earlier messages of the link left.
    func keys(
        profile: Int, of device: DeviceAddress?, _ earlier: FormulaVariables = FormulaVariables()
    ) -> FieldKeys {
        FieldKeys(
            profile: name(of: profile), device: device?.value, keys, earlier: earlier, results: results)
    }

    /// Whether a value that does not fit a profile is an error.
    func isStrict(profile: Int) -> Bool { sources[profile].isStrict }

    /// The pairs of requests and responses of a profile, by its number in the set.
    func pairs(profile: Int) -> [ProfilePair] { sources[profile].pairs }
}

struct ProfilePlace: Hashable, Comparable, Sendable {
    let profile: Int
    let channel: Int

    static func < (one: ProfilePlace, other: ProfilePlace) -> Bool {
        (one.profile, one.channel) < (other.profile, other.channel)
    }
}

/// A channel that an attribute may belong to, by its UUIDs.
public struct ProfileMatch: Hashable, Sendable {
    let place: ProfilePlace
    /// The number of the profile in its set.
    public var profile: Int { place.profile }
    let selector: Int
}

/// A channel that advertising data with a certain prefix may belong to.
struct AdvertisingMatch: Comparable, Sendable {
    let place: ProfilePlace
    let prefix: [UInt8]
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
    ///
    /// - Parameter device: the advertiser's address, which ciphers may use; nil if unknown.
    public func explain(
        _ value: RawSpan, of owner: AdvertisingSelector.Owner, from device: DeviceAddress? = nil
    ) -> ProfileAnnotation? {
        guard let matches = advertising[owner] else { return nil }
        let recognition: ProfileAnnotation.Recognition =
            if case .company = owner { .company } else { .serviceData }
        var misfit: ProfileAnnotation?
        for match in matches where value.starts(with: match.prefix) {
            let channel = channel(match.place)
            var annotation = ProfileAnnotation(
                profile: name(of: match.place.profile), channel: channel.name, recognition: recognition)
            annotation.describe(value.copied(), channel, keys(profile: match.place.profile, of: device))
            if annotation.misfits.isEmpty { return annotation }
            if match.isCertain, misfit == nil { misfit = annotation }
        }
        return misfit
    }
}
