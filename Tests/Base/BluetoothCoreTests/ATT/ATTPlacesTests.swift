import BluetoothCore
import Testing
import WireBytes

@Suite struct ATTPlacesTests {
    struct Golden: Sendable {
        var hex: String
        var handle: UInt16?
        var endHandle: UInt16?
        var offset: UInt16?
        var type: UInt16?
        var value: String?
        var mtu: UInt16?
        var error: UInt8?
    }

    static let goldens: [Golden] = [
        Golden(hex: "01 0A 0300 02", handle: 3, error: 2),
        Golden(hex: "02 0502", mtu: 517),
        Golden(hex: "03 B900", mtu: 185),
        Golden(hex: "04 0100 FFFF", handle: 1, endHandle: 0xFFFF),
        Golden(hex: "05 01 0200 0329"),
        Golden(hex: "06 0100 FFFF 0028 0D18", handle: 1, endHandle: 0xFFFF, type: 0x2800, value: "0D18"),
        Golden(hex: "07 1000 1F00"),
        Golden(hex: "08 0100 FFFF 0328", handle: 1, endHandle: 0xFFFF, type: 0x2803),
        Golden(hex: "09 07 0200 02 0300 002A"),
        Golden(hex: "0A 0300", handle: 3),
        Golden(hex: "0B 4865", value: "4865"),
        Golden(hex: "0C 0300 1600", handle: 3, offset: 22),
        Golden(hex: "0D 6F", value: "6F"),
        Golden(hex: "0E 0300 0500"),
        Golden(hex: "0F 010203", value: "010203"),
        Golden(hex: "10 0100 FFFF 0028", handle: 1, endHandle: 0xFFFF, type: 0x2800),
        Golden(hex: "11 06 0100 0700 0018"),
        Golden(hex: "12 1200 0100", handle: 0x12, value: "0100"),
        Golden(hex: "13"),
        Golden(hex: "16 1200 0100 0A0B", handle: 0x12, offset: 1, value: "0A0B"),
        Golden(hex: "17 1200 0200 0C", handle: 0x12, offset: 2, value: "0C"),
        Golden(hex: "18 01"),
        Golden(hex: "19"),
        Golden(hex: "1B 2A00 DEAD", handle: 0x2A, value: "DEAD"),
        Golden(hex: "1D 2A00 01", handle: 0x2A, value: "01"),
        Golden(hex: "1E"),
        Golden(hex: "20 0300 0500"),
        Golden(hex: "21 0200 0102", value: "0200 0102"),
        Golden(hex: "23 0300 0100 07"),
        Golden(hex: "52 1200 FF", handle: 0x12, value: "FF"),
        Golden(hex: "D2 1200 FF 01000000 1122334455667788", handle: 0x12, value: "FF"),
        Golden(hex: "7F 0102 0304 0506 0708"),
    ]

