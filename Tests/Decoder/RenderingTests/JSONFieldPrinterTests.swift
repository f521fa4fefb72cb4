import BluetoothCore
import Testing
import WireBytes

@testable import Rendering

@Suite struct JSONFieldPrinterTests {
    /// One field of every kind.
    struct Sample: PDUFields {
        struct Item: PDUFields {
            var code: UInt8 = 0
            mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
                try coder.number("Item Code", &code)
            }
        }

        var number: UInt16 = 0
        var level: Int8 = 0
        var address = DeviceAddress(0)
        var uuid = BluetoothUUID(0 as UInt16)
        var name: [UInt8] = []
        var key: [UInt8] = []
        var items: [Item] = []
        var rest: [UInt8] = []

        mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
            try coder.number("Starting Handle", &number, .handle)
            try coder.i8("rssi", &level, .dBm)
            try coder.address("bd_addr", &address)
            try coder.uuid("UUID", &uuid, width: 2)
            try coder.octets("Local_Name", &name, count: 4, .text)
            try coder.octets("Long Term Key", &key, count: 2, .secret)
            try coder.counted("num", "items", &items)
            try coder.octets("rest", &rest)
        }
    }

    static let octets: [UInt8] = [
        0x34, 0x12, 0xC6, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01, 0x0F, 0x18, 0x22, 0x0A, 0, 0x41, 0xDE, 0xAD, 2,
        7, 8, 0xBE, 0xEF,
    ]

    private static func show(_ octets: [UInt8]) -> (String, DecodeError?) {
        octets.withReader { reader in
            var printer = JSONFieldPrinter(reader.takeRest(), into: TextBuffer())
            var problem: DecodeError?
            do throws(DecodeError) {
                var sample = Sample()
                try sample.code(&printer)
            } catch { problem = error }
            let text = printer.finish()
            return ("{" + String(decoding: text.octets.copied(), as: UTF8.self) + "}", problem)
        }
    }

    @Test func `Every kind of field is shown by its name`() throws {
        let (text, problem) = Self.show(Self.octets)
        #expect(problem == nil)
        let expected =
            #"{"starting_handle":4660,"rssi":-58,"bd_addr":"01:02:03:04:05:06","uuid":"180F","#
            + #""local_name":"\"\u000a","local_name_octets":"220a0041","#
            + #""long_term_key":{"redacted":true},"num":2,"#
            + #""items":[{"item_code":7},{"item_code":8}],"rest":"beef"}"#
        #expect(text == expected)
        _ = try JSONValue(text.utf8)
    }

    @Test func `Octets of a secret never appear`() {
        #expect(!Self.show(Self.octets).0.contains("dead"))
    }

    @Test(arguments: 0..<20)
    func `A PDU that is cut shows what is left and stays valid JSON`(count: Int) throws {
        let (text, problem) = Self.show(Array(Self.octets.prefix(count)))
        #expect(problem != nil)
        _ = try JSONValue(text.utf8)
    }

    static let walks: [(ATTOpcode, [UInt8], String, Bool)] = [
        (
            .readByTypeResponse, [7, 2, 0, 0x12, 3, 0, 0x37, 0x2A, 5, 0, 0x10, 6, 0, 0x38, 0x2A],
            #"{"length":7,"attribute_data_list":[{"attribute_handle":2,"attribute_value":"120300372a"},"#
                + #"{"attribute_handle":5,"attribute_value":"100600382a"}]}"#, true
        ),
        (
            .findByTypeValueResponse, [1, 0, 5, 0, 9, 0, 12, 0],
            #"{"handles_information":[{"found_attribute_handle":1,"group_end_handle":5},"#
                + #"{"found_attribute_handle":9,"group_end_handle":12}]}"#, true
        ),
        (.readByTypeResponse, [7, 2, 0, 0x12], #"{"length":7}"#, false),
        (.exchangeMTURequest, [0xF7, 0], #"{"client_rx_mtu":247}"#, true),
    ]

    @Test(arguments: walks)
    func `Elements of a PDU become an array of objects`(
        opcode: ATTOpcode, octets: [UInt8], expected: String, isWhole: Bool
    ) throws {
        let (text, isFine) = octets.withReader { reader in
            var printer = JSONFieldPrinter(reader.takeRest(), into: TextBuffer())
            var isFine = true
            do throws(DecodeError) { try ATTTable.code(opcode, &printer) } catch { isFine = false }
            let text = printer.finish()
            return ("{" + String(decoding: text.octets.copied(), as: UTF8.self) + "}", isFine)
        }
        #expect(text == expected)
        #expect(isFine == isWhole)
        _ = try JSONValue(text.utf8)
    }
}
