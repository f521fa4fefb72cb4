import BluetoothCore
import Testing
import WireBytes

/// Event packets laid out field by field from the specification, and what they say.
@Suite struct HCIEventGoldenTests {
    /// An event packet in hexadecimal (a space between fields), and its fields.
    static let events: [(String, String)] = [
        (
            "03 0B 00 0100 060504030201 01 00",
            "status=<Success> connection_handle=0x1 bd_addr=01:02:03:04:05:06 link_type=<ACL> "
                + "encryption_enabled=<disabled>"
        ),
        (
            "04 0A 060504030201 0C025A 01",
            "bd_addr=01:02:03:04:05:06 class_of_device=0x5A020C link_type=<ACL>"
        ),
        (
            "05 04 00 4000 13",
            "status=<Success> connection_handle=0x40 reason=<Remote User Terminated Connection>"
        ),
        ("05 04 00 4000 FE", "status=<Success> connection_handle=0x40 reason=<0xfe>"),
        (
            "08 04 00 4000 01",
            "status=<Success> connection_handle=0x40 encryption_enabled=<on>"
        ),
        (
            "59 05 00 4000 02 10",
            "status=<Success> connection_handle=0x40 encryption_enabled=<on (AES-CCM)> encryption_key_size=16"
        ),
        ("30 03 00 4000", "status=<Success> connection_handle=0x40"),
        (
            "0C 08 00 4000 0B 4C00 3412",
            "status=<Success> connection_handle=0x40 version=<5.2> company_identifier=<Apple, Inc.> "
                + "subversion=0x1234"
        ),
        (
            "0B 0B 00 0100 0500000000000000",
            "status=<Success> connection_handle=0x1 lmp_features={3 slot packets,Encryption}"
        ),
        (
            "0F 04 00 01 0D20",
            "status=<Success> num_hci_command_packets=1 command_opcode=<LE Create Connection>"
        ),
        ("10 01 42", "hardware_code=0x42"),
        (
            "12 08 00 060504030201 01",
            "status=<Success> bd_addr=01:02:03:04:05:06 new_role=<peripheral>"
        ),
        (
            "13 09 02 4000 0100 4100 0300",
            "num_handles=2 connections=[ connection_handle=0x40 num_completed_packets=1 "
                + "connection_handle=0x41 num_completed_packets=3 ]"
        ),
        (
            "14 06 00 0100 02 2003",
            "status=<Success> connection_handle=0x1 current_mode=<sniff> interval=500ms"
        ),
        (
            "18 17 060504030201 000102030405060708090A0B0C0D0E0F 04",
            "bd_addr=01:02:03:04:05:06 link_key=hidden key_type=<unauthenticated P-192>"
        ),
        (
            "22 0F 01 060504030201 01 00 0C025A 3412 C5",
            "num_responses=1 responses=[ bd_addr=01:02:03:04:05:06 page_scan_repetition_mode=<R1> "
                + "reserved=0x0 class_of_device=0x5A020C clock_offset=0x1234 rssi=-59dBm ]"
        ),
        (
            "32 09 060504030201 03 00 04",
            "bd_addr=01:02:03:04:05:06 io_capability=<NoInputNoOutput> oob_data_present=<none> "
                + "authentication_requirements=<no MITM, general bonding>"
        ),
        ("33 0A 060504030201 40E20100", "bd_addr=01:02:03:04:05:06 numeric_value=123456"),
        (
            "36 07 05 060504030201",
            "status=<Authentication Failure> bd_addr=01:02:03:04:05:06"
        ),
        // Command Complete: of a known command, of a vendor's, and of none
        ("0E 04 01 030C 00", "num_hci_command_packets=1 command_opcode=<Reset> status=<Success>"),
        (
            "0E 06 01 01FC 00 BEEF",
            "num_hci_command_packets=1 command_opcode=<0xfc01> return_parameters=00beef"
        ),
        ("0E 03 02 0000", "num_hci_command_packets=2 command_opcode=<No Operation>"),
        // LE Meta
        (
            "3E 0A 03 00 4000 0600 0000 C800",
            "subevent_code=<LE Connection Update Complete> status=<Success> connection_handle=0x40 "
                + "connection_interval=7500us peripheral_latency=0 supervision_timeout=2000ms"
        ),
        (
            "3E 0C 04 00 4000 2000000000000000",
            "subevent_code=<LE Read Remote Features Page 0 Complete> status=<Success> connection_handle=0x40 "
                + "le_features={LE Data Packet Length Extension}"
        ),
        (
            "3E 0D 05 4000 0807060504030201 3412",
            "subevent_code=<LE Long Term Key Request> connection_handle=0x40 "
                + "random_number=0x102030405060708 encrypted_diversifier=0x1234"
        ),
        (
            "3E 0B 07 4000 FB00 4808 FB00 4808",
            "subevent_code=<LE Data Length Change> connection_handle=0x40 max_tx_octets=251 "
                + "max_tx_time=2120us max_rx_octets=251 max_rx_time=2120us"
        ),
        (
            "3E 06 0C 00 4000 02 02",
            "subevent_code=<LE PHY Update Complete> status=<Success> connection_handle=0x40 tx_phy=<LE 2M> "
                + "rx_phy=<LE 2M>"
        ),
        (
            "3E 1E 0D 01 1300 01 F6E5D4C3B2C1 01 00 FF 7F BA 0000 00 000000000000 04 03030D18",
            "subevent_code=<LE Extended Advertising Report> num_reports=1 reports=[ "
                + "event_type={connectable,scannable,legacy} address_type=<random> "
                + "address=C1:B2:C3:D4:E5:F6 primary_phy=<LE 1M> secondary_phy=<0> "
                + "advertising_sid=255 "
                + "tx_power=127dBm rssi=-70dBm periodic_advertising_interval=0ms "
                + "direct_address_type=<public> "
                + "direct_address=00:00:00:00:00:00 data_length=4 data=AD:03030d18 ]"
        ),
        (
            "3E 06 12 00 01 4000 00",
            "subevent_code=<LE Advertising Set Terminated> status=<Success> advertising_handle=0x1 "
                + "connection_handle=0x40 num_completed_extended_advertising_events=0"
        ),
        (
            "3E 04 14 4000 01",
            "subevent_code=<LE Channel Selection Algorithm> connection_handle=0x40 "
                + "channel_selection_algorithm=<#2>"
        ),
        (
            "3E 0C 23 00 4000 0500 0000 0100 C800",
            "subevent_code=<LE Subrate Change> status=<Success> connection_handle=0x40 subrate_factor=5 "
                + "peripheral_latency=0 continuation_number=1 supervision_timeout=2000ms"
        ),
        ("3E 03 FE BEEF", "subevent_code=<254> parameters=beef"),
    ]