    @Test func `each PDU of the table is here`() {
        let opcodes = Self.goldens.map { octets($0.hex)[0] }
        #expect(ATTTable.rows.count == 31)
        for row in ATTTable.rows { #expect(opcodes.contains(UInt8(row.code)), "\(row.name)") }
    }

    @Test(arguments: goldens)
    func `the fields that PDUs have in common are found`(golden: Golden) {
        let pdu = octets(golden.hex)
        let places = ATTOpcode(rawValue: pdu[0]).places
        let span = pdu.borrowedOctets
        #expect(places.handle(in: span) == golden.handle)
        #expect(places.endHandle(in: span) == golden.endHandle)
        #expect(places.offset(in: span) == golden.offset)
        #expect(places.type(in: span) == golden.type.map { BluetoothUUID($0) })
        #expect(places.value(in: span).map { Array(pdu[$0]) } == golden.value.map { octets($0) })
        #expect(places.mtu(in: span) == golden.mtu)
        #expect(places.error(in: span) == golden.error)
        #expect(places.requestOpcode(in: span) == golden.error.map { _ in .readRequest })
        #expect(ATTTable.fault(in: span) == nil)
    }

    @Test(arguments: goldens)
    func `of a cut PDU those that are there are found`(golden: Golden) {
        let pdu = octets(golden.hex)
        let places = ATTOpcode(rawValue: pdu[0]).places
        for count in 1...pdu.count {
            let span = Array(pdu.prefix(count)).borrowedOctets
            let isWhole = ATTTable.fault(in: span) == nil
            if count >= places.wholeLength { #expect(isWhole) }
            if let handle = places.handle(in: span) { #expect(handle == golden.handle) }
            if isWhole { #expect(places.handle(in: span) == golden.handle) }
            if isWhole, golden.offset != nil { #expect(places.offset(in: span) == golden.offset) }
            guard golden.value != nil, golden.hex.first != "D", !golden.hex.hasPrefix("21") else { continue }
            #expect((places.value(in: span) != nil) == isWhole)
        }
    }

    @Test func `an attribute type may have 16 bytes`() {
        let pdu = octets("08 0100 FFFF" + ATTPDUTests.customHex)
        #expect(ATTOpcode.readByTypeRequest.places.type(in: pdu.borrowedOctets) == ATTPDUTests.custom)
        #expect(ATTOpcode.readByTypeRequest.places.wholeLength == 21)
        #expect(ATTTable.fault(in: Array(pdu.dropLast()).borrowedOctets) != nil)
    }

    @Test func `lists say where their elements begin and how wide they are`() {
        let lists: [(String, Int, Int)] = [
            ("05 01 0200 0329", 2, 4), ("05 02 0200", 2, 18), ("07 1000", 1, 4), ("09 07", 2, 7),
            ("11 06 0100 0700 0018", 2, 6), ("0E 0300 0500", 1, 2),
        ]
        for (hex, start, width) in lists {
            let list = ATTTable.elements(in: octets(hex).borrowedOctets)
            #expect(list?.start == start && list?.width == width, "\(hex)")
        }
        for hex in ["05 00 0100", "05 03 0100", "09 01 01", "09", "11 03 010203", "12 0100", "23 0100", "7F"]
        {
            #expect(ATTTable.elements(in: octets(hex).borrowedOctets) == nil, "\(hex)")
        }
    }

    @Test func `lists of an impossible width are faults`() {
        for (hex, reason, offset) in [
            ("05 00 0100", DecodeError.Reason.invalidValue, 1), ("05 03 0100", .invalidValue, 1),
            ("09 00 0100", .invalidLength, 1), ("09 01 01", .invalidLength, 1),
            ("11 03 010203", .invalidLength, 1), ("09 03 0100 FF 02", .truncated(need: 3, have: 1), 5),
            ("23 0100 0200 07", .truncated(need: 2, have: 1), 5),
        ] {
            #expect(
                ATTTable.fault(in: octets(hex).borrowedOctets) == DecodeError(reason, at: offset), "\(hex)")
        }
    }

    @Test func `what a PDU consists of follows from its row`() {
        let all = (UInt8.min...UInt8.max).map { ATTOpcode(rawValue: $0) }
        #expect(
            all.filter(\.places.isPlain) == [
                .errorResponse, .readRequest, .readResponse, .readBlobResponse, .writeRequest, .writeResponse,
                .executeWriteResponse, .handleValueNotification, .handleValueIndication,
                .handleValueConfirmation, .writeCommand,
            ])
        #expect(
            all.filter(\.places.isAttribute) == [
                .readRequest, .writeRequest, .handleValueNotification, .handleValueIndication, .writeCommand,
            ])
        #expect(
            all.filter { !$0.places.isShort } == [
                .findInformationRequest, .findInformationResponse, .findByTypeValueRequest,
                .findByTypeValueResponse, .readByTypeRequest, .readByTypeResponse, .readMultipleRequest,
                .readByGroupTypeRequest, .readByGroupTypeResponse, .executeWriteRequest,
                .readMultipleVariableRequest, .readMultipleVariableResponse, .multipleHandleValueNotification,
            ])
        #expect(
            all.filter(\.places.namesSeveral) == [
                .readMultipleRequest, .readMultipleVariableRequest, .multipleHandleValueNotification,
            ])
    }
}
