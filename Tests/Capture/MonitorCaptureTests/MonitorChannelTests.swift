import CaptureFile
import Foundation
import Testing

@testable import MonitorCapture

@Suite struct MonitorChannelTests {
    private static func word(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// A pcap file of link type 254 whose records have these lengths, link header included.
    private static func file(_ lengths: [Int]) -> Data {
        var octets = word(0xA1B2_C3D4) + word(0x0004_0002) + word(0) + word(0) + word(262_144) + word(254)
        for (index, length) in lengths.enumerated() {
            octets += word(1_700_000_000 + index) + word(7) + word(length) + word(length)
            octets += ([0, 1, 0, 3] + [UInt8](repeating: 0x5A, count: max(0, length - 4))).prefix(length)
        }
        return Data(octets)
    }

    @Test func `Records of a length that can't be are left out and counted, and the next one comes`() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        // Link header, and 65,535 octets at most.
        try Self.file([4, 3, 10, 0, 4 + 65_535, 4 + 65_536, 200_000, 7]).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        var channel = try MonitorChannel(file: url.path)
        var lengths: [Int] = []
        let ended = #expect(throws: MonitorError.self) {
            while let record = try channel.next() {
                #expect(record.header.adapter == 1)
                lengths.append(record.octets.byteCount)
            }
        }
        // libpcap has nothing to say about a file's end.
        #expect(ended == .library(""))
        #expect(lengths == [0, 6, 65_535, 3])
        let leftOut = channel.leftOut
        #expect(leftOut == 4)
        let records = channel.records
        #expect(records == 4)
    }
}
