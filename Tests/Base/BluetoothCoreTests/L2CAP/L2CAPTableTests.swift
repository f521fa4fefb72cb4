import BluetoothCore
import Testing
import WireBytes

/// The rows of L2CAP signalling commands.
@Suite struct L2CAPTableTests {
    static let classic = [
        ("01 01 0200 0000", "Reason=<Command not understood> Reason Data="),
        ("01 01 0400 0100 3000", "Reason=<Signaling MTU exceeded> Reason Data=3000"),
        ("02 02 0400 0100 4000", "PSM=0x1 Source CID=<64>"),
        (
            "03 02 0800 4100 4000 0100 0200",
            "Destination CID=<65> Source CID=<64> Result=<Connection pending> Status=<Authorization pending>"
        ),
        (
            "04 03 0B00 4100 0100 01 02 A002 04 01 03",
            "Destination CID=<65> Flags={Continuation} Configuration Options=[ Type=<MTU> Length=2 Value=a002 "
                + "Type=<Retransmission and Flow Control> Length=1 Value=03 ]"
        ),
        (
            "05 03 0600 4000 0000 0000",
            "Source CID=<64> Flags={} Result=<Success> Configuration Options=[ ]"
        ),
        ("06 04 0400 4100 4000", "Destination CID=<65> Source CID=<64>"),
        ("07 04 0400 4100 4000", "Destination CID=<65> Source CID=<64>"),
        ("08 05 0300 AABBCC", "Echo Data=aabbcc"),
        ("09 05 0000", "Echo Data="),
        ("0A 06 0200 0200", "InfoType=<Extended Features Supported>"),
        (
            "0B 06 0800 0200 0000 B8020000",
            "InfoType=<Extended Features Supported> Result=<Success> Data=b8020000"
        ),
        ("0C 07 0200 0102", "Parameters=0102"),
    ]

    static let le = [
        (
            "12 01 0800 1800 2800 0000 F401", "Interval Min=30ms Interval Max=50ms Latency=0 Timeout=5000ms"
        ),
        ("13 01 0200 0000", "Result=<Accepted>"),
        (
            "14 02 0A00 8000 4000 0002 F700 0A00",
            "SPSM=0x80 Source CID=<64> MTU=512 MPS=247 Initial Credits=10"
        ),
        (
            "15 02 0A00 4100 0002 F700 0A00 0000",
            "Destination CID=<65> MTU=512 MPS=247 Initial Credits=10 Result=<Connection successful>"
        ),
        ("16 03 0400 4000 0500", "CID=<64> Credits=5"),
        (
            "17 04 0C00 2700 4000 4000 0A00 4000 4100",
            "SPSM=0x27 MTU=64 MPS=64 Initial Credits=10 Source CIDs=[ CID=<64> CID=<65> ]"
        ),
        (
            "18 04 0C00 4000 4000 0A00 0400 5000 0000",
            "MTU=64 MPS=64 Initial Credits=10 "
                + "Result=<Some connections refused - insufficient resources available> "
                + "Destination CIDs=[ CID=<80> CID=<0> ]"
        ),
        ("19 05 0600 0001 8000 4000", "MTU=256 MPS=128 Destination CIDs=[ CID=<64> ]"),
        (
            "1A 05 0200 0100",
            "Result=<Reconfiguration failed - reduction in size of MTU not allowed>"
        ),
    ]

    static let goldens = classic + le

    static func fault(_ command: [UInt8]) -> DecodeError? { L2CAPTable.fault(in: command.borrowedOctets) }

    @Test(arguments: goldens)
    func `a command's fields are read in order, and prefixes are truncated`(
        hex: String, fields: String
    ) throws {
        let whole = octets(hex)
        var coder = DescribingCoder(Array(whole[4...]))
        try L2CAPTable.code(L2CAPSignallingCode(rawValue: whole[0]), &coder)
        #expect(coder.text == fields)
        #expect(coder.remaining == 0)
        #expect(Self.fault(whole) == nil)
        expectPrefixesTruncated(whole, hex) { prefix throws(DecodeError) in
            if let fault = Self.fault(prefix) { throw fault }
            return prefix
        }
    }

    @Test func `each command that has fields is here`() {
        let reached = Set(Self.goldens.map { octets($0.0)[0] })
        let named = (UInt8.min...UInt8.max).filter { L2CAPSignallingCode(rawValue: $0).name != nil }
        #expect(named == Array(0x01...0x1A))
        // 0x0D to 0x11 belonged to alternate controllers, which the specification no longer has.
        #expect(Set(named).subtracting(reached) == Set(0x0D...0x11))
        #expect(L2CAPTable.rows.filter { $0.parameters == nil }.map(\.code) == Array(0x0C...0x11))
    }

