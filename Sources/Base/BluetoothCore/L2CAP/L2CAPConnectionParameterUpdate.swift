public import WireBytes

/// Asks the central, on LE, for other connection parameters.
///
/// Source: Core Specification, Vol 3, Part A, 4.20.
@frozen
public struct L2CAPConnectionParameterUpdateRequest: PDUFields, Hashable {
    @inlinable public static var opcode: L2CAPSignallingCode { .connectionParameterUpdateRequest }

    /// Shortest connection interval, in steps of 1.25 ms.
    public var intervalMin: UInt16
    /// Longest connection interval, in steps of 1.25 ms.
    public var intervalMax: UInt16
    /// Connection events that the peripheral may skip.
    public var latency: UInt16
    /// Supervision timeout, in steps of 10 ms.
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
        try coder.u16("Interval Min", &intervalMin, .steps(nanoseconds: 1_250_000))
        try coder.u16("Interval Max", &intervalMax, .steps(nanoseconds: 1_250_000))
        try coder.u16("Latency", &latency)
        try coder.u16("Timeout", &timeout, .steps(nanoseconds: 10_000_000))
    }
}

/// Accepts or rejects other connection parameters.
///
/// Source: Core Specification, Vol 3, Part A, 4.21.
@frozen
public struct L2CAPConnectionParameterUpdateResponse: PDUFields, Hashable {
    @inlinable public static var opcode: L2CAPSignallingCode { .connectionParameterUpdateResponse }

    /// 0 where they are accepted, else 1.
    public var result: UInt16

    @inlinable
    public init() {
        result = 0
    }

    @inlinable
    public init(result: UInt16) {
        self.result = result
    }

    @inlinable
    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.u16("Result", &result, .code(.l2capParameterUpdateResult))
    }
}
