import BluetoothCore
import Testing
import WireBytes

/// The monitor channel's own records, laid out by hand from the kernel's header.
@Suite struct MonitorRecordTests {
    @Test func `a new index names its bus, address and interface`() throws {
        // Primary, UART, address, "hci0" in eight octets
        let record = try LEEventTests.decode(MonitorNewIndex.self, "00 03 060504030201 6863693000000000")
        #expect(record.type == 0)
        #expect(MonitorNames.bus(UInt64(record.bus)).map { "\($0)" } == "UART")
        #expect(record.bdAddr == DeviceAddress(0x0102_0304_0506, .public))
        #expect(record.name.starts(with: "hci0".utf8))
    }

    @Test func `index info gives the manufacturer`() throws {
        let record = try LEEventTests.decode(MonitorIndexInfo.self, "060504030201 0200")
        #expect(record.manufacturer == 2)
    }

    @Test func `user logging keeps program and line apart`() throws {
        // Priority 6, ident of 4 octets with its zero, then the line
        let record = try LEEventTests.decode(MonitorUserLogging.self, "06 04 61626300 6869 00")
        #expect(record.priority == 6)
        #expect(record.ident == Array("abc".utf8) + [0])
        #expect(record.message == Array("hi".utf8) + [0])
    }

    @Test func `a control socket tells its format, version and program`() throws {
        let comm = Hex.text(Array("bluetoothd".utf8) + [0, 0, 0, 0, 0, 0])
        let record = try LEEventTests.decode(
            MonitorControlOpen.self, "01000000 0200 01 1600 01000000 10" + comm)
        #expect(record.cookie == 1)
        #expect(record.format == 2)
        #expect(record.version == 1)
        #expect(record.revision == 22)
        #expect(record.flags == 1)
        #expect(record.ident.starts(with: "bluetoothd".utf8))
    }

    @Test func `a device that connected is named with its address kind`() throws {
        // Cookie, Device Connected, address, LE random, flags, no advertising data
        let record = try LEEventTests.decode(
            MonitorControlEvent.self, "01000000 0B00 F6E5D4C3B2C1 02 00000000 0300 020106")
        #expect(record.event.name.map { "\($0)" } == "Device Connected")
        #expect(record.address == DeviceAddress(0xC1B2_C3D4_E5F6, .random))
        #expect(record.data == [2, 1, 6])
    }

    @Test func `events of every shape survive encoding and decoding`() throws {
        for (code, rest) in [
            (0x01, "0500 00 D1000000"), (0x02, "1900 04"), (0x0B, "060504030201 01 00000000 0000"),
            (0x0C, "060504030201 00 03"), (0x0D, "060504030201 02 04"), (0x11, "060504030201 02 05"),
            (0x12, "060504030201 02 C4 08000000 0300 020106"), (0x06, "D1000000"),
        ] {
            let hex = "01000000 " + Hex.text([UInt8(code), 0]) + rest
            let record = try LEEventTests.decode(MonitorControlEvent.self, hex)
            #expect(record.encoded == (try Hex.octets(hex)), "event \(code)")
        }
    }

    /// Which parameters a coder was told to hide.
    struct SecretCoder: FieldCoder {
        var inner: RoundTripCoder
        var hidden = 0
        var shown = 0
        var remaining: Int { inner.remaining }

        init(_ octets: [UInt8]) { inner = RoundTripCoder(octets) }

        mutating func unsigned(
            _ name: StaticString, _ value: inout UInt64, width: Int, _ meaning: FieldMeaning
        ) throws(DecodeError) { try inner.unsigned(name, &value, width: width, meaning) }
        mutating func signed(
            _ name: StaticString, _ value: inout Int64, width: Int, _ meaning: FieldMeaning
        ) throws(DecodeError) { try inner.signed(name, &value, width: width, meaning) }
        mutating func address(_ name: StaticString, _ value: inout DeviceAddress) throws(DecodeError) {
            var octets: [UInt8] = []
            try inner.payload(name, &octets, count: 6, .octets)
        }
        mutating func uuid(
            _ name: StaticString, _ value: inout BluetoothUUID, width: Int
        ) throws(DecodeError) { try inner.uuid(name, &value, width: width) }
        mutating func payload<P: PDUPayload>(
            _ name: StaticString, _ value: inout P, count: Int?, _ meaning: PayloadMeaning
        ) throws(DecodeError) {
            if case .secret = meaning { hidden += 1 } else { shown += 1 }
            try inner.payload(name, &value, count: count, meaning)
        }
        mutating func list<Element: PDUFields>(
            _ name: StaticString, _ elements: inout [Element], count: Int?
        ) throws(DecodeError) {
            for _ in 0..<(count ?? 0) {
                var element = Element()
                try element.code(&self)
            }
        }
    }

    @Test(arguments: [UInt16(0x12), 0x13, 0x16, 0x1E, 0x20, 0x21, 0x2F, 0x30, 0x3B, 0x46])
    func `parameters with keys are hidden in the command and in its completion`(opcode: UInt16) throws {
        let raw = Hex.text([UInt8(truncatingIfNeeded: opcode), 0])
        var command = SecretCoder(try Hex.octets("01000000" + raw + "AABB"))
        var fields = MonitorControlCommand()
        try fields.code(&command)
        #expect(command.hidden == 1 && command.shown == 0)
        var complete = SecretCoder(try Hex.octets("01000000 0100" + raw + "00 AABB"))
        var event = MonitorControlEvent()
        try event.code(&complete)
        #expect(complete.hidden == 1 && complete.shown == 0)
    }
}
