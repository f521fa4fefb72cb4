import CaptureFile
import Foundation
import TestSupport
import Testing
import WireBytes

/// HCI packets in the transfers of USB captures.
@Suite struct USBCaptureTests {
    @Test(arguments: USBWriter.Form.allCases, [true, false])
    func `a recorded session is the same from each USB capture`(
        _ form: USBWriter.Form, _ isDescribed: Bool
    ) throws {
        let session = try Samples.recorded()
        #expect(session.count > 50)
        // USBPcap records whole events, Linux one transfer for each packet of the endpoint.
        let most = form.isUSBPcap ? 1024 : 16
        let octets = USBWriter.capture(of: session, as: form, most: most, isDescribed: isDescribed)
        let (samples, error) = Samples.read(octets)
        #expect(error == nil)
        #expect(samples == session)
        var reader = try CaptureReader(octets: octets, name: "usb")
        while try reader.next() != nil {}
        #expect(reader.info.datalink == UInt32(form.linkType) && reader.info.hasDirection)
        #expect(reader.tally.totalOctets == octets.count && reader.offset == octets.count)
        #expect(reader.tally.records == session.count)
        #expect(reader.tally.skippedRecords == 4 * (1 + session.count { $0.kind == .command }))
    }

    @Test(arguments: USBWriter.Form.allCases)
    func `events before the first command are read too`(_ form: USBWriter.Form) {
        let session = [Samples.session[1], Samples.session[3]] + Samples.session
        let octets = USBWriter.capture(of: session, as: form, isDescribed: false)
        #expect(Samples.read(octets).samples == session)
    }

    @Test(arguments: USBWriter.Form.allCases)
    func `events and data of any length are put together from transfers of any size`(
        _ form: USBWriter.Form
    ) {
        var random = SeededRandom(seed: 7)
        for most in [16, 64, 1024] {
            var session = [Samples.session[0]]
            for _ in 0..<80 {
                let count = Int(random.next() % 256)
                let parameters = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
                let event = [UInt8(0x3E), UInt8(count)] + parameters
                session.append(Sample(.event, .controllerToHost, Samples.start, Hex.text(event)))
                let received = [0x40, 0x20, UInt8(count), 0] + parameters
                session.append(Sample(.acl, .controllerToHost, Samples.start, Hex.text(received)))
                let sound = [0x41, 0, UInt8(count)] + parameters
                session.append(Sample(.sco, .hostToController, Samples.start, Hex.text(sound)))
                session.append(Sample(.sco, .controllerToHost, Samples.start, Hex.text(sound)))
            }
            #expect(Samples.read(USBWriter.capture(of: session, as: form, most: most)).samples == session)
        }
    }

    @Test
    func `several packets in one transfer are several records`() {
        var writer = USBWriter(.usbmonMapped)
        writer.packet(Samples.session[0])
        let pipe = USBWriter.Pipe(kind: .bulk, endpoint: 0x82)
        let packet = Samples.hex(Samples.session[3].octets)
        writer.whole(pipe, packet, at: Samples.session[3].microseconds)
        writer.whole(pipe, packet + packet + packet.prefix(5), at: Samples.session[3].microseconds)
        writer.whole(pipe, Array(packet.dropFirst(5)), at: Samples.session[3].microseconds)
        let expected = [Samples.session[0]] + [Sample](repeating: Samples.session[3], count: 4)
        #expect(Samples.read(writer.octets).samples == expected)
    }

    @Test(arguments: USBWriter.Form.allCases)
    func `adapters are told apart by bus and address, in the order of their packets`(
        _ form: USBWriter.Form
    ) {
        var writer = USBWriter(form)
        writer.descriptors(bus: 1, device: 4, at: Samples.start)
        writer.descriptors(bus: 2, device: 5, at: Samples.start)
        var expected: [Sample] = []
        for sample in Samples.session {
            for (adapter, place) in [(2, 5), (1, 5), (1, 6)].enumerated() {
                writer.packet(sample, bus: UInt16(place.0), device: UInt8(place.1), most: 4)
                var own = sample
                own.adapter = UInt16(adapter)
                expected.append(own)
            }
        }
        #expect(Samples.read(writer.octets).samples == expected)
    }

    @Test
    func `an HCI interface beside the USB one is an adapter of its own`() throws {
        var writer = USBWriter(.usbmonMappedInPcapng)
        for sample in Samples.session { writer.packet(sample) }
        let interface = Samples.hex("01000000 14000000 c9000000 00000000 14000000")
        let packet = Samples.hex(
            "06000000 28000000 01000000 00000000 01000000 08000000 08000000 00000000 01030c00 28000000")
        let octets = writer.octets.prefix(48) + interface + writer.octets.dropFirst(48) + packet
        let (samples, error) = Samples.read(Array(octets))
        #expect(error == nil)
        #expect(samples.map(\.adapter) == [0, 0, 0, 0, 1])
        #expect(samples.last?.octets == "030c00")
    }

