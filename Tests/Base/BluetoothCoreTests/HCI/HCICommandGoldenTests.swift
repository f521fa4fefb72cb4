import BluetoothCore
import Testing
import WireBytes

/// Command packets laid out field by field from the specification, and what they say.
@Suite struct HCICommandGoldenTests {
    /// A command packet in hexadecimal (a space between fields), and its fields.
    static let commands: [(String, String)] = [
        ("0604 03 4000 13", "connection_handle=0x40 reason=<Remote User Terminated Connection>"),
        (
            "0504 0D 060504030201 18CC 02 00 3412 01",
            "bd_addr=01:02:03:04:05:06 packet_type={DM1,DH1,DM3,DH3,DM5,DH5} "
                + "page_scan_repetition_mode=<R2> reserved=0x0 clock_offset=0x1234 "
                + "allow_role_switch=<enabled>"
        ),
        ("0104 05 338B9E 08 00", "lap=0x9E8B33 inquiry_length=10240ms num_responses=0"),
        (
            "0B04 16 060504030201 000102030405060708090A0B0C0D0E0F",
            "bd_addr=01:02:03:04:05:06 link_key=hidden"
        ),
        (
            "0D04 17 060504030201 04 31323334000000000000000000000000",
            "bd_addr=01:02:03:04:05:06 pin_code_length=4 pin_code=hidden"
        ),
        ("030C 00", ""),
        (
            // A frame of 10 ms: 6 ms down, 4 ms up; the sync signal 50 us before its start
            "6F0C 0D 1027 CEFF 0200 02 7017 00 A00F 01",
            "mws_frame_duration=10ms mws_frame_sync_assert_offset=-50 mws_frame_sync_assert_jitter=2us "
                + "ext_num_periods=2 periods=[ ext_period_duration=6ms ext_period_type=0 "
                + "ext_period_duration=4ms ext_period_type=1 ]"
        ),
        ("050C 01 00", "filter_type=<clear all>"),
        (
            "050C 09 02 02 060504030201 02",
            "filter_type=<connection setup> filter_condition_type=<address> "
                + "bd_addr=01:02:03:04:05:06 auto_accept_flag=<accepted without role switch>"
        ),
        ("0520 06 F6E5D4C3B2C1", "random_address=C1:B2:C3:D4:E5:F6"),
        (
            "0620 0F 2000 4000 03 01 00 000000000000 07 02",
            "advertising_interval_min=20ms advertising_interval_max=40ms "
                + "advertising_type=<non-connectable undirected> own_address_type=<random> "
                + "peer_address_type=<public> peer_address=00:00:00:00:00:00 "
                + "advertising_channel_map={37,38,39} "
                + "advertising_filter_policy=<connection requests by accept list>"
        ),
        (
            "0B20 07 01 6000 3000 01 00",
            "le_scan_type=<active> le_scan_interval=60ms le_scan_window=30ms own_address_type=<random> "
                + "scanning_filter_policy=<basic unfiltered>"
        ),
        ("0C20 02 01 00", "le_scan_enable=<enabled> filter_duplicates=<disabled>"),
        (
            "0D20 19 6000 3000 00 01 F6E5D4C3B2C1 00 1800 2800 0000 2A00 0000 0000",
            "le_scan_interval=60ms le_scan_window=30ms initiator_filter_policy=<peer address> "
                + "peer_address_type=<random> peer_address=C1:B2:C3:D4:E5:F6 "
                + "own_address_type=<public> "
                + "connection_interval_min=30ms connection_interval_max=50ms max_latency=0 "
                + "supervision_timeout=420ms min_ce_length=0ms max_ce_length=0ms"
        ),
        (
            "1320 0E 4000 0600 0C00 0000 C800 0000 0000",
            "connection_handle=0x40 connection_interval_min=7500us "
                + "connection_interval_max=15ms max_latency=0 "
                + "supervision_timeout=2000ms min_ce_length=0ms max_ce_length=0ms"
        ),
        (
            "1920 1C 4000 0000000000000000 0000 000102030405060708090A0B0C0D0E0F",
            "connection_handle=0x40 random_number=0x0 encrypted_diversifier=0x0 long_term_key=hidden"
        ),
        ("1A20 12 4000 000102030405060708090A0B0C0D0E0F", "connection_handle=0x40 long_term_key=hidden"),
        (
            "2720 27 00 060504030201 000102030405060708090A0B0C0D0E0F 000102030405060708090A0B0C0D0E0F",
            "peer_identity_address_type=<public> peer_identity_address=01:02:03:04:05:06 "
                + "peer_irk=hidden local_irk=hidden"
        ),
        ("2220 06 4000 FB00 4808", "connection_handle=0x40 tx_octets=251 tx_time=2120us"),
        (
            "3220 07 4000 00 02 02 0000",
            "connection_handle=0x40 all_phys={} tx_phys={LE 2M} rx_phys={LE 2M} phy_options=<no preference>"
        ),
        (
            "3620 19 01 1300 A00000 A00000 07 01 00 000000000000 00 7F 01 00 01 00 00",
            "advertising_handle=0x1 advertising_event_properties={connectable,scannable,legacy PDUs} "
                + "primary_advertising_interval_min=100ms primary_advertising_interval_max=100ms "
                + "primary_advertising_channel_map={37,38,39} own_address_type=<random> "
                + "peer_address_type=<public> peer_address=00:00:00:00:00:00 "
                + "advertising_filter_policy=<any device> advertising_tx_power=127dBm "
                + "primary_advertising_phy=<LE 1M> secondary_advertising_max_skip=0 "
                + "secondary_advertising_phy=<LE 1M> advertising_sid=0 "
                + "scan_request_notification_enable=<disabled>"
        ),
        (
            "3720 07 01 03 01 03 020106",
            "advertising_handle=0x1 operation=<complete> fragment_preference=<should not fragment> "
                + "advertising_data_length=3 advertising_data=AD:020106"
        ),
        (
            "3920 06 01 01 01 6400 00",
            "enable=<enabled> num_sets=1 sets=[ advertising_handle=0x1 duration=1000ms "
                + "max_extended_advertising_events=0 ]"
        ),
        (
            "4120 0D 01 00 05 01 6000 3000 00 6000 3000",
            "own_address_type=<random> scanning_filter_policy=<basic unfiltered> "
                + "scanning_phys={LE 1M,LE Coded} phys=[ scan_type=<active> scan_interval=60ms "
                + "scan_window=30ms "
                + "scan_type=<passive> scan_interval=60ms scan_window=30ms ]"
        ),
        (
            "4320 1A 00 01 00 060504030201 01 6000 6000 1800 2800 0000 2A00 0000 0000",
            "initiator_filter_policy=<peer address> own_address_type=<random> peer_address_type=<public> "
                + "peer_address=01:02:03:04:05:06 initiating_phys={LE 1M} phys=[ scan_interval=60ms "
                + "scan_window=60ms connection_interval_min=30ms connection_interval_max=50ms max_latency=0 "
                + "supervision_timeout=420ms min_ce_length=0ms max_ce_length=0ms ]"
        ),
        (
            "6420 05 01 6000 4000",
            "cis_count=1 cis=[ cis_connection_handle=0x60 acl_connection_handle=0x40 ]"
        ),
        (
            "6E20 0D 6000 00 00 06 0000 0000 000000 00",
            "connection_handle=0x60 data_path_direction=<host to controller> data_path_id=<HCI> "
                + "coding_format=<LC3> company_identifier=<Ericsson AB> vendor_codec_id=0x0 "
                + "controller_delay=0ms codec_configuration_length=0 codec_configuration="
        ),
    ]

