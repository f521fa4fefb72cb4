import BluetoothCore
import Testing
import WireBytes

typealias OwnedATTPDU = ATTPDU<[UInt8]>

@Suite struct ATTPDUTests {
    struct Golden: CustomTestStringConvertible, Sendable {
        var hex: String
        var pdu: OwnedATTPDU

        init(_ hex: String, _ pdu: OwnedATTPDU) {
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
            .errorResponse(.init(request: .readRequest, handle: 3, error: .readNotPermitted))),
        Golden("02 0502", .exchangeMTURequest(.init(clientMTU: 517))),
        Golden("03 B900", .exchangeMTUResponse(.init(serverMTU: 185))),
        Golden("04 0100 FFFF", .findInformationRequest(.init(startingHandle: 1, endingHandle: 0xFFFF))),
        // format 1, then handle and 16-bit type twice
        Golden(
            "05 01 0200 0329 0300 0229",
            .findInformationResponse(.init(format: 1, information: octets("0200 0329 0300 0229")))),
        Golden(
            "05 02 0900 " + customHex,
            .findInformationResponse(.init(format: 2, information: octets("0900" + customHex)))),
        Golden(
            "06 0100 FFFF 0028 0D18",
            .findByTypeValueRequest(
                .init(
                    startingHandle: 1, endingHandle: 0xFFFF, type: BluetoothUUID(UInt16(0x2800)),
                    value: octets("0D18")))),
        Golden(
            "07 1000 1F00 2000 FFFF",
            .findByTypeValueResponse(.init(handles: octets("1000 1F00 2000 FFFF")))),
        Golden(
            "08 0100 FFFF 0328",
            .readByTypeRequest(
                .init(startingHandle: 1, endingHandle: 0xFFFF, type: BluetoothUUID(UInt16(0x2803))))),
        Golden(
            "08 0100 FFFF" + customHex,
            .readByTypeRequest(.init(startingHandle: 1, endingHandle: 0xFFFF, type: custom))),
        Golden(
            "09 07 0200 02 0300 002A 0400 02 0500 012A",
            .readByTypeResponse(
                .init(length: 7, attributes: octets("0200 02 0300 002A 0400 02 0500 012A")))),
        Golden(
            "10 0100 FFFF 0028",
            .readByGroupTypeRequest(
                .init(startingHandle: 1, endingHandle: 0xFFFF, type: BluetoothUUID(UInt16(0x2800))))),
        Golden(
            "11 06 0100 0700 0018 0800 0B00 0118",
            .readByGroupTypeResponse(
                .init(length: 6, attributes: octets("0100 0700 0018 0800 0B00 0118")))),
    ]

    static let values: [Golden] = [
        Golden("0A 0300", .readRequest(.init(handle: 3))),
        Golden("0B 48656C6C6F", .readResponse(.init(value: octets("48656C6C6F")))),
        Golden("0C 0300 1600", .readBlobRequest(.init(handle: 3, offset: 22))),
        Golden("0D 6F", .readBlobResponse(.init(value: [0x6F]))),
        Golden("0E 0300 0500", .readMultipleRequest(.init(handles: octets("0300 0500")))),
        Golden("0F 010203", .readMultipleResponse(.init(values: [1, 2, 3]))),
        Golden("12 1200 0100", .writeRequest(.init(handle: 0x12, value: [1, 0]))),
        Golden("13", .writeResponse(.init())),
        Golden("16 1200 0000 0A0B", .prepareWriteRequest(.init(handle: 0x12, offset: 0, value: [10, 11]))),
        Golden("17 1200 0200 0C", .prepareWriteResponse(.init(handle: 0x12, offset: 2, value: [12]))),
        Golden("18 01", .executeWriteRequest(.init(flags: 1))),
        Golden("19", .executeWriteResponse(.init())),
        Golden("1B 2A00 DEADBEEF", .handleValueNotification(.init(handle: 0x2A, value: octets("DEADBEEF")))),
        Golden("1D 2A00 01", .handleValueIndication(.init(handle: 0x2A, value: [1]))),
        Golden("1E", .handleValueConfirmation(.init())),
        Golden("20 0300 0500", .readMultipleVariableRequest(.init(handles: octets("0300 0500")))),
        Golden(
            "21 0200 0102 0100 03",
            .readMultipleVariableResponse(.init(values: octets("0200 0102 0100 03")))),
        Golden(
            "23 0300 0100 07 0500 0200 0809",
            .multipleHandleValueNotification(.init(values: octets("0300 0100 07 0500 0200 0809")))),
        Golden("52 1200 FF", .writeCommand(.init(handle: 0x12, value: [0xFF]))),
        // handle, one octet of value, sign counter 1, then the code
        Golden(
            "D2 1200 FF 01000000 1122334455667788",
            .signedWriteCommand(
                .init(handle: 0x12, value: [0xFF], signature: octets("01000000 1122334455667788")))),
        Golden("7F 0102", .unknown(ATTOpcode(rawValue: 0x7F), [1, 2])),
    ]

