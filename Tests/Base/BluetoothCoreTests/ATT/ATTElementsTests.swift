import BluetoothCore
import Testing
import WireBytes

@Suite struct ATTElementsTests {
    @Test func `handles and types of both widths are walked`() throws {
        let short = try ATTHandleType.elements(of: octets("0200 0329 0300 0229"), width: 4)
        #expect(
            short == [
                ATTHandleType(handle: 2, type: BluetoothUUID(UInt16(0x2903))),
                ATTHandleType(handle: 3, type: BluetoothUUID(UInt16(0x2902))),
            ])
        let long = try ATTHandleType.elements(
            of: octets("0900" + ATTPDUTests.customHex), width: 18)
        #expect(long == [ATTHandleType(handle: 9, type: ATTPDUTests.custom)])
    }

    @Test func `a UUID on the Bluetooth base carried in 16 octets keeps its width`() throws {
        let carried = octets("0900 FB349B5F80000080 00100000 02290000")
        let element = try #require(try ATTHandleType.elements(of: carried, width: 18).first)
        #expect(element.type == BluetoothUUID(UInt16(0x2902)))
        #expect(element.typeWidth == 16)
        #expect(element.encoded == carried)
    }

    @Test func `attributes, groups and ranges are walked`() throws {
        #expect(
            try ATTHandleValue.elements(of: octets("0200 AA 0300 BB"), width: 3) == [
                ATTHandleValue(handle: 2, value: [0xAA]), ATTHandleValue(handle: 3, value: [0xBB]),
            ])
        #expect(
            try ATTGroupValue.elements(of: octets("0100 0700 0018"), width: 6) == [
                ATTGroupValue(handle: 1, groupEndHandle: 7, value: [0, 0x18])
            ])
        #expect(
            try ATTHandleRange.elements(of: octets("1000 1F00"), width: 4) == [
                ATTHandleRange(handle: 0x10, groupEndHandle: 0x1F)
            ])
    }

    @Test func `a variable value may be cut at the end of the PDU`() throws {
        let values = try ATTLengthValue.elements(of: octets("0100 07 0500 0809"))
        #expect(
            values == [
                ATTLengthValue(length: 1, value: [7]), ATTLengthValue(length: 5, value: [8, 9]),
            ])
        #expect(ATTLengthValue.octets(of: values) == octets("0100 07 0500 0809"))
    }

    @Test func `a value of a multiple notification may not be cut`() throws {
        let whole = octets("0300 0100 07 0500 0200 0809")
        let values = try ATTHandleLengthValue.elements(of: whole)
        #expect(values.map(\.handle) == [3, 5])
        #expect(values.map(\.value) == [[7], [8, 9]])
        #expect(ATTHandleLengthValue.octets(of: values) == whole)
        for count in 1..<whole.count where count != 5 {
            #expect(throws: DecodeError.self) {
                try ATTHandleLengthValue.elements(of: Array(whole.prefix(count)))
            }
        }
    }

    @Test func `a long list is walked to its end`() throws {
        let list = (1...10_000).map { ATTHandleRange(handle: $0, groupEndHandle: $0) }
        #expect(try ATTHandleRange.elements(of: ATTHandleRange.octets(of: list), width: 4) == list)
    }

    @Test func `an odd rest is an error after the whole elements`() throws {
        try octets("0100 0200 03").withReader { (reader: inout ByteReader) throws(DecodeError) in
            var walk = PDUElements<ATTHandle>(reader.wholeSpan, in: 0..<5, width: 2)
            #expect(try walk.next()?.handle == 1)
            #expect(try walk.next()?.handle == 2)
            #expect(throws: DecodeError(.truncated(need: 2, have: 1), at: 4)) { try walk.next() }
            #expect(try walk.next() == nil)
        }
    }

    @Test func `a range outside the span gives no element`() throws {
        try octets("0100").withReader { (reader: inout ByteReader) throws(DecodeError) in
            var walk = PDUElements<ATTHandle>(reader.wholeSpan, in: 7..<90, width: 2)
            #expect(try walk.next() == nil)
            var zero = PDUElements<ATTHandle>(reader.wholeSpan, in: 0..<2, width: 0)
            #expect(throws: DecodeError(.invalidLength, at: 0)) { try zero.next() }
        }
    }
}
