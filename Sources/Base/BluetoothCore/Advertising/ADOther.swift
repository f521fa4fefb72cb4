public import WireBytes

/// What devices that pair out of band tell each other: a hash, a random number, a confirmation. It is never
/// shown.
///
/// Source: Supplement to the Core Specification, Part A, 1.6.
@frozen
public struct ADValue16<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    /// 16 octets, least significant first.
    public var value: Payload

    @inlinable
    public init() {
        value = Payload()
    }

    @inlinable
    public init(value: Payload) {
        self.value = value
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.octets("Value", &value, count: 16, .secret)
    }
}

/// A key, of as many octets as there are; it is never shown.
///
/// Source: Supplement to the Core Specification, Part A, 1.8.
@frozen
public struct ADSecret<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    /// The key.
    public var key: Payload

    @inlinable
    public init() {
        key = Payload()
    }

    @inlinable
    public init(key: Payload) {
        self.key = key
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.octets("Key", &key, .secret)
    }
}

/// Which product the device is.
///
/// Source: Device ID Profile, 5.
@frozen
public struct ADDeviceID: PDUFields, Hashable {
    /// 1 where the vendor is a company identifier, 2 where the USB Forum gave it.
    public var vendorSource: UInt16
    /// The vendor.
    public var vendor: UInt16
    /// The product.
    public var product: UInt16
    /// The version, in binary coded decimals.
    public var version: UInt16

    @inlinable
    public init() {
        vendorSource = 0
        vendor = 0
        product = 0
        version = 0
    }

    @inlinable
    public init(vendorSource: UInt16, vendor: UInt16, product: UInt16, version: UInt16) {
        self.vendorSource = vendorSource
        self.vendor = vendor
        self.product = product
        self.version = version
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.u16(
            "Vendor ID Source", &vendorSource,
            .code(.adVendorIDSource))
        try coder.u16("Vendor ID", &vendor, .hex)
        try coder.u16("Product ID", &product, .hex)
        try coder.u16("Version", &version, .hex)
    }
}

/// The channels that will be used from an instant on.
///
/// Source: Supplement to the Core Specification, Part A, 1.20.
@frozen
public struct ADChannelMapUpdate<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    /// Five octets: a bit for each of 37 channels.
    public var channelMap: Payload
    /// The periodic event from which on they are used.
    public var instant: UInt16

    @inlinable
    public init() {
        channelMap = Payload()
        instant = 0
    }

    @inlinable
    public init(channelMap: Payload, instant: UInt16) {
        self.channelMap = channelMap
        self.instant = instant
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.octets("Channel Map", &channelMap, count: 5)
        try coder.u16("Instant", &instant)
    }
}

/// Advertising data that only devices with the key can read.
///
/// Source: Supplement to the Core Specification, Part A, 1.23.
@frozen
public struct ADEncryptedData<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    /// Five octets.
    public var randomizer: Payload
    /// Encrypted AD structures.
    public var payload: Payload
    /// The four octets of the integrity check.
    public var mic: Payload

    @inlinable
    public init() {
        randomizer = Payload()
        payload = Payload()
        mic = Payload()
    }

    @inlinable
    public init(randomizer: Payload, payload: Payload, mic: Payload) {
        self.randomizer = randomizer
        self.payload = payload
        self.mic = mic
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.octets("Randomizer", &randomizer, count: 5)
        let held = coder.isWriting ? nil : max(0, coder.remaining &- 4)
        try coder.octets("Encrypted Payload", &payload, count: held)
        try coder.octets("MIC", &mic, count: 4)
    }
}

/// Octets whose structure another specification gives.
///
/// Source: Assigned Numbers, 2.3.
@frozen
public struct ADOctets<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    /// All of them.
    public var octets: Payload

    @inlinable
    public init() {
        octets = Payload()
    }

    @inlinable
    public init(octets: Payload) {
        self.octets = octets
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.octets("Data", &octets)
    }
}
