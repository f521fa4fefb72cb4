import BluetoothCore

/// The devices behind extended advertising: a chain's later packets name only its data, not the advertiser.
struct AdvertisingChains: Sendable {
    struct Entry: Sendable {
        /// Data identifier and advertising set, as in the packets.
        var dataInfo: UInt64
        var advertiser: DeviceAddress?
        var target: DeviceAddress?
        var time: Int64

        var set: UInt64 { dataInfo >> 12 & 0xF }
    }

    private static let limit = 64
    private var entries: [Entry] = []

    /// Adds the addresses of a packet to those known of its chain, and returns them; nil without data
    /// information and address.
    mutating func note(
        _ fields: ExtendedAdvertisingHeader, _ kind: DeviceAddress.Kind, _ targetKind: DeviceAddress.Kind,
        at time: Int64
    ) -> Entry? {
        let advertiser = fields.hasAdvertiser ? DeviceAddress(fields.advertiser.value, kind) : nil
        let target = fields.hasTarget ? DeviceAddress(fields.target.value, targetKind) : nil
        guard fields.hasDataInfo else {
            return advertiser.map { Entry(dataInfo: 0xF000, advertiser: $0, target: target, time: time) }
        }
        // Two devices may use the same numbers; a chain takes less than a second.
        let known = entries.firstIndex {
            $0.dataInfo == fields.dataInfo
                && (0..<1_000_000_000).contains(AirConnection.span(from: $0.time, to: time))
                && (advertiser == nil || $0.advertiser == nil || $0.advertiser == advertiser)
        }
        guard let known else {
            if entries.count >= Self.limit { entries.removeFirst() }
            entries.append(
                Entry(dataInfo: fields.dataInfo, advertiser: advertiser, target: target, time: time))
            return entries.last
        }
        entries[known].advertiser = advertiser ?? entries[known].advertiser
        entries[known].target = target ?? entries[known].target
        entries[known].time = time
        return entries[known]
    }
}
