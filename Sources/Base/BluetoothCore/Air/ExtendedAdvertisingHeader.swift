public import WireBytes

/// The common extended advertising payload up to its data (Core Specification, Vol 6, Part B, 2.3.4).
public struct ExtendedAdvertisingHeader: PDUFields {
    /// Length of the extended header in the lower six bits, the advertising mode in the upper two.
    public var lengthAndMode: UInt64 = 0
    /// A bit for each field that is present.
    public var flags: UInt64 = 0
    /// The advertiser's address; zero if absent.
    public var advertiser = DeviceAddress(0)
    /// The target's address; zero if absent.
    public var target = DeviceAddress(0)
    /// Data identifier in the lower 12 bits, advertising set in the upper four; zero if absent.
    public var dataInfo: UInt64 = 0
    /// Channel, clock, offset and PHY of the auxiliary packet; zero if absent.
    public var auxiliaryPointer: UInt64 = 0
    /// Transmit power in dBm; 127 if absent.
    public var txPower: Int64 = 127

    public init() {}

    /// Advertising mode: 0 neither connectable nor scannable, 1 connectable, 2 scannable.
    public var mode: UInt8 { UInt8(truncatingIfNeeded: lengthAndMode >> 6) & 3 }
    /// Whether the advertiser's address is present.
    public var hasAdvertiser: Bool { flags & 1 != 0 }
    /// Whether the target's address is present.
    public var hasTarget: Bool { flags & 2 != 0 }
    /// Whether the data identifier and advertising set are present.
    public var hasDataInfo: Bool { flags & 8 != 0 }
    /// Whether an auxiliary packet follows.
    public var hasAuxiliaryPointer: Bool { flags & 0x10 != 0 }

    public mutating func code<Coder: FieldCoder & ~Copyable & ~Escapable>(
        _ coder: inout Coder
    ) throws(DecodeError) {
        try coder.unsigned("Header Length and AdvMode", &lengthAndMode, width: 1, .hex)
        let length = Int(lengthAndMode & 0x3F)
        guard length > 0 else { return }
        guard coder.isWriting || coder.remaining >= length else {
            throw DecodeError(.truncated(need: length, have: coder.remaining), at: coder.offset)
        }
        try coder.unsigned("Extended Header Flags", &flags, width: 1, .hex)
        var used = 1
        if hasAdvertiser {
            try coder.address("AdvA", &advertiser)
            used += 6
        }
        if hasTarget {
            try coder.address("TargetA", &target)
            used += 6
        }
        var other: UInt64 = 0
        if flags & 4 != 0 {
            try coder.unsigned("CTEInfo", &other, width: 1, .hex)
            used += 1
        }
        if hasDataInfo {
            try coder.unsigned("ADI", &dataInfo, width: 2, .hex)
            used += 2
        }
        if hasAuxiliaryPointer {
            try coder.unsigned("AuxPtr", &auxiliaryPointer, width: 3, .hex)
            used += 3
        }
        var octets: [UInt8] = []
        if flags & 0x20 != 0 {
            try coder.payload("SyncInfo", &octets, count: 18, .octets)
            used += 18
        }
        if flags & 0x40 != 0 {
            try coder.signed("TxPower", &txPower, width: 1, .dBm)
            used += 1
        }
        guard used <= length else { throw DecodeError(.invalidLength, at: coder.offset) }
        guard length > used, !coder.isWriting else { return }
        try coder.payload("ACAD", &octets, count: length - used, .octets)
    }
}
