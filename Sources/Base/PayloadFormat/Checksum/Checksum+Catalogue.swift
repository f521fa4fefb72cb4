extension Checksum {
    /// Returns the checksum with a name; nil if the catalogue has none.
    public static func named(_ name: String) -> Checksum? { catalogue.first { $0.name == name } }

    /// The polynomial 0x1021 from 0xFFFF, not reflected, which many specifications call CRC-CCITT.
    public static let crc16CCITTFalse = cyclic(
        "crc16-ccitt-false", 16, 0x1021, 0xFFFF, false, 0, check: 0x29B1)

    /// Every checksum, in the order in which the schema lists the names.
    public static let catalogue: [Checksum] = [
        Checksum("sum8", 8, .sum, check: 0xDD),
        Checksum("sum8-complement", 8, .sumComplement, check: 0x23),
        Checksum("sum8-inverted", 8, .sumInverted, check: 0x22),
        Checksum("sum16", 16, .sum, check: 0x01DD),
        Checksum("sum16-complement", 16, .sumComplement, check: 0xFE23),
        Checksum("sum32", 32, .sum, check: 0x01DD),
        Checksum("xor8", 8, .xor, check: 0x31),
        Checksum("fletcher16", 16, .fletcher, check: 0x1EDE),
        Checksum("adler32", 32, .adler, check: 0x091E_01DE),
        cyclic("crc8", 8, 0x07, 0x00, false, 0x00, check: 0xF4),
        cyclic("crc8-autosar", 8, 0x2F, 0xFF, false, 0xFF, check: 0xDF),
        cyclic("crc8-bluetooth", 8, 0xA7, 0x00, true, 0x00, check: 0x26),
        cyclic("crc8-cdma2000", 8, 0x9B, 0xFF, false, 0x00, check: 0xDA),
        cyclic("crc8-darc", 8, 0x39, 0x00, true, 0x00, check: 0x15),
        cyclic("crc8-dvb-s2", 8, 0xD5, 0x00, false, 0x00, check: 0xBC),
        cyclic("crc8-itu", 8, 0x07, 0x00, false, 0x55, check: 0xA1),
        cyclic("crc8-maxim", 8, 0x31, 0x00, true, 0x00, check: 0xA1),
        cyclic("crc8-nrsc-5", 8, 0x31, 0xFF, false, 0x00, check: 0xF7),
        cyclic("crc8-rohc", 8, 0x07, 0xFF, true, 0x00, check: 0xD0),
        cyclic("crc8-sae-j1850", 8, 0x1D, 0xFF, false, 0xFF, check: 0x4B),
        cyclic("crc8-wcdma", 8, 0x9B, 0x00, true, 0x00, check: 0x25),
        crc16CCITTFalse,
        cyclic("crc16-arc", 16, 0x8005, 0x0000, true, 0x0000, check: 0xBB3D),
        cyclic("crc16-aug-ccitt", 16, 0x1021, 0x1D0F, false, 0x0000, check: 0xE5CC),
        cyclic("crc16-dnp", 16, 0x3D65, 0x0000, true, 0xFFFF, check: 0xEA82),
        cyclic("crc16-genibus", 16, 0x1021, 0xFFFF, false, 0xFFFF, check: 0xD64E),
        cyclic("crc16-kermit", 16, 0x1021, 0x0000, true, 0x0000, check: 0x2189),
        cyclic("crc16-maxim", 16, 0x8005, 0x0000, true, 0xFFFF, check: 0x44C2),
        cyclic("crc16-mcrf4xx", 16, 0x1021, 0xFFFF, true, 0x0000, check: 0x6F91),
        cyclic("crc16-modbus", 16, 0x8005, 0xFFFF, true, 0x0000, check: 0x4B37),
        cyclic("crc16-t10-dif", 16, 0x8BB7, 0x0000, false, 0x0000, check: 0xD0DB),
        cyclic("crc16-usb", 16, 0x8005, 0xFFFF, true, 0xFFFF, check: 0xB4C8),
        cyclic("crc16-x25", 16, 0x1021, 0xFFFF, true, 0xFFFF, check: 0x906E),
        cyclic("crc16-xmodem", 16, 0x1021, 0x0000, false, 0x0000, check: 0x31C3),
        cyclic("crc24-ble", 24, 0x00065B, 0x555555, true, 0x000000, check: 0xC25A56),
        cyclic("crc24-openpgp", 24, 0x864CFB, 0xB704CE, false, 0x000000, check: 0x21CF02),
        cyclic("crc32", 32, 0x04C1_1DB7, 0xFFFF_FFFF, true, 0xFFFF_FFFF, check: 0xCBF4_3926),
        cyclic("crc32-bzip2", 32, 0x04C1_1DB7, 0xFFFF_FFFF, false, 0xFFFF_FFFF, check: 0xFC89_1918),
        cyclic("crc32-mpeg-2", 32, 0x04C1_1DB7, 0xFFFF_FFFF, false, 0x0000_0000, check: 0x0376_E6E7),
        cyclic("crc32-posix", 32, 0x04C1_1DB7, 0x0000_0000, false, 0xFFFF_FFFF, check: 0x765E_7680),
        cyclic("crc32c", 32, 0x1EDC_6F41, 0xFFFF_FFFF, true, 0xFFFF_FFFF, check: 0xE306_9283),
    ]

    private static func cyclic(
        _ name: String, _ width: Int, _ polynomial: UInt32, _ initial: UInt32, _ reflected: Bool,
        _ finalXor: UInt32, check: UInt32
    ) -> Checksum {
        Checksum(
            name, width,
            .cyclic(
                polynomial: polynomial, initial: initial, reflected: reflected, finalXor: finalXor),
            check: check)
    }
}
