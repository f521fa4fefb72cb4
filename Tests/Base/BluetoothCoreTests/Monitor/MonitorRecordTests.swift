import BluetoothCore
import Testing
import WireBytes

/// The monitor channel's own records, laid out by hand from the kernel's header.
@Suite struct MonitorRecordTests {
    @Test func `a new index names its bus, address and interface`() throws {
        // Primary, UART, address, "hci0" in eight octets
        let record = try LEEventTests.decode(MonitorNewIndex.self, "00 03 060504030201 6863693000000000")
        #expect(record.type == 0)
        #expect(ValueSet("bus").name(UInt64(record.bus)).map { "\($0)" } == "UART")
        #expect(record.bdAddr == DeviceAddress(0x0102_0304_0506, .public))
        #expect(record.name.starts(with: "hci0".utf8))
    }

    @Test func `index info gives the manufacturer`() throws {
        let record = try LEEventTests.decode(MonitorIndexInfo.self, "060504030201 0200")
        #expect(record.manufacturer == 2)
    }

    @Test func `user logging keeps program and line apart`() throws {
        // Priority 6, ident of 4 bytes with its zero, then the line
        var coder = DescribingCoder(try Hex.octets("06 04 61626300 6869 00"))
        #expect(try MonitorTable.code(.userLogging, &coder))
        #expect(coder.text == "priority=<info> ident_length=4 ident='abc' message='hi'")
    }

    @Test func `a control socket tells its format, version and program`() throws {
        let comm = Hex.text(Array("bluetoothd".utf8) + [0, 0, 0, 0, 0, 0])
        var coder = DescribingCoder(try Hex.octets("01000000 0200 01 1600 01000000 10" + comm))
        #expect(try MonitorTable.code(.controlOpen, &coder))
        #expect(
            coder.text == "cookie=0x1 format=<management> version=1 revision=22 flags={trusted} "
                + "ident_length=16 ident='bluetoothd'")
    }

    /// A management command or event in its record, and its fields.
    static let management: [(UInt16, String, String)] = [
        (16, "01000000 0100", "cookie=0x1 opcode=<Read Management Version Information>"),
        (16, "01000000 0500 01", "cookie=0x1 opcode=<Set Powered> powered=<on>"),
        (16, "01000000 2300 06", "cookie=0x1 opcode=<Start Discovery> address_type={LE public,LE random}"),
        (
            16, "01000000 3300 F6E5D4C3B2C1 02 02",
            "cookie=0x1 opcode=<Add Device> address=C1:B2:C3:D4:E5:F6 address_type=<LE random> "
                + "action=<auto-connect>"
        ),
        (
            16, "01000000 3000 0100 060504030201 01 000102030405060708090A0B0C0D0E0F",
            "cookie=0x1 opcode=<Load Identity Resolving Keys> key_count=1 keys=[ "
                + "address=01:02:03:04:05:06 address_type=<LE public> value=hidden ]"
        ),
        (
            16, "01000000 3E00 01 01000000 0000 0000 03 02 020106 0208",
            "cookie=0x1 opcode=<Add Advertising> instance=1 flags={connectable} duration=0ms timeout=0ms "
                + "advertising_data_length=3 scan_response_length=2 advertising_data=AD:020106 "
                + "scan_response=AD:0208"
        ),
        (
            16, "01000000 1000 FB349B5F80000080 00100000 0F180000 08",
            "cookie=0x1 opcode=<Add UUID> uuid=180F service_hint=0x8"
        ),
        (16, "01000000 FF01 BEEF", "cookie=0x1 opcode=<511> parameters=beef"),
        (
            17, "01000000 0100 0500 00 01020000",
            "cookie=0x1 event=<Command Complete> opcode=<Set Powered> status=<Success> "
                + "current_settings={powered,low energy}"
        ),
        (
            17, "01000000 0100 0500 0B",
            "cookie=0x1 event=<Command Complete> opcode=<Set Powered> status=<Rejected>"
        ),
        (
            17, "01000000 0200 1900 04",
            "cookie=0x1 event=<Command Status> opcode=<Pair Device> status=<Connect Failed>"
        ),
        (
            17, "01000000 0B00 F6E5D4C3B2C1 02 00000000 0300 020106",
            "cookie=0x1 event=<Device Connected> address=C1:B2:C3:D4:E5:F6 "
                + "address_type=<LE random> flags={} eir_data_length=3 eir_data=AD:020106"
        ),
        (
            17, "01000000 0C00 060504030201 00 03",
            "cookie=0x1 event=<Device Disconnected> address=01:02:03:04:05:06 "
                + "address_type=<BR/EDR> reason=<terminated by remote host>"
        ),
        (
            17,
            "01000000 0A00 01 F6E5D4C3B2C1 02 02 01 10 0000 0000000000000000 "
                + "000102030405060708090A0B0C0D0E0F",
            "cookie=0x1 event=<New Long Term Key> store_hint=<on> address=C1:B2:C3:D4:E5:F6 "
                + "address_type=<LE random> key_type=<unauthenticated P-256> central=1 encryption_size=16 "
                + "encryption_diversifier=0x0 random_number=0x0 value=hidden"
        ),
    ]

    @Test(arguments: management)
    func `management commands and events are read in order`(
        opcode: UInt16, hex: String, fields: String
    ) throws {
        var coder = DescribingCoder(try Hex.octets(hex))
        #expect(try MonitorTable.code(MonitorOpcode(rawValue: opcode), &coder))
        #expect(coder.text == fields)
        #expect(coder.remaining == 0)
    }

    /// Commands and events without known fields whose octets may hold keys.
    @Test(arguments: [(UInt16(16), UInt8(0x21)), (16, 0x46), (17, 0x22)])
    func `octets that may hold keys are hidden`(opcode: UInt16, code: UInt8) throws {
        var coder = DescribingCoder(try Hex.octets("01000000" + Hex.text([code, 0]) + "AABB"))
        #expect(try MonitorTable.code(MonitorOpcode(rawValue: opcode), &coder))
        #expect(coder.text.hasSuffix("parameters=hidden"))
    }

    @Test(arguments: [UInt8(0x20), 0x3B])
    func `returned octets that may hold keys are hidden`(command: UInt8) throws {
        var coder = DescribingCoder(try Hex.octets("01000000 0100" + Hex.text([command, 0]) + "00 AABB"))
        #expect(try MonitorTable.code(.controlEvent, &coder))
        #expect(coder.text.hasSuffix("parameters=hidden"))
    }
}