    @Test(arguments: commands)
    func `a command's fields are read in order`(hex: String, fields: String) throws {
        let packet = try Hex.octets(hex)
        let opcode = HCIOpcode(rawValue: UInt16(packet[0]) | UInt16(packet[1]) << 8)
        #expect(Int(packet[2]) == packet.count - 3, "the length octet of the test's own packet")
        var coder = DescribingCoder(Array(packet[3...]))
        #expect(try HCICommandTable.code(opcode, .parameters, &coder))
        #expect(coder.text == fields)
        #expect(coder.remaining == 0)
    }

    /// Return parameters by opcode, from the status on.
    static let returns: [(UInt16, String, String)] = [
        (
            0x1001, "00 0C 2301 0C 5900 6745",
            "status=<Success> hci_version=<5.3> hci_subversion=0x123 lmp_version=<5.3> "
                + "company_identifier=<Nordic Semiconductor ASA> lmp_subversion=0x4567"
        ),
        (0x1009, "00 060504030201", "status=<Success> bd_addr=01:02:03:04:05:06"),
        (
            0x2002, "00 FB00 08",
            "status=<Success> le_acl_data_packet_length=251 total_num_le_acl_data_packets=8"
        ),
        (0x2018, "00 0807060504030201", "status=<Success> random_number=hidden"),
        (0x2015, "00 4000 FFFFFFFF1F", "status=<Success> connection_handle=0x40 channel_map=0x1FFFFFFFFF"),
        (0x1405, "00 4000 C5", "status=<Success> handle=0x40 rssi=-59dBm"),
        (0x201A, "02", "status=<Unknown Connection Identifier>"),
        (
            0x2062, "00 01 02 6000 6100",
            "status=<Success> cig_id=1 cis_count=2 handles=[ connection_handle=0x60 "
                + "connection_handle=0x61 ]"
        ),
        (
            0x0C57, "00 000102030405060708090A0B0C0D0E0F 000102030405060708090A0B0C0D0E0F",
            "status=<Success> c=hidden r=hidden"
        ),
        (
            0x2003, "00 2100000000000000",
            "status=<Success> le_features={LE Encryption,LE Data Packet Length Extension}"
        ),
    ]

