import BluetoothCore
import Testing
import WireBytes

typealias OwnedSMPPDU = SMPPDU<[UInt8]>

@Suite struct SMPPDUTests {
    static let value16 = octets("000102030405060708090A0B0C0D0E0F")
    static let hex16 = "000102030405060708090A0B0C0D0E0F"

    static let goldens: [(String, OwnedSMPPDU)] = [
        // IO, OOB, AuthReq, key size, initiator's and responder's keys
        (
            "01 03 00 2D 10 0F 0D",
            .pairingRequest(
                .init(
                    ioCapability: .noInputNoOutput, oobDataPresent: 0,
                    authReq: [.bonding, .mitm, .secureConnections, .ct2], maxKeySize: 16,
                    initiatorKeys: [.encryptionKey, .identityKey, .signKey, .linkKey],
                    responderKeys: [.encryptionKey, .signKey, .linkKey]))
        ),
        (
            "02 04 01 01 07 01 02",
            .pairingResponse(
                .init(
                    ioCapability: .keyboardDisplay, oobDataPresent: 1, authReq: .bonding, maxKeySize: 7,
                    initiatorKeys: .encryptionKey, responderKeys: .identityKey))
        ),
        ("03" + hex16, .pairingConfirm(.init(value: value16))),
        ("04" + hex16, .pairingRandom(.init(value: value16))),
        ("05 0B", .pairingFailed(.init(reason: .dhKeyCheckFailed))),
        ("06" + hex16, .encryptionInformation(.init(ltk: value16))),
        (
            "07 3412 8877665544332211",
            .centralIdentification(.init(ediv: 0x1234, rand: 0x1122_3344_5566_7788))
        ),
        ("08" + hex16, .identityInformation(.init(irk: value16))),
        (
            "09 01 665544332211",
            .identityAddressInformation(
                .init(addressType: 1, address: DeviceAddress(0x1122_3344_5566, .random)))
        ),
        ("0A" + hex16, .signingInformation(.init(csrk: value16))),
        ("0B 09", .securityRequest(.init(authReq: [.bonding, .secureConnections]))),
        (
            "0C" + hex16 + hex16 + hex16 + hex16,
            .publicKey(.init(x: value16 + value16, y: value16 + value16))
        ),
        ("0D" + hex16, .dhKeyCheck(.init(value: value16))),
        ("0E 03", .keypressNotification(.init(type: 3))),
        ("0F 01", .unknown(SMPCode(rawValue: 0x0F), [1])),
    ]

    static func decode(_ octets: [UInt8]) throws(DecodeError) -> OwnedSMPPDU {
        try octets.withReader { (reader: inout ByteReader) throws(DecodeError) -> OwnedSMPPDU in
            let pdu = try OwnedSMPPDU(decoding: &reader)
            try reader.expectEnd()
            return pdu
        }
    }

    @Test(arguments: 0..<goldens.count)
    func `octets and values agree both ways, and prefixes are truncated`(index: Int) throws {
        let (hex, pdu) = Self.goldens[index]
        #expect(try Self.decode(octets(hex)) == pdu)
        #expect(pdu.encoded == octets(hex))
        expectPrefixesTruncated(octets(hex), hex) { prefix throws(DecodeError) in
            try Self.decode(prefix).encoded
        }
    }

    @Test func `each of the 14 codes has a name and a PDU`() {
        let named = (UInt8.min...UInt8.max).map(SMPCode.init).filter { $0.name != nil }
        #expect(named.map(\.rawValue) == Array(0x01...0x0E))
        for code in named {
            let pdu = OwnedSMPPDU(code)
            #expect(pdu.smpCode == code)
            if case .unknown = pdu { Issue.record("\(code) has no PDU") }
        }
    }

    @Test func `keys are secret, and nothing else is`() throws {
        for code in (0x01...0x0E).map(SMPCode.init(rawValue:)) {
            let octets = [UInt8](repeating: 0, count: 64)
            let secrets = try octets.withReader { (reader: inout ByteReader) throws(DecodeError) -> Int in
                var spy = MeaningSpy(reader.wholeSpan)
                try code.walk(&spy)
                return spy.secrets
            }
            let isKey = [.encryptionInformation, .identityInformation, .signingInformation].contains(code)
            #expect(secrets == (isKey ? 1 : 0), "\(code)")
        }
    }

    @Test func `random octets never break, and what is read is written back`() {
        var random = SeededOctets(seed: 0x5A1)
        for _ in 0..<20_000 {
            var input = random.octets(random.next(below: 70))
            if !input.isEmpty { input[0] &= 0x0F }
            do throws(DecodeError) {
                let pdu = try Self.decode(input)
                #expect(pdu.encoded == input)
            } catch {
                #expect(error.offset <= input.count)
            }
        }
    }
}