    @Test(arguments: USBWriter.Form.allCases)
    func `a cut packet keeps its original length`(_ form: USBWriter.Form) throws {
        var writer = USBWriter(form)
        writer.packet(Samples.session[0])
        writer.snapLength = form.isUSBPcap ? 27 + 6 : form.isMapped ? 64 + 6 : 48 + 6
        for sample in Samples.session.dropFirst(2) { writer.packet(sample) }
        let (samples, error) = Samples.read(writer.octets)
        #expect(error == nil)
        try #require(samples.count == 3)
        for (sample, whole) in zip(samples, [Samples.session[0]] + Samples.session.dropFirst(2)) {
            #expect(whole.octets.hasPrefix(sample.octets))
            #expect(sample.originalLength == whole.originalLength)
        }
        #expect(samples[2].octets.utf8.count == 12)
    }

    @Test
    func `an event whose end was not captured is cut, and the next one whole`() {
        var writer = USBWriter(.usbmonMapped)
        writer.packet(Samples.session[0])
        let pipe = USBWriter.Pipe(kind: .interrupt, endpoint: 0x81)
        writer.whole(pipe, Samples.hex("3e20 0102"), at: Samples.start)
        writer.packet(Samples.session[1])
        writer.whole(pipe, Samples.hex("0e08 01"), at: Samples.start)
        let (samples, error) = Samples.read(writer.octets)
        #expect(error == nil)
        #expect(samples.map(\.octets) == ["030c00", "3e200102", "0e0401030c00", "0e0801"])
        #expect(samples.map(\.originalLength) == [3, 34, 6, 10])
    }

    @Test
    func `data of a failed transfer did not reach the host`() {
        var writer = USBWriter(.usbmonMapped)
        writer.packet(Samples.session[0])
        let pipe = USBWriter.Pipe(kind: .interrupt, endpoint: 0x81)
        writer.transfer(
            pipe, isCompletion: true, Samples.hex(Samples.session[1].octets), at: 0, status: 0xFFFF_FFB5)
        #expect(Samples.read(writer.octets).samples == [Samples.session[0]])
    }

    @Test(arguments: [0, 1, 7, 0xFFFF, 0x7FFF_FFFF, 0xFFFF_FFFF])
    func `a wrong length in the header of a transfer stays in its record`(_ claimed: Int) {
        for form in USBWriter.Form.allCases {
            var writer = USBWriter(form)
            for sample in Samples.session { writer.packet(sample) }
            for pipe in [
                USBWriter.Pipe(kind: .bulk, endpoint: 2), USBWriter.Pipe(kind: .bulk, endpoint: 0x82),
                USBWriter.Pipe(kind: .interrupt, endpoint: 0x81),
                USBWriter.Pipe(kind: .isochronous, endpoint: 0x83),
            ] {
                writer.transfer(
                    pipe, isCompletion: pipe.isToHost, Samples.hex("0201 0304"), at: Samples.start,
                    claimed: claimed, packets: pipe.kind == .isochronous ? [claimed, 4] : [])
            }
            let (samples, error) = Samples.read(writer.octets)
            #expect(error == nil)
            #expect(Array(samples.prefix(4)) == Samples.session)
            #expect(samples.allSatisfy { $0.originalLength <= 70_000 })
        }
    }

    @Test
    func `other devices are counted in a notice, and a capture without an adapter is refused`() throws {
        let octets = USBWriter.capture(of: Samples.session, as: .usbPcap)
        var set = try CaptureSet([CaptureSource(octets: octets, name: "x.pcap")])
        while try set.next() != nil {}
        let notice = try #require(set.passedOver.first)
        #expect(notice.reason.contains("8 USB transfers of other devices"))

        var writer = USBWriter(.usbPcap)
        writer.others(at: Samples.start)
        let (samples, error) = Samples.read(writer.octets)
        #expect(samples.isEmpty)
        guard case .unsupportedDatalink(let what, holds: .other) = error?.cause else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(what.contains("no Bluetooth adapter"))
    }

    @Test
    func `a transfer longer than any HCI packet is skipped`() throws {
        for form in [USBWriter.Form.usbPcap, .usbmonMapped, .usbmonMappedInPcapng] {
            var writer = USBWriter(form)
            writer.packet(Samples.session[0])
            let disk = USBWriter.Pipe(device: 7, kind: .bulk, endpoint: 0x82)
            writer.whole(disk, [UInt8](repeating: 1, count: 3 << 20), at: Samples.start)
            writer.packet(Samples.session[1])
            let octets = writer.octets
            let (samples, error) = Samples.read(octets)
            #expect(error == nil)
            #expect(samples == Array(Samples.session.prefix(2)))
            var reader = try CaptureReader(octets: octets, name: "long")
            while try reader.next() != nil {}
            #expect(reader.tally.totalOctets == octets.count && reader.tally.skippedRecords == 2)
        }
    }