    @Test(arguments: returns)
    func `what is returned is read in order`(opcode: UInt16, hex: String, fields: String) throws {
        var coder = DescribingCoder(try Hex.octets(hex))
        #expect(try HCICommandTable.code(HCIOpcode(rawValue: opcode), .returnParameters, &coder))
        #expect(coder.text == fields)
        #expect(coder.remaining == 0)
    }

    @Test func `a command packs itself with opcode and length`() throws {
        let command = LESetScanEnable {
            $0.leScanEnable = 1
            $0.filterDuplicates = 1
        }
        #expect(command.packet == (try Hex.octets("0C20 02 01 01")))
        #expect(HCIReset().packet == (try Hex.octets("030C 00")))
    }

    @Test func `a controller answers a command with Command Complete or Command Status`() throws {
        let returned = LEReadBufferSize.ReturnParameters {
            $0.leACLDataPacketLength = 251
            $0.totalNumLEACLDataPackets = 8
        }
        let complete = HCICommandComplete(numHCICommandPackets: 1, commandOpcode: LEReadBufferSize.opcode)
        #expect(complete.encoded + returned.encoded == (try Hex.octets("01 0220 00 FB00 08")))
        let refusal = HCICommandStatus(
            status: .commandDisallowed, numHCICommandPackets: 1, commandOpcode: LECreateConnection.opcode)
        #expect(refusal.packet == (try Hex.octets("0F 04 0C 01 0D20")))
        let refused = LEReadBufferSize.ReturnParameters { $0.status = .unknownHCICommand }
        #expect(refused.encoded.count == 4)
    }

    @Test func `an opcode has its group, its command and its name`() {
        #expect(LESetScanEnable.opcode == HCIOpcode(rawValue: 8 << 10 | 0x0C))
        #expect(LESetScanEnable.opcode.description == "LE Set Scan Enable")
        #expect(HCIDisconnect.opcode.description == "Disconnect")
        #expect(HCIOpcode(rawValue: 0xFC01).isVendor)
        #expect(HCIOpcode(rawValue: 0xFC01).description == "0xfc01")
        #expect(HCIOpcode(rawValue: 0xFFFF).ogf == 63)
    }

    /// Keys, PINs and their kin: no coder may be handed one as anything but a secret.
    @Test func `no secret is named as plain octets`() throws {
        let words = ["key", "irk", "pin_code", "code", "dhkey"]
        for entry in HCITableTests.entries {
            var coder = SecretNameCoder()
            _ = try entry.walk(&coder)
            for name in coder.plain {
                let last = name.split(separator: "_").last.map(String.init) ?? name
                #expect(!words.contains(last), "\(entry): \(name)")
            }
            #expect(!coder.numbers.contains("passkey"), "\(entry)")
        }
    }

    @Test func `passkeys and random numbers that keys are made of are secret`() throws {
        var coder = SecretNameCoder()
        #expect(try HCICommandTable.code(HCIOpcode(rawValue: 0x2018), .returnParameters, &coder))
        #expect(coder.numbers == ["status"])
        coder = SecretNameCoder()
        #expect(try HCICommandTable.code(HCIOpcode(rawValue: 0x042E), .parameters, &coder))
        #expect(coder.numbers.isEmpty)
    }
}

/// Collects the names of octet strings that are not secret.
struct SecretNameCoder: FieldCoder {
    var plain: [String] = []
    /// The names of numbers that are not secret.
    var numbers: [String] = []
    let remaining = Int.max

    mutating func unsigned(
        _ name: StaticText, _ value: inout UInt64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {
        value = name.description == "status" ? 0 : 1
        if case .secret = meaning { return }
        numbers.append(name.description)
    }
    mutating func signed(
        _ name: StaticText, _ value: inout Int64, width: Int, _ meaning: FieldMeaning
    ) throws(DecodeError) {}
    mutating func address(_ name: StaticText, _ value: inout DeviceAddress) throws(DecodeError) {}
    mutating func uuid(
        _ name: StaticText, _ value: inout BluetoothUUID, width: Int
    ) throws(DecodeError) {}
    mutating func payload<P: PDUPayload>(
        _ name: StaticText, _ value: inout P, count: Int?, _ meaning: PayloadMeaning
    ) throws(DecodeError) {
        if case .secret = meaning { return }
        plain.append(name.description)
    }
    mutating func list(
        _ name: StaticText, count: Int?, _ element: (inout SecretNameCoder) throws(DecodeError) -> Void
    ) throws(DecodeError) { try element(&self) }
}
