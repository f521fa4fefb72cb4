public import WireBytes

/// The power that the packet was sent with.
///
/// Source: Supplement to the Core Specification, Part A, 1.5.
@frozen
public struct ADTxPower: PDUFields, Hashable {
    /// dBm.
    public var level: Int8

    @inlinable
    public init() {
        level = 0
    }

    @inlinable
    public init(level: Int8) {
        self.level = level
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.i8("Tx Power Level", &level, .dBm)
    }
}

/// What the device looks like.
///
/// Source: Supplement to the Core Specification, Part A, 1.12.
@frozen
public struct ADAppearance: PDUFields, Hashable {
    /// Category in the high ten bits, subcategory in the low six.
    public var appearance: UInt16

    @inlinable
    public init() {
        appearance = 0
    }

    @inlinable
    public init(appearance: UInt16) {
        self.appearance = appearance
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.u16("Appearance", &appearance, .hex)
    }
}

/// What a BR/EDR device is.
///
/// Source: Supplement to the Core Specification, Part A, 1.6.
@frozen
public struct ADClassOfDevice: PDUFields, Hashable {
    /// 24 bits.
    public var classOfDevice: UInt32

    @inlinable
    public init() {
        classOfDevice = 0
    }

    @inlinable
    public init(classOfDevice: UInt32) {
        self.classOfDevice = classOfDevice
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.u24("Class of Device", &classOfDevice, .hex)
    }
}

/// The connection intervals that the peripheral prefers.
///
/// Source: Supplement to the Core Specification, Part A, 1.9.
@frozen
public struct ADConnectionIntervalRange: PDUFields, Hashable {
    /// Shortest, in steps of 1.25 ms; 0xFFFF for any.
    public var intervalMin: UInt16
    /// Longest, in steps of 1.25 ms; 0xFFFF for any.
    public var intervalMax: UInt16

    @inlinable
    public init() {
        intervalMin = 0
        intervalMax = 0
    }

    @inlinable
    public init(intervalMin: UInt16, intervalMax: UInt16) {
        self.intervalMin = intervalMin
        self.intervalMax = intervalMax
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.u16("Interval Min", &intervalMin, .steps(nanoseconds: 1_250_000))
        try coder.u16("Interval Max", &intervalMax, .steps(nanoseconds: 1_250_000))
    }
}

/// How often the device advertises.
///
/// Source: Supplement to the Core Specification, Part A, 1.15.
@frozen
public struct ADAdvertisingInterval: PDUFields, Hashable {
    /// Steps of 0.625 ms.
    public var interval: UInt64
    /// Octets on the wire: 2, or in the long form 3 or 4.
    public var width: UInt8

    @inlinable
    public init() {
        interval = 0
        width = 2
    }

    @inlinable
    public init(interval: UInt64, width: UInt8) {
        self.interval = interval
        self.width = width
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        if !coder.isWriting { width = UInt8(min(max(coder.remaining, 2), 4)) }
        try coder.unsigned(
            "Advertising Interval", &interval, width: Int(width), .steps(nanoseconds: 625_000))
    }
}

/// Which roles the device plays.
///
/// Source: Supplement to the Core Specification, Part A, 1.17.
@frozen
public struct ADLERole: PDUFields, Hashable {
    /// 0 to 3.
    public var role: UInt8

    @inlinable
    public init() {
        role = 0
    }

    @inlinable
    public init(role: UInt8) {
        self.role = role
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.u8("LE Role", &role, .code(.adRole))
    }
}

/// What the device says of itself out of band.
///
/// Source: Supplement to the Core Specification, Part A, 1.7.
@frozen
public struct ADSecurityManagerFlags: PDUFields, Hashable {
    /// The bits.
    public var flags: UInt8

    @inlinable
    public init() {
        flags = 0
    }

    @inlinable
    public init(flags: UInt8) {
        self.flags = flags
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.u8("Flags", &flags, .bits(.adSecurityManagerFlags))
    }
}

/// The LE features that the device supports.
///
/// Source: Supplement to the Core Specification, Part A, 1.19.
@frozen
public struct ADFeatures<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    /// Bits, least significant octet first, without zero octets at the end.
    public var features: Payload

    @inlinable
    public init() {
        features = Payload()
    }

    @inlinable
    public init(features: Payload) {
        self.features = features
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.octets("LE Supported Features", &features)
    }
}
