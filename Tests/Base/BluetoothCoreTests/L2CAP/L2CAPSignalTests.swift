import BluetoothCore
import Testing
import WireBytes

typealias OwnedSignal = L2CAPSignal<[UInt8]>

@Suite struct L2CAPSignalTests {
    static func channel(_ value: UInt16) -> L2CAPChannelID { L2CAPChannelID(rawValue: value) }

    static let classic: [(String, L2CAPSignalParameters<[UInt8]>)] = [
        ("01 01 0200 0000", .commandReject(.init(reason: .notUnderstood, data: []))),
        ("01 01 0400 0100 3000", .commandReject(.init(reason: .mtuExceeded, data: [0x30, 0]))),
        ("02 02 0400 0100 4000", .connectionRequest(.init(psm: 1, sourceCID: channel(0x40)))),
        (
            "03 02 0800 4100 4000 0100 0200",
            .connectionResponse(
                .init(
                    destinationCID: channel(0x41), sourceCID: channel(0x40), result: .pending, status: 2))
        ),
        (
            "04 03 0800 4100 0000 01 02 A002",
            .configurationRequest(
                .init(destinationCID: channel(0x41), flags: 0, options: octets("01 02 A002")))
        ),
        (
            "05 03 0600 4000 0000 0000",
            .configurationResponse(
                .init(sourceCID: channel(0x40), flags: 0, result: .success, options: []))
        ),
        (
            "06 04 0400 4100 4000",
            .disconnectionRequest(.init(destinationCID: channel(0x41), sourceCID: channel(0x40)))
        ),
        (
            "07 04 0400 4100 4000",
            .disconnectionResponse(.init(destinationCID: channel(0x41), sourceCID: channel(0x40)))
        ),
        ("08 05 0300 AABBCC", .echoRequest(.init(data: [0xAA, 0xBB, 0xCC]))),
        ("09 05 0000", .echoResponse(.init(data: []))),
        ("0A 06 0200 0200", .informationRequest(.init(type: 2))),
        (
            "0B 06 0800 0200 0000 B8020000",
            .informationResponse(.init(type: 2, result: 0, data: octets("B8020000")))
        ),
        ("0C 07 0200 0102", .unknown(L2CAPSignallingCode(rawValue: 0x0C), [1, 2])),
    ]

    static let le: [(String, L2CAPSignalParameters<[UInt8]>)] = [
        (
            "12 01 0800 1800 2800 0000 F401",
            .connectionParameterUpdateRequest(
                .init(intervalMin: 24, intervalMax: 40, latency: 0, timeout: 500))
        ),
        ("13 01 0200 0000", .connectionParameterUpdateResponse(.init(result: 0))),
        (
            "14 02 0A00 8000 4000 0002 F700 0A00",
            .leCreditBasedConnectionRequest(
                .init(spsm: 0x80, sourceCID: channel(0x40), mtu: 512, mps: 247, initialCredits: 10))
        ),
        (
            "15 02 0A00 4100 0002 F700 0A00 0000",
            .leCreditBasedConnectionResponse(
                .init(
                    destinationCID: channel(0x41), mtu: 512, mps: 247, initialCredits: 10,
                    result: .successful))
        ),
        ("16 03 0400 4000 0500", .flowControlCredit(.init(channel: channel(0x40), credits: 5))),
        (
            "17 04 0C00 2700 4000 4000 0A00 4000 4100",
            .creditBasedConnectionRequest(
                .init(spsm: 0x27, mtu: 64, mps: 64, initialCredits: 10, sourceCIDs: octets("4000 4100")))
        ),
        (
            "18 04 0C00 4000 4000 0A00 0400 5000 0000",
            .creditBasedConnectionResponse(
                .init(
                    mtu: 64, mps: 64, initialCredits: 10, result: .someRefusedNoResources,
                    destinationCIDs: octets("5000 0000")))
        ),
        (
            "19 05 0600 0001 8000 4000",
            .creditBasedReconfigureRequest(.init(mtu: 256, mps: 128, destinationCIDs: octets("4000")))
        ),
        ("1A 05 0200 0100", .creditBasedReconfigureResponse(.init(result: .mtuReduced))),
    ]

    static let goldens = classic + le

    static func decode(_ octets: [UInt8]) throws(DecodeError) -> OwnedSignal {
        try octets.withReader { (reader: inout ByteReader) throws(DecodeError) -> OwnedSignal in
            let signal = try OwnedSignal(decoding: &reader)
            try reader.expectEnd()
            return signal
        }
    }

    @Test(arguments: 0..<goldens.count)
    func `octets and values agree both ways, and prefixes are truncated`(index: Int) throws {
        let (hex, parameters) = Self.goldens[index]
        let whole = octets(hex)
        let signal = OwnedSignal(identifier: whole[1], parameters)
        #expect(try Self.decode(whole) == signal)
        #expect(signal.encoded == whole)
        expectPrefixesTruncated(whole, hex) { prefix throws(DecodeError) in
            try Self.decode(prefix).encoded
        }
    }

    @Test func `each command of the goldens is reached by its code`() {
        let reached = Set(Self.goldens.map { $0.1.signallingCode.rawValue })
        let named = (UInt8.min...UInt8.max).filter { L2CAPSignallingCode(rawValue: $0).name != nil }
        #expect(named == Array(0x01...0x1A))
        // 0x0D to 0x11 belonged to alternate controllers, which the specification has given up.
        #expect(Set(named).subtracting(reached) == Set(0x0D...0x11))
    }

    @Test func `several commands lie in one frame, and a short one does not shift the next`() throws {
        // The first says six octets although its parameters take four.
        let frame = octets("06 04 0600 4100 4000 FFFF  16 03 0400 4000 0500")
        try frame.withReader { (reader: inout ByteReader) throws(DecodeError) in
            #expect(try OwnedSignal(decoding: &reader).identifier == 4)
            #expect(
                try OwnedSignal(decoding: &reader)
                    == OwnedSignal(
                        identifier: 3,
                        .flowControlCredit(.init(channel: Self.channel(0x40), credits: 5))))
            let isAtEnd = reader.isAtEnd
            #expect(isAtEnd)
        }
    }

    @Test func `configuration options and channel lists are walked`() throws {
        #expect(
            try L2CAPConfigurationOption<[UInt8]>.elements(of: octets("01 02 A002 04 01 03")) == [
                .init(type: 1, value: [0xA0, 2]), .init(type: 4, value: [3]),
            ])
        #expect(throws: DecodeError(.truncated(need: 3, have: 1), at: 2)) {
            try L2CAPConfigurationOption<[UInt8]>.elements(of: octets("01 03 A0"))
        }
        #expect(
            try L2CAPChannel.elements(of: octets("4000 4100"), width: 2).map(\.channel.rawValue) == [
                0x40, 0x41,
            ])
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
            do throws(DecodeError) {
                let signal = try Self.decode(input)
                #expect(signal.identifier == input[1])
            } catch {
                #expect(error.offset <= input.count)
            }
        }
    }
}