    @Test(arguments: events)
    func `an event's fields are read in order`(hex: String, fields: String) throws {
        let packet = try Hex.octets(hex)
        #expect(Int(packet[1]) == packet.count - 2, "the length octet of the test's own packet")
        var coder = DescribingCoder(Array(packet[2...]))
        #expect(try HCIEventTable.code(HCIEventCode(rawValue: packet[0]), &coder))
        #expect(coder.text == fields)
        #expect(coder.remaining == 0)
    }

    @Test func `an event without known fields is left alone`() throws {
        var coder = DescribingCoder([1, 2, 3])
        #expect(try !HCIEventTable.code(HCIEventCode(rawValue: 0xFF), &coder))
        #expect(try !HCIEventTable.code(HCIEventCode(rawValue: 0x60), &coder))
        #expect(coder.remaining == 3)
        #expect(HCIEventCode(rawValue: 0xFF).name.map { "\($0)" } == "Vendor")
        #expect(HCIEventCode(rawValue: 0x60).name == nil)
    }

    @Test func `every error code up to 0x48 has its name, but for the reserved ones`() {
        let reserved: Set<UInt8> = [0x2B, 0x31, 0x33]
        for code in UInt8(0)...0x48 {
            #expect((HCIStatus(rawValue: code).name == nil) == reserved.contains(code), "\(code)")
        }
        #expect(HCIStatus(rawValue: 0x49).name == nil)
        #expect(HCIStatus(rawValue: 0x3E).description.hasPrefix("Connection Failed to be Established"))
    }

    @Test func `a list that says more than is there is truncated where it ends`() throws {
        // Two handles promised, one there
        var coder = DescribingCoder(try Hex.octets("02 4000 0100"))
        let error = #expect(throws: DecodeError.self) {
            try coder.pdu(HCINumberOfCompletedPackets.self)
        }
        #expect(error?.reason == .truncated(need: 2, have: 0))
    }
}
