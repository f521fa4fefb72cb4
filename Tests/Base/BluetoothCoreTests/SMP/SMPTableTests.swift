import BluetoothCore
import Testing
import WireBytes

/// The rows of the Security Manager Protocol.
@Suite struct SMPTableTests {
    static let hex16 = "000102030405060708090A0B0C0D0E0F"
    static let shown16 = hex16.lowercased()

    static let goldens = [
        // IO, OOB, AuthReq, key size, initiator's and responder's keys
        (
            "01 03 00 2D 10 0F 0D",
            "IO Capability=<NoInputNoOutput> OOB data flag=<Not present> AuthReq={Bonding,MITM,SC,CT2} "
                + "Maximum Encryption Key Size=16 Initiator Key Distribution={EncKey,IdKey,SignKey,LinkKey} "
                + "Responder Key Distribution={EncKey,SignKey,LinkKey}"
        ),
        (
            "02 04 01 01 07 01 02",
            "IO Capability=<KeyboardDisplay> OOB data flag=<Present> AuthReq={Bonding} "
                + "Maximum Encryption Key Size=7 Initiator Key Distribution={EncKey} "
                + "Responder Key Distribution={IdKey}"
        ),
        ("03" + hex16, "Confirm value=" + shown16),
        ("04" + hex16, "Random value=" + shown16),
        ("05 0B", "Reason=<DHKey Check Failed>"),
        ("06" + hex16, "Long Term Key=hidden"),
        ("07 3412 8877665544332211", "EDIV=0x1234 Rand=0x1122334455667788"),
        ("08" + hex16, "Identity Resolving Key=hidden"),
        ("09 01 665544332211", "AddrType=<Static random> BD_ADDR=11:22:33:44:55:66"),
        ("0A" + hex16, "Signature Key=hidden"),
        ("0B 09", "AuthReq={Bonding,SC}"),
        (
            "0C" + hex16 + hex16 + hex16 + hex16,
            "Public Key X=\(shown16)\(shown16) Public Key Y=\(shown16)\(shown16)"
        ),
        ("0D" + hex16, "DHKey Check=" + shown16),
        ("0E 03", "Notification Type=<Passkey cleared>"),
        ("0F 01", "Parameters=01"),
    ]

    static func fault(_ pdu: [UInt8]) -> DecodeError? { SMPTable.fault(in: pdu.borrowedOctets) }

    @Test(arguments: goldens)
    func `a PDU's fields are read in order, and prefixes are truncated`(hex: String, fields: String) throws {
        let whole = octets(hex)
        let code = SMPCode(rawValue: whole[0])
        var coder = DescribingCoder(Array(whole[1...]))
        #expect(try SMPTable.code(code, &coder) == (code.name != nil))
        #expect(coder.text == fields)
        #expect(coder.remaining == 0)
        #expect(Self.fault(whole) == nil)
        #expect(Self.fault(whole + [0]) == nil)
        guard code.name != nil else { return }
        for count in 1..<whole.count {
            let fault = Self.fault(Array(whole.prefix(count)))
            guard case .truncated(let need, let have)? = fault?.reason else {
                Issue.record("\(hex) cut to \(count) bytes: \(String(describing: fault))")
                continue
            }
            #expect(need > have)
            #expect(fault.map { $0.offset + have } == count)
        }
    }

    @Test func `each of the 14 codes has a name and fields, and is here`() {
        let named = (UInt8.min...UInt8.max).filter { SMPCode(rawValue: $0).name != nil }
        #expect(named == Array(0x01...0x0E))
        #expect(SMPTable.rows.map { UInt8($0.code) } == named)
        #expect(SMPTable.rows.allSatisfy { $0.parameters?.size ?? 0 > 0 })
        #expect(Set(Self.goldens.map { octets($0.0)[0] }).isSuperset(of: named))
    }

    @Test func `keys are secret, and nothing else is`() throws {
        for code in (0x01...0x0E).map(SMPCode.init(rawValue:)) {
            let octets = [UInt8](repeating: 0, count: 64)
            let secrets = try octets.withReader { (reader: inout ByteReader) throws(DecodeError) -> Int in
                var spy = MeaningSpy(reader.wholeSpan)
                try SMPTable.code(code, &spy)
                return spy.secrets
            }
            let isKey = [0x06, 0x08, 0x0A].contains(code.rawValue)
            #expect(secrets == (isKey ? 1 : 0), "\(code)")
            #expect(SMPTable.layout(code)?.holdsSecret == isKey, "\(code)")
        }
    }

    @Test func `what the analysis reads is where the rows say`() throws {
        func widths(_ code: SMPCode) throws -> [String: Int] {
            let zeros = [UInt8](repeating: 0, count: 64)
            return try zeros.withReader { (reader: inout ByteReader) throws(DecodeError) in
                var spy = MeaningSpy(reader.wholeSpan)
                try SMPTable.code(code, &spy)
                return Dictionary(uniqueKeysWithValues: zip(spy.names, spy.widths))
            }
        }
        #expect(try widths(.pairingFailed) == ["Reason": 1])
        #expect(SMPTable.reason(ofFailure: octets("05 0B").borrowedOctets) == 0x0B)
        #expect(SMPTable.reason(ofFailure: [5].borrowedOctets) == nil)
        #expect(try widths(.identityInformation) == ["Identity Resolving Key": SMPTable.identityKey.count])
        #expect(Array(octets("08" + Self.hex16)[SMPTable.identityKey]) == octets(Self.hex16))
        #expect(SMPTable.layout(.identityAddressInformation)?.size == 7)
        for (type, kind) in [(UInt8(0), DeviceAddress.Kind.public), (1, .random), (2, .unknown)] {
            let pdu = [9, type] + octets("665544332211")
            #expect(
                SMPTable.identityAddress(in: pdu.borrowedOctets) == DeviceAddress(0x1122_3344_5566, kind))
            for count in 0..<pdu.count {
                #expect(SMPTable.identityAddress(in: Array(pdu.prefix(count)).borrowedOctets) == nil)
            }
        }
    }

    @Test func `random octets never break`() {
        var random = SeededOctets(seed: 0x5A1)
        for _ in 0..<20_000 {
            var input = random.octets(random.next(below: 70))
            if !input.isEmpty { input[0] &= 0x0F }
            if let fault = Self.fault(input) { #expect(fault.offset <= input.count) }
        }
    }
}
