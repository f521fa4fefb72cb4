public import WireBytes

/// The attributes that are no longer what the client knows.
///
/// Source: Core Specification, Vol 3, Part G, 7.1.
@frozen
public struct GATTServiceChanged: PDUFields, Hashable {
    /// The first of them.
    public var startHandle: UInt16
    /// The last of them.
    public var endHandle: UInt16

    @inlinable
    public init() {
        startHandle = 0
        endHandle = 0
    }

    @inlinable
    public init(startHandle: UInt16, endHandle: UInt16) {
        self.startHandle = startHandle
        self.endHandle = endHandle
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.handle("Start of Affected Attribute Handle Range", &startHandle)
        try coder.handle("End of Affected Attribute Handle Range", &endHandle)
    }
}

/// What the client can do, in the first octet.
///
/// Source: Core Specification, Vol 3, Part G, 7.2.
@frozen
public struct GATTClientFeatures: PDUFields, Hashable {
    /// The bits.
    public var bits: UInt8

    @inlinable
    public init() {
        bits = 0
    }

    @inlinable
    public init(bits: UInt8) {
        self.bits = bits
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.u8("Client Supported Features", &bits, .bits(.gattClientFeatures))
    }
}

/// What the server can do, in the first octet.
///
/// Source: Core Specification, Vol 3, Part G, 7.4.
@frozen
public struct GATTServerFeatures: PDUFields, Hashable {
    /// The bits.
    public var bits: UInt8

    @inlinable
    public init() {
        bits = 0
    }

    @inlinable
    public init(bits: UInt8) {
        self.bits = bits
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.u8("Server Supported Features", &bits, .bits(.gattServerFeatures))
    }
}

/// A hash over the server's attributes, which changes when they do.
///
/// Source: Core Specification, Vol 3, Part G, 7.3.
@frozen
public struct GATTDatabaseHash<Payload: PDUPayload & Hashable>: PDUFields, Hashable {
    /// 16 octets, least significant first.
    public var hash: Payload

    @inlinable
    public init() {
        hash = Payload()
    }

    @inlinable
    public init(hash: Payload) {
        self.hash = hash
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.octets("Database Hash", &hash, count: 16)
    }
}

/// The connection parameters that the peripheral prefers.
///
/// Source: Core Specification, Vol 3, Part C, 12.3.
@frozen
public struct GAPPreferredConnectionParameters: PDUFields, Hashable {
    /// Shortest connection interval, in steps of 1.25 ms; 0xFFFF for any.
    public var intervalMin: UInt16
    /// Longest connection interval, in steps of 1.25 ms; 0xFFFF for any.
    public var intervalMax: UInt16
    /// Connection events that the peripheral may skip.
    public var latency: UInt16
    /// Supervision timeout, in steps of 10 ms; 0xFFFF for any.
    public var timeout: UInt16

    @inlinable
    public init() {
        intervalMin = 0
        intervalMax = 0
        latency = 0
        timeout = 0
    }

    @inlinable
    public init(intervalMin: UInt16, intervalMax: UInt16, latency: UInt16, timeout: UInt16) {
        self.intervalMin = intervalMin
        self.intervalMax = intervalMax
        self.latency = latency
        self.timeout = timeout
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.u16("Minimum Connection Interval", &intervalMin, .steps(nanoseconds: 1_250_000))
        try coder.u16("Maximum Connection Interval", &intervalMax, .steps(nanoseconds: 1_250_000))
        try coder.u16("Peripheral Latency", &latency)
        try coder.u16("Connection Supervision Timeout", &timeout, .steps(nanoseconds: 10_000_000))
    }
}

/// Whether the central resolves private addresses.
///
/// Source: Core Specification, Vol 3, Part C, 12.4.
@frozen
public struct GAPCentralAddressResolution: PDUFields, Hashable {
    /// 1 where it does, else 0.
    public var isSupported: UInt8

    @inlinable
    public init() {
        isSupported = 0
    }

    @inlinable
    public init(isSupported: UInt8) {
        self.isSupported = isSupported
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.u8("Central Address Resolution", &isSupported, .code(.gattAddressResolution))
    }
}
