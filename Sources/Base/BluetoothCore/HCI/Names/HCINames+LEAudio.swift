extension HCINames {
    /// How the streams of a group follow one another (7.8.97).
    @Sendable public static func packing(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "sequential"
        case 1: "interleaved"
        default: nil
        }
    }

    /// How SDUs are put into PDUs (7.8.97).
    @Sendable public static func framing(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "unframed"
        case 1: "framed, segmentable"
        case 2: "framed, unsegmented"
        default: nil
        }
    }

    /// Which way audio goes (7.8.109).
    @Sendable public static func dataPathDirection(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "host to controller"
        case 1: "controller to host"
        default: nil
        }
    }

    /// Where audio goes (7.8.109).
    @Sendable public static func dataPathID(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "HCI"
        case 0xFF: "disabled"
        default: nil
        }
    }

    /// How audio is coded (Assigned Numbers, 2.11).
    @Sendable public static func codingFormat(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "mu-law"
        case 1: "A-law"
        case 2: "CVSD"
        case 3: "transparent"
        case 4: "linear PCM"
        case 5: "mSBC"
        case 6: "LC3"
        case 7: "G.729A"
        case 0xFF: "vendor"
        default: nil
        }
    }

    /// How long the SDUs of a test are (7.8.111).
    @Sendable public static func isoTestPayload(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "zero length"
        case 1: "variable length"
        case 2: "maximum length"
        default: nil
        }
    }

    /// The ways audio goes, by their bit (7.8.110).
    @Sendable public static func dataPathDirections(_ bit: Int) -> StaticString? {
        switch bit {
        case 0: "host to controller"
        case 1: "controller to host"
        default: nil
        }
    }

    /// What was wrong with the packet that was sampled (7.7.65.21).
    @Sendable public static func iqPacketStatus(_ value: UInt64) -> StaticString? {
        switch value {
        case 0: "CRC correct"
        case 1: "CRC wrong, length used"
        case 2: "CRC wrong, length found otherwise"
        case 0xFF: "not enough resources"
        default: nil
        }
    }
}