    @Test(arguments: USBWriter.Form.allCases)
    func `a capture cut anywhere gives the records before the cut`(_ form: USBWriter.Form) {
        var writer = USBWriter(form)
        for sample in Samples.session { writer.packet(sample, most: 4) }
        let octets = writer.octets
        var before = 0
        for end in 0..<octets.count {
            _ = CaptureDamageTests.readAny(Array(octets[..<end]))
            let (samples, error) = Samples.read(Array(octets[..<end]))
            // The beginning of an event may be there too, as a cut one.
            let whole = samples.count { $0.octets.utf8.count / 2 == $0.originalLength }
            #expect(whole >= before && samples.count <= whole + 1)
            #expect(Array(samples.prefix(whole)) == Array(Samples.session.prefix(whole)))
            let isClear = error == nil || error?.cause == .truncated || error?.cause == .notACapture
            #expect(isClear || samples.isEmpty && error?.reason.contains("no Bluetooth adapter") == true)
            before = whole
        }
    }

    @Test(arguments: USBWriter.Form.allCases)
    func `bytes changed at random give a clear end`(_ form: USBWriter.Form) {
        let whole = USBWriter.capture(of: Samples.session + Samples.session, as: form, most: 4)
        var random = SeededRandom(seed: UInt64(form.linkType))
        for _ in 0..<400 {
            var octets = whole
            for _ in 0..<(1 + random.next() % 12) {
                let place = Int(random.next() % UInt64(octets.count))
                switch random.next() % 3 {
                case 0: octets[place] = [0, 0x7F, 0x80, 0xFF][Int(random.next() % 4)]
                case 1: octets[place] ^= 1 << UInt8(random.next() % 8)
                default: octets[place] = UInt8(truncatingIfNeeded: random.next())
                }
            }
            CaptureFileFuzz.run(octets)
            _ = CaptureDamageTests.readAny(octets)
        }
    }

    @Test(arguments: USBWriter.Form.allCases)
    func `after damage the next whole transfers are read`(_ form: USBWriter.Form) {
        var writer = USBWriter(form)
        writer.packet(Samples.session[0])
        let damage = writer.octets.count
        for _ in 0..<3 { for sample in Samples.session { writer.packet(sample) } }
        var octets = writer.octets
        octets.replaceSubrange(damage..<damage + 16, with: [UInt8](repeating: 0xFF, count: 16))
        let (samples, error) = Samples.read(octets)
        #expect(error?.isPassed == true)
        #expect(samples.count >= 12)
    }
}

/// tshark as the judge of the USB captures that the tests write.
@Suite struct USBJudgeTests {
    static let tshark = ["/usr/bin/tshark", "/usr/local/bin/tshark"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    @Test(
        .judge, .enabled(if: tshark != nil, "tshark is not installed"),
        arguments: USBWriter.Form.allCases.filter { $0 != .usbmonBigEndian })
    func `tshark finds the same HCI packets in the transfers`(_ form: USBWriter.Form) throws {
        let session = try Samples.recorded()
        let octets = USBWriter.capture(of: session, as: form, most: form.isUSBPcap ? 1024 : 16)
        let folder = try PackingFolder(["usb.pcap": octets])
        let tshark = try #require(Self.tshark)
        let run = try ProgramRun(
            tshark,
            [
                "-r", folder.path("usb.pcap"), "-Y", "bthci_cmd || bthci_evt || bthci_acl", "-T", "fields",
                "-E", "separator= ", "-e", "frame.number", "-e", "bthci_cmd.opcode", "-e", "bthci_evt.code",
                "-e", "bthci_acl.length",
            ])
        var expected = ""
        var reader = try CaptureReader(octets: octets, name: "usb")
        while let record = try reader.next() {
            let octets = record.octets.copied()
            func two(_ place: Int) -> Int { Int(octets[place]) | Int(octets[place + 1]) << 8 }
            func hex(_ value: Int, _ digits: Int) -> String {
                let text = String(value, radix: 16)
                return "0x" + String(repeating: "0", count: digits - text.utf8.count) + text
            }
            let number = record.header.number
            switch record.header.kind {
            case .command: expected += "\(number) \(hex(two(0), 4))  \n"
            case .event: expected += "\(number)  \(hex(Int(octets[0]), 2)) \n"
            default: expected += "\(number)   \(two(2))\n"
            }
        }
        #expect(run.text == expected)
    }
}
