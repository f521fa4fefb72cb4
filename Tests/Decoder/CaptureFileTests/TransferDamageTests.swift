import Testing

@testable import CaptureFile

/// Captures whose bytes a copy as text has changed.
@Suite struct TransferDamageTests {
    private static func changed(_ log: [UInt8], _ damage: TransferDamage) -> [UInt8] {
        log.flatMap { octet -> [UInt8] in
            switch damage {
            case .lines: octet == 0x0A ? [0x0D, 0x0A] : [octet]
            case .latin1: octet < 0x80 ? [octet] : [0xC0 | octet >> 6, 0x80 | octet & 0x3F]
            }
        }
    }

    /// A zstd file of stored blocks.
    private static func zstd(_ log: [UInt8]) -> [UInt8] {
        var packed: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0, 0x50]
        for start in stride(from: 0, to: log.count, by: 30_000) {
            let block = log[start..<min(start + 30_000, log.count)]
            let header = block.count << 3 | (block.endIndex == log.count ? 1 : 0)
            packed += [UInt8(header & 0xFF), UInt8(header >> 8 & 0xFF), UInt8(header >> 16)] + block
        }
        return packed
    }

    /// Reads a file: its records, and the notice at its end.
    private static func read(_ octets: [UInt8]) throws -> (samples: [Sample], notice: String?) {
        let file = try CapturePackedTests.TemporaryFile(octets)
        var samples: [Sample] = []
        do throws(CaptureFileError) {
            var reader = try CaptureReader(path: file.path)
            while let record = try reader.next() { samples.append(Sample(record)) }
            return (samples, nil)
        } catch {
            guard case .restored = error.cause else { throw error }
            return (samples, error.reason)
        }
    }

    @Test(arguments: [CaptureWriter.Format.btsnoop, .pcap, .pcapng], [TransferDamage.lines, .latin1])
    func `every record of a capture that was copied as text is read`(
        _ format: CaptureWriter.Format, _ damage: TransferDamage
    ) throws {
        for seed in 1...4 {
            let records = CaptureWriterTests.records(seed: UInt64(seed), count: 3000)
            var log = try CaptureWriterTests.write(records, as: format).octets
            // The last byte may look like the first of a pair.
            if seed == 4, format == .btsnoop { log[log.count - 1] = damage == .lines ? 0x0D : 0xC2 }
            let whole = try Self.read(log)
            let (samples, notice) = try Self.read(Self.changed(log, damage))
            #expect(samples.count > 1000 && samples == whole.samples && whole.notice == nil)
            #expect(notice == "changed by \(damage.rawValue); that is undone here")
            let packed = try Self.read(Self.zstd(Self.changed(log, damage)))
            #expect(packed.samples == whole.samples && packed.notice == notice)
        }
    }

    @Test(arguments: CaptureWriter.Format.allCases)
    func `a capture that lost its bytes from 80 on is said to have been saved as text`(
        _ format: CaptureWriter.Format
    ) throws {
        let records = CaptureWriterTests.records(seed: 1, count: 300)
        let log = try CaptureWriterTests.write(records, as: format).octets
        let lost = Array(String(decoding: log, as: UTF8.self).utf8)
        let error = #expect(throws: CaptureFileError.self) { try Self.read(lost) }
        #expect(error?.reason.contains("saved or sent as text") == true, "\(error?.reason ?? "read")")
    }

    @Test func `a log of text lines, or of bytes that look like text, is read as it is`() throws {
        for value: [UInt8] in [Array("OK\r\n".utf8), Array("Tür".utf8)] {
            var log = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x03, 0xEA]
            for index in 0..<300 {
                let packet: [UInt8] = [4, 0xFF, UInt8(value.count)] + value
                log += [0, 0, 0, UInt8(packet.count), 0, 0, 0, UInt8(packet.count), 0, 0, 0, 1, 0, 0, 0, 0]
                log += [0, 0x62, 0x4F, 0x62, UInt8(0x10 + index % 64), 0, 0, 0] + packet
            }
            let (samples, notice) = try Self.read(log)
            #expect(samples.count == 300 && notice == nil)
        }
    }
}
