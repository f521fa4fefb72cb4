import CaptureFile
import TestSupport
import Testing
import WireBytes

/// Captures of Texas Instruments' SmartRF Packet Sniffer.
struct PacketSnifferTests {
    private static let advertising: [UInt8] =
        [0xD6, 0xBE, 0x89, 0x8E, 0x40, 9, 1, 2, 3, 4, 5, 0xC6, 2, 1, 6, 0xAA, 0xBB, 0xCC]

    /// A record with a packet, access address and check sequence included.
    private static func record(
        _ packet: [UInt8], number: UInt8 = 1, rounds: UInt8 = 0, ticks: UInt16 = 0, status: UInt8 = 0xA5
    ) -> [UInt8] {
        let length = UInt8(packet.count + 2)
        var octets: [UInt8] = [1, number, 0, 0, 0]
        octets += [UInt8(ticks & 0xFF), UInt8(ticks >> 8), rounds, 0, 0, 0, 0, 0]
        octets += [length + 1, 0, length] + packet + [60, status]
        return octets + [UInt8](repeating: 0, count: 271 - octets.count)
    }

    /// Everything that a reader gives of a record.
    private struct Heard: Equatable {
        var nanoseconds: Int64
        var channel: UInt8
        var flags: RadioHeader.Flags
        var octets: [UInt8]
    }

    private static func read(_ octets: [UInt8]) throws -> [Heard] {
        var reader = try CaptureReader(octets: octets, name: "sniffer.psd")
        #expect(reader.info.format == .packetSniffer && reader.info.content == .air)
        #expect(reader.info.hasRelativeTime && !reader.info.hasDirection)
        var heard: [Heard] = []
        while let record = try reader.next() {
            #expect(record.header.kind == .air && record.header.direction == .unknown)
            heard.append(
                Heard(
                    nanoseconds: record.header.time.nanoseconds, channel: record.header.radio.channel,
                    flags: record.header.radio.flags, octets: record.octets.copied()))
        }
        return heard
    }

    @Test func `a record gives the packet, its time, its channel and whether its check is right`() throws {
        let octets =
            Self.record(Self.advertising)
            + Self.record(Self.advertising, number: 2, rounds: 2, ticks: 4999, status: 0x26)
        #expect(
            try Self.read(octets) == [
                Heard(
                    nanoseconds: 0, channel: 37, flags: [.crcChecked, .crcValid], octets: Self.advertising),
                // 14,999 ticks of 31.25 ns.
                Heard(
                    nanoseconds: 468_718, channel: 38, flags: .crcChecked, octets: Self.advertising),
            ])
    }

    @Test func `a record that is cut is reported`() throws {
        let octets = Self.record(Self.advertising) + Self.record(Self.advertising, number: 2)
        for length in [272, 541] {
            var reader = try CaptureReader(octets: Array(octets[..<length]), name: "sniffer.psd")
            #expect(try reader.next() != nil)
            #expect(throws: CaptureFileError.self) { while try reader.next() != nil {} }
        }
    }

    @Test func `lengths that fit no packet of Bluetooth LE are not this format`() {
        var wrongLength = Self.record(Self.advertising)
        wrongLength[13] += 1
        var withoutCheck = Self.record(Self.advertising)
        withoutCheck[0] = 0
        let picture = Array("8BPS".utf8) + [UInt8](repeating: 0, count: 600)
        for octets in [wrongLength, withoutCheck, picture, Array(Self.record(Self.advertising)[..<270])] {
            // Nothing else may fit either.
            do {
                let reader = try CaptureReader(octets: octets, name: "x.psd")
                #expect(reader.info.format != .packetSniffer)
            } catch {}
        }
    }

    @Test(
        .corpus,
        arguments: [("ti-smartrf-fitbit.psd", 956, 96), ("../corpus-2/ti-smartrf-adv.psd", 27, 0)])
    func `strangers' captures are read to their end`(_ name: String, _ count: Int, _ wrong: Int) throws {
        var reader = try CaptureReader(path: Corpus.path(name))
        var (records, damaged, last) = (0, 0, Int64.min)
        while let record = try reader.next() {
            records += 1
            if !record.header.radio.flags.contains(.crcValid) { damaged += 1 }
            #expect(record.header.time.nanoseconds > last)
            last = record.header.time.nanoseconds
        }
        #expect(records == count && damaged == wrong)
    }
}
