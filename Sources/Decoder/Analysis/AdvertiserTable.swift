public import BluetoothCore
public import CaptureFile

/// The devices that advertised, by address. The table is bounded and records when it was full.
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
        /// The local name, as sent; empty if none was seen.
        public var name: [UInt8] = []
        /// The identity that its private address resolves to; nil if no key known by then resolves it.
        public internal(set) var identity: DeviceAddress?
        /// The first service that it advertised.
        public internal(set) var service: BluetoothUUID?
        /// Whether its Flags say that it does not support BR/EDR.
        var deniesClassic = false
        /// Number of keys known at the last attempt to resolve its address.
        var keysTried = 0
        var isNamedByAddress = false
        private var searched: (reports: UInt8, responses: UInt8) = (0, 0)

        init(address: DeviceAddress, firstFrame: Int, first: CaptureTime) {
            self.address = address
            self.firstFrame = firstFrame
            self.first = first
            last = first
        }

        /// Counts a report; returns whether to search it for a name, as the first of each kind are.
        mutating func heard(at time: CaptureTime, rssi: Int8, isResponse: Bool) -> Bool {
            reports &+= 1
            last = time
            if rssi <= LEAdvertisement.highestRSSI, rssi > strongestRSSI { strongestRSSI = rssi }
            let count = isResponse ? searched.responses : searched.reports
            guard name.isEmpty, count < 32 else { return false }
            if isResponse { searched.responses &+= 1 } else { searched.reports &+= 1 }
            return true
        }
    }

    public private(set) var all: [Advertiser] = []
    /// Indexes by address, with open addressing: advertisers are looked up more often than anything else.
    private var index = PlaceIndex()
    public private(set) var wasFull = false
    private var lastKey: UInt64 = .max
    private var lastPlace = 0

    /// Returns the index of the advertiser with this address, which is added if it is new; nil if the table
    /// is full.
    @inline(__always)
    mutating func place(of address: DeviceAddress, frame: Int, at time: CaptureTime) -> Int? {
        let key = PeerTable.Key(address).value
        if key == lastKey { return lastPlace }
        let place: Int
        if let known = index[key] {
            place = known
        } else {
            guard all.count < Self.limit else {
                wasFull = true
                return nil
            }
            place = all.count
            index.add(key, place: place)
            all.append(Advertiser(address: address, firstFrame: frame, first: time))
        }
        lastKey = key
        lastPlace = place
        return place
    }

    /// Counts a report of an advertiser; returns whether to search it for a name.
    mutating func heard(place: Int, at time: CaptureTime, rssi: Int8, isResponse: Bool) -> Bool {
        all[place].heard(at: time, rssi: rssi, isResponse: isResponse)
    }

    /// Sets an advertiser's name if it is longer than the present one.
    mutating func name(place: Int, _ name: [UInt8]) {
        guard all[place].name.count < name.count else { return }
        all[place].name = name
        all[place].isNamedByAddress = DeviceAddress(String(decoding: name, as: UTF8.self)) != nil
    }

    /// Records a service of an advertiser; only the first is kept.
    mutating func offers(place: Int, _ service: BluetoothUUID) {
        if all[place].service == nil { all[place].service = service }
    }

    /// Records the Flags of an advertiser (Core Specification Supplement, Part A, 1.3).
    mutating func note(flags: UInt8, place: Int) { all[place].deniesClassic = flags & 0x04 != 0 }

    /// Whether the device with this address advertises that it does not support BR/EDR.
    func deniesClassic(_ address: DeviceAddress) -> Bool {
        [.public, .random].contains { advertiser(DeviceAddress(address.value, $0))?.deniesClassic == true }
    }

    /// Whether an advertiser's address is unresolved and was not tried with all known keys.
    @inline(__always)
    func needsResolving(place: Int, keys: Int) -> Bool {
        all[place].keysTried != keys && all[place].identity == nil
    }

    /// Records the result of resolving an advertiser's address with all known keys.
    mutating func resolve(place: Int, to identity: DeviceAddress?, keys: Int) {
        all[place].identity = identity
        all[place].keysTried = keys
    }

    /// Returns the name that a device advertised under any of its private addresses.
    public func name(ofIdentity identity: DeviceAddress) -> [UInt8]? {
        all.first { $0.identity?.value == identity.value && !$0.name.isEmpty }?.name
    }

    /// Returns the advertiser with this address.
    public func advertiser(_ address: DeviceAddress) -> Advertiser? {
        index[PeerTable.Key(address).value].map { all[$0] }
    }

    /// Returns the kind of address that a device advertises with, if it differs from the requested kind. An
    /// address of the other kind belongs to another device (Core Specification, Vol 6, Part B, 1.3).
    func otherKind(of address: DeviceAddress) -> DeviceAddress.Kind? {
        guard address.kind != .unknown, advertiser(address) == nil else { return nil }
        let other: DeviceAddress.Kind = address.isRandom ? .public : .random
        return advertiser(DeviceAddress(address.value, other)) == nil ? nil : other
    }
}

extension DeviceAddress {
    /// Whether it is a random device address or a random identity address.
    var isRandom: Bool { kind == .random || kind == .randomIdentity }
}

/// Indexes of a list by 49-bit keys, in a table at least twice as long as the number of keys.
private struct PlaceIndex: Sendable {
    private static let leastSize = 64
    private static let free = UInt64.max
    private var keys: [UInt64] = []
    private var places: [Int32] = []
    private var count = 0

    /// Returns the entry where the search for a key starts; every bit of the key contributes.
    @inline(__always)
    private func start(_ key: UInt64) -> Int {
        var mixed = (key ^ key &>> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed &>> 27) &* 0x94D0_49BB_1331_11EB
        return Int(truncatingIfNeeded: mixed &>> 33) & (keys.count &- 1)
    }

    @inline(__always)
    subscript(key: UInt64) -> Int? {
        guard !keys.isEmpty else { return nil }
        var at = start(key)
        while keys[at] != Self.free {
            if keys[at] == key { return Int(places[at]) }
            at = (at &+ 1) & (keys.count &- 1)
        }
        return nil
    }

    /// Adds a key that is not in the table yet.
    @inline(never)
    mutating func add(_ key: UInt64, place: Int) {
        count += 1
        if 2 * count > keys.count { grow() }
        put(key, Int32(place))
    }

    private mutating func put(_ key: UInt64, _ place: Int32) {
        var at = start(key)
        while keys[at] != Self.free { at = (at &+ 1) & (keys.count &- 1) }
        keys[at] = key
        places[at] = place
    }

    private mutating func grow() {
        let before = zip(keys, places)
        let size = max(Self.leastSize, 2 * keys.count)
        keys = [UInt64](repeating: Self.free, count: size)
        places = [Int32](repeating: 0, count: size)
        for (key, place) in before where key != Self.free { put(key, place) }
    }
}
