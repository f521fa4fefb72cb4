import TestSupport
import UQDK

/// A dialect that differs from reference format 1 in every point, and its session.
///
/// The session was made by another implementation, from the numbers of `other-dialect.json`: HMAC, CRC-32 and
/// AES-CCM by Python's hmac, zlib and cryptography.
enum OtherDialect {
    static func dialect() throws -> Dialect {
        try Dialect(json: try PackageFile.octets("Tests/Decoder/UQDKTests/other-dialect.json"))
    }

    static let keyID: [UInt8] = [1, 2, 3, 4]
    static let phoneNonce = Array(UInt8(0x30)..<0x3C)
    static let vehicleNonce = Array(UInt8(0x50)..<0x5C)

    static let keys: KeyStore = {
        var keys = KeyStore()
        keys.uqdk = [
            KeyStore.DigitalKey(keyID: keyID, key: Array(0..<24), pairingCode: Array("271828".utf8))
        ]
        return keys
    }()

    static let session = [
        ReferenceVectors.Exchange(
            name: "ACTIVATE request", sender: .phone, id: 0x100,
            values: ["1d0001160005900759454b2900476a51a9010203", "2500010484c237b8"]),
        ReferenceVectors.Exchange(
            name: "ACTIVATE response", sender: .car, id: 0x100,
            values: ["1500010e0005800759454b640070c2465c"]),
        ReferenceVectors.Exchange(
            name: "AUTH_BEGIN request", sender: .phone, id: 0x101,
            values: ["1d01011c0002900759454b303132333435363738", "250101393a3b010203048dd183b2"]),
        ReferenceVectors.Exchange(
            name: "AUTH_BEGIN response", sender: .car, id: 0x101,
            values: [
                "1d0101240002800759454b640004128451d19cb9", "2d01018c5676505152535455565758595a5b7191",
                "3501011985",
            ]),
        ReferenceVectors.Exchange(
            name: "AUTH_FINISH request", sender: .phone, id: 0x102,
            values: ["1d02011a0003900759454bdf1613866334164c95", "250201ce61b50102aabcb27d"]),
        ReferenceVectors.Exchange(
            name: "AUTH_FINISH response", sender: .car, id: 0x102,
            values: ["1d0201120003800759454b640070110100883553", "2502019c"]),
        ReferenceVectors.Exchange(
            name: "DOOR_UNLOCK request", sender: .phone, id: 0x103,
            values: ["1d03011c0010980759454b87b519fda91a859067", "250301b658fd000013683706b387"]),
        ReferenceVectors.Exchange(
            name: "DOOR_UNLOCK response", sender: .car, id: 0x103,
            values: ["1d03011e0010880759454b7cebd5d6c7f11766df", "2503012e9fd50000403acccf3f67757e"]),
        ReferenceVectors.Exchange(
            name: "STATUS_EVENT", sender: .car, id: 0x200,
            values: [
                "1d0002230020780759454be60f6b78e917010a4f", "2d00028ea4b901002acfaf46f1038d6661266e12",
                "35000260",
            ]),
    ]
}