    @Test func `bytes after the last field are no fault, those after the command's length are`() {
        // The first says six bytes although its parameters take four.
        #expect(Self.fault(octets("06 04 0600 4100 4000 FFFF")) == nil)
        #expect(
            Self.fault(octets("06 04 0400 4100 4000 FFFF")) == DecodeError(.trailingOctets(2), at: 8))
        #expect(
            Self.fault(octets("06 04 0300 4100 40")) == DecodeError(.truncated(need: 2, have: 1), at: 6))
    }

    @Test func `options and lists of channels that don't fit are faults`() {
        #expect(
            Self.fault(octets("04 03 0700 4100 0000 01 03 A0"))
                == DecodeError(.truncated(need: 3, have: 1), at: 10))
        #expect(
            Self.fault(octets("17 04 0B00 2700 4000 4000 0A00 4000 41"))
                == DecodeError(.truncated(need: 2, have: 1), at: 14))
    }

    /// A command with what the analysis reads of it.
    struct Followed: Sendable {
        var hex: String
        var psm: UInt16 = 0
        var mtu: UInt16 = 0
        var result: UInt16 = 0
        var sourceCIDs: [UInt16] = []
        var destinationCIDs: [UInt16] = []
    }

    static let followed = [
        Followed(hex: "01 01 0400 0100 3000", result: 1),
        Followed(hex: "02 02 0400 1F00 4000", psm: 0x1F, sourceCIDs: [0x40]),
        Followed(
            hex: "03 02 0800 4100 4000 0100 0200", result: 1, sourceCIDs: [0x40], destinationCIDs: [0x41]),
        Followed(hex: "07 04 0400 4100 4000", sourceCIDs: [0x40], destinationCIDs: [0x41]),
        Followed(hex: "13 01 0200 0100", result: 1),
        Followed(hex: "14 02 0A00 8000 4000 0002 F700 0A00", psm: 0x80, mtu: 512, sourceCIDs: [0x40]),
        Followed(hex: "15 02 0A00 4100 0002 F700 0A00 0400", mtu: 512, result: 4, destinationCIDs: [0x41]),
        Followed(
            hex: "17 04 1400 2700 4000 4100 0A00 4000 4100 4200 4300 4400 4500", psm: 0x27, mtu: 64,
            sourceCIDs: [0x40, 0x41, 0x42, 0x43, 0x44]),
        Followed(
            hex: "18 04 0C00 4000 4100 0A00 0400 5000 0000", mtu: 64, result: 4, destinationCIDs: [0x50, 0]),
        Followed(hex: "0A 06 0200 0200"),
        Followed(hex: "7F 06 0200 0200"),
    ]

    @Test(arguments: followed)
    func `the fields that the analysis follows are found, as far as they are there`(golden: Followed) {
        let command = octets(golden.hex)
        let fields = L2CAPSignalFields(command.borrowedOctets)
        #expect(fields.psm == golden.psm && fields.mtu == golden.mtu && fields.result == golden.result)
        #expect(fields.sourceCIDs == golden.sourceCIDs)
        #expect(fields.destinationCIDs == golden.destinationCIDs)
        for count in 0..<command.count {
            let part = L2CAPSignalFields(Array(command.prefix(count)).borrowedOctets)
            #expect(part.psm == 0 || part.psm == golden.psm)
            #expect(golden.sourceCIDs.starts(with: part.sourceCIDs))
            #expect(golden.destinationCIDs.starts(with: part.destinationCIDs))
        }
    }

    @Test func `a command is written as it was read`() {
        for golden in ["06 04 0400 4100 4000", "07 04 0400 4100 4000", "16 05 0400 4100 0A00"]
            + Self.followed.map(\.hex).filter({ $0.hasPrefix("14") || $0.hasPrefix("15") })
        {
            let command = octets(golden)
            let fields = L2CAPSignalFields(command.borrowedOctets)
            let code = L2CAPSignallingCode(rawValue: command[0])
            #expect(fields.command(code, identifier: command[1]) == command, "\(golden)")
        }
        var rejection = L2CAPSignalFields()
        rejection.result = L2CAPRejectReason.invalidCIDInRequest.rawValue
        #expect(
            rejection.command(.commandReject, identifier: 7, rest: [0x40, 0, 0x45, 0])
                == octets("01 07 0600 0200 4000 4500"))
        let unknown = L2CAPSignallingCode(rawValue: 0x7F)
        #expect(rejection.command(unknown, identifier: 7) == octets("7F 07 0000"))
    }

    @Test func `random octets never break`() {
        var random = SeededOctets(seed: 0x12CA)
        for _ in 0..<20_000 {
            var input = random.octets(random.next(below: 40))
            if input.count >= 4 {
                input[0] &= 0x1F
                input[2] = UInt8(input.count - 4)
                input[3] = 0
            }
            if let fault = Self.fault(input) { #expect(fault.offset <= input.count) }
            #expect(L2CAPSignalFields(input.borrowedOctets).sourceCIDs.count <= 5)
        }
    }
}
