public import BluetoothCore
public import CaptureFile

/// The devices that advertised, by address: bounded, and it says when it was full.
public struct AdvertiserTable: Sendable {
    public static let limit = 4096

    /// One address that advertised.
    public struct Advertiser: Sendable {
        public var address: DeviceAddress
        public var firstFrame: Int
        public var first: CaptureTime
        public var last: CaptureTime
        public var reports = 0
        public var strongestRSSI: Int8 = -128
        /// The local name, as it was sent; empty where none was seen.
        public var name: [UInt8] = []
        /// How many reports were searched for a name.
        var searched: UInt8 = 0
    }

    public private(set) var all: [Advertiser] = []
    private var index: [UInt64: Int32] = [:]
    public private(set) var wasFull = false
    private var lastKey: UInt64 = .max
    private var lastPlace = 0

    /// The advertiser with this address, made where it is new; nil where the table is full.
    mutating func place(_ address: DeviceAddress, _ frame: Int, _ time: CaptureTime) -> Int? {
        let key = address.value | (address.kind == .random ? 1 << 48 : 0)
        if key == lastKey { return lastPlace }
        let place: Int
        if let known = index[key] {
            place = Int(known)
        } else {
            guard all.count < Self.limit else {
                wasFull = true
                return nil
            }
            place = all.count
            index[key] = Int32(place)
            all.append(Advertiser(address: address, firstFrame: frame, first: time, last: time))
        }
        lastKey = key
        lastPlace = place
        return place
    }

    /// Whether the next report of an advertiser is worth searching for a name: few devices send one late.
    mutating func wantsName(_ place: Int) -> Bool {
        guard all[place].name.isEmpty, all[place].searched < 32 else { return false }
        all[place].searched += 1
        return true
    }

    /// Changes an advertiser in place.
    mutating func update(_ place: Int, _ body: (inout Advertiser) -> Void) { body(&all[place]) }

    /// The advertiser with this address.
    public func advertiser(_ address: DeviceAddress) -> Advertiser? {
        let key = address.value | (address.kind == .random || address.kind == .randomIdentity ? 1 << 48 : 0)
        return index[key].map { all[Int($0)] }
    }
}
