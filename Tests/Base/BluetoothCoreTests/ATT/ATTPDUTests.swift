import BluetoothCore
import Testing
import WireBytes

@Suite struct ATTPDUTests {
    struct Golden: CustomTestStringConvertible, Sendable {
        var hex: String
        var pdu: any ATTPDU

        init(_ hex: String, _ pdu: any ATTPDU) {
            self.hex = hex
            self.pdu = pdu
        }

        var testDescription: String { pdu.opcode.name.map { "\($0)" } ?? "unknown" }
    }

    static let custom = BluetoothUUID(high: 0x5551_444B_0001_4449, low: 0x4749_5441_4C4B_4559)
    static let customHex = "59454B4C41544947 494401004B445155"

    static let discovery: [Golden] = [
        // opcode, failed request, handle, reason
        Golden(
            "01 0A 0300 02",
            ATTErrorResponse(request: .readRequest, handle: 3, error: .readNotPermitted)),
        Golden("02 0502", ATTExchangeMTURequest(clientMTU: 517)),
        Golden("03 B900", ATTExchangeMTUResponse(serverMTU: 185)),
        Golden("04 0100 FFFF", ATTFindInformationRequest(startingHandle: 1, endingHandle: 0xFFFF)),
        // format 1, then handle and 16-bit type twice
        Golden(
            "05 01 0200 0329 0300 0229",
            ATTFindInformationResponse(format: 1, information: octets("0200 0329 0300 0229"))),
        Golden(
            "05 02 0900 " + customHex,
            ATTFindInformationResponse(format: 2, information: octets("0900" + customHex))),
        Golden(
            "06 0100 FFFF 0028 0D18",
            ATTFindByTypeValueRequest(
                startingHandle: 1, endingHandle: 0xFFFF, type: BluetoothUUID(UInt16(0x2800)),
                value: octets("0D18"))),
        Golden(
            "07 1000 1F00 2000 FFFF",
            ATTFindByTypeValueResponse(handles: octets("1000 1F00 2000 FFFF"))),
        Golden(
            "08 0100 FFFF 0328",
            ATTReadByTypeRequest(startingHandle: 1, endingHandle: 0xFFFF, type: BluetoothUUID(UInt16(0x2803)))
        ),
        Golden(
            "08 0100 FFFF" + customHex,
            ATTReadByTypeRequest(startingHandle: 1, endingHandle: 0xFFFF, type: custom)),
        Golden(
            "09 07 0200 02 0300 002A 0400 02 0500 012A",
            ATTReadByTypeResponse(length: 7, attributes: octets("0200 02 0300 002A 0400 02 0500 012A"))),
        Golden(
            "10 0100 FFFF 0028",
            ATTReadByGroupTypeRequest(
                startingHandle: 1, endingHandle: 0xFFFF, type: BluetoothUUID(UInt16(0x2800)))),
        Golden(
            "11 06 0100 0700 0018 0800 0B00 0118",
            ATTReadByGroupTypeResponse(length: 6, attributes: octets("0100 0700 0018 0800 0B00 0118"))),
    ]

    static let values: [Golden] = [
        Golden("0A 0300", ATTReadRequest(handle: 3)),
        Golden("0B 48656C6C6F", ATTReadResponse(value: octets("48656C6C6F"))),
        Golden("0C 0300 1600", ATTReadBlobRequest(handle: 3, offset: 22)),
        Golden("0D 6F", ATTReadBlobResponse(value: [0x6F])),
        Golden("0E 0300 0500", ATTReadMultipleRequest(handles: octets("0300 0500"))),
        Golden("0F 010203", ATTReadMultipleResponse(values: [1, 2, 3])),
        Golden("12 1200 0100", ATTWriteRequest(handle: 0x12, value: [1, 0])),
        Golden("13", ATTWriteResponse()),
        Golden("16 1200 0000 0A0B", ATTPrepareWriteRequest(handle: 0x12, offset: 0, value: [10, 11])),
        Golden("17 1200 0200 0C", ATTPrepareWriteResponse(handle: 0x12, offset: 2, value: [12])),
        Golden("18 01", ATTExecuteWriteRequest(flags: 1)),
        Golden("19", ATTExecuteWriteResponse()),
        Golden("1B 2A00 DEADBEEF", ATTHandleValueNotification(handle: 0x2A, value: octets("DEADBEEF"))),
        Golden("1D 2A00 01", ATTHandleValueIndication(handle: 0x2A, value: [1])),
        Golden("1E", ATTHandleValueConfirmation()),
        Golden("20 0300 0500", ATTReadMultipleVariableRequest(handles: octets("0300 0500"))),
        Golden(
            "21 0200 0102 0100 03",
            ATTReadMultipleVariableResponse(values: octets("0200 0102 0100 03"))),
        Golden(
            "23 0300 0100 07 0500 0200 0809",
            ATTMultipleHandleValueNotification(values: octets("0300 0100 07 0500 0200 0809"))),
        Golden("52 1200 FF", ATTWriteCommand(handle: 0x12, value: [0xFF])),
    ]

    static func same<PDU: ATTPDU>(_ one: PDU, _ other: (any ATTPDU)?) -> Bool { one == other as? PDU }

    @Test(arguments: discovery + values)
    func `octets and values agree both ways`(golden: Golden) throws {
        let whole = octets(golden.hex)
        #expect(Self.same(golden.pdu, try ATTTable.decode(whole)))
        #expect(golden.pdu.pdu == whole)
        #expect(golden.pdu.opcode.rawValue == whole[0])
    }

    @Test(arguments: discovery + values)
    func `every strict prefix is truncated, or whole in itself`(golden: Golden) {
        expectPrefixesTruncated(octets(golden.hex), golden.testDescription) {
            prefix throws(DecodeError) in try ATTTable.decode(prefix)?.pdu ?? []
        }
    }

    @Test func `opcodes without a type are no values`() throws {
        #expect(try ATTTable.decode([0x7F, 1, 2]) == nil)
        #expect(try ATTTable.decode([0xD2, 1, 2]) == nil)
        #expect(throws: DecodeError.self) { try ATTTable.decode([]) }
    }

    @Test func `octets after the last field are said to be too many`() {
        for hex in ["02 0502 00", "0A 0300 00", "13 00", "18 01 00", "01 0A 0300 02 00", "1E 00"] {
            let error = #expect(throws: DecodeError.self) { try ATTTable.decode(octets(hex)) }
            #expect(error?.reason == .trailingOctets(1))
        }
    }

    @Test func `lists of an impossible width are refused`() {
        for (hex, reason) in [
            ("05 00 0100", DecodeError.Reason.invalidValue), ("05 03 0100", .invalidValue),
            ("09 00 0100", .invalidLength), ("09 01 01", .invalidLength), ("11 03 010203", .invalidLength),
            ("09 03 0100 FF 02", .truncated(need: 3, have: 1)),
        ] {
            let error = #expect(throws: DecodeError.self) { try ATTTable.decode(octets(hex)) }
            #expect(error?.reason == reason, "\(hex)")
        }
    }

    @Test func `random octets never break, and what is read is written back`() {
        var random = SeededOctets(seed: 0x0A77)
        for _ in 0..<20_000 {
            var input = random.octets(random.next(below: 64))
            if !input.isEmpty, random.next(below: 4) > 0 {
                input[0] = UInt8(random.next(below: 0x24))
            }
            do throws(DecodeError) {
                // Tuples whose lengths lie are kept as octets, so everything comes back.
                if let pdu = try ATTTable.decode(input) { #expect(pdu.pdu == input) }
            } catch {
                #expect(error.offset <= input.count)
            }
        }
    }
}
