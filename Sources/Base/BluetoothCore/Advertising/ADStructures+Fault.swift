public import WireBytes

extension ADStructures {
    /// What is wrong with advertising data: a length that goes past the end, or a structure with fewer octets
    /// than its type has; nil where nothing is.
    ///
    /// The offset is that of the structure's length octet. Every report is asked for this, so it looks at
    /// lengths and types alone. Source: Core Specification, Vol 3, Part C, 11.
    public static func fault(in octets: RawSpan) -> DecodeError? {
        let count = octets.byteCount
        var at = 0
        while let length = octets.octet(at: at), length > 0 {
            let stop = at &+ 1 &+ Int(length)
            guard stop <= count, let type = octets.octet(at: at &+ 1) else {
                return DecodeError(.truncated(need: Int(length), have: count &- at &- 1), at: at)
            }
            if !ADType(rawValue: type).mayHold(Int(length) &- 1) {
                return DecodeError(.invalidLength, at: at)
            }
            at = stop
        }
        return nil
    }
}

extension ADType {
    /// Whether a structure of this type may have this many octets of data, as ``walk(_:)`` reads them.
    public func mayHold(_ count: Int) -> Bool {
        switch rawValue {
        case 0x02, 0x03, 0x14: count & 1 == 0
        case 0x04, 0x05, 0x1F: count & 3 == 0
        case 0x06, 0x07, 0x15: count & 15 == 0
        case 0x01, 0x0A, 0x11, 0x1C: count >= 1
        case 0x16, 0x19, 0x1A, 0x2F, 0xFF: count >= 2
        case 0x0D: count >= 3
        case 0x12, 0x20: count >= 4
        case 0x17, 0x18: count % 6 == 0
        case 0x1B, 0x28: count >= 7
        case 0x31: count >= 9
        case 0x0E, 0x0F, 0x1D, 0x1E, 0x21, 0x22, 0x23: count >= 16
        default: true
        }
    }

    /// Whether the structure is one field, which its type names well enough.
    public var holdsOneField: Bool {
        switch self {
        case .deviceIDOrTK, .connectionIntervalRange, .serviceData16, .serviceData32, .serviceData128,
            .leAddress, .channelMapUpdate, .encryptedData, .manufacturerData:
            false
        default: true
        }
    }
}