    static func decode(_ octets: [UInt8]) throws(DecodeError) -> OwnedATTPDU {
        try octets.withReader { (reader: inout ByteReader) throws(DecodeError) -> OwnedATTPDU in
            let pdu = try OwnedATTPDU(decoding: &reader)
            try reader.expectEnd()
            return pdu
        }
    }

    @Test(arguments: discovery + values)
    func `octets and values agree both ways`(golden: Golden) throws {
        let whole = octets(golden.hex)
        #expect(try Self.decode(whole) == golden.pdu)
        #expect(golden.pdu.encoded == whole)
        #expect(golden.pdu.opcode.rawValue == whole[0])
    }

    @Test(arguments: discovery + values)
    func `every strict prefix is truncated, or whole in itself`(golden: Golden) {
        expectPrefixesTruncated(octets(golden.hex), golden.testDescription) {
            prefix throws(DecodeError) in try Self.decode(prefix).encoded
        }
    }

    @Test(arguments: discovery + values)
    func `borrowed payloads are ranges of the same octets`(golden: Golden) throws {
        let whole = octets(golden.hex)
        let pdu = try whole.withReader { (reader: inout ByteReader) throws(DecodeError) in
            try ATTPDU<BorrowedOctets>(decoding: reader.wholeSpan)
        }
        switch (pdu, golden.pdu) {
        case (.handleValueNotification(let borrowed), .handleValueNotification(let owned)):
            #expect(Array(whole[borrowed.value.range]) == owned.value)
        case (.writeRequest(let borrowed), .writeRequest(let owned)):
            #expect(Array(whole[borrowed.value.range]) == owned.value)
        case (.signedWriteCommand(let borrowed), .signedWriteCommand(let owned)):
            #expect(Array(whole[borrowed.value.range]) == owned.value)
            #expect(Array(whole[borrowed.signature.range]) == owned.signature)
        default: #expect(pdu.opcode == golden.pdu.opcode)
        }
    }

    @Test func `octets after the last field are said to be too many`() {
        for hex in ["02 0502 00", "0A 0300 00", "13 00", "18 01 00", "01 0A 0300 02 00", "1E 00"] {
            let error = #expect(throws: DecodeError.self) { try Self.decode(octets(hex)) }
            #expect(error?.reason == .trailingOctets(1))
        }
    }

    @Test func `lists of an impossible width are refused`() {
        for (hex, reason) in [
            ("05 00 0100", DecodeError.Reason.invalidValue), ("05 03 0100", .invalidValue),
            ("09 00 0100", .invalidLength), ("09 01 01", .invalidLength), ("11 03 010203", .invalidLength),
            ("09 03 0100 FF 02", .truncated(need: 3, have: 1)),
        ] {
            let error = #expect(throws: DecodeError.self) { try Self.decode(octets(hex)) }
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
                let pdu = try Self.decode(input)
                // Tuples whose lengths lie are kept as octets, so everything comes back.
                #expect(pdu.encoded == input)
            } catch {
                #expect(error.offset <= input.count)
            }
        }
    }
}
