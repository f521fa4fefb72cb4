import BluetoothCore
import Testing

@testable import Adapters

@Suite struct H4SplitterTests {
    static let packets = [
        HCIPacket(.command, [0x03, 0x0C, 0]), HCIPacket(.event, [0x0E, 4, 1, 3, 12, 0]),
        HCIPacket(.acl, [1, 0x20, 3, 0, 7, 8, 9]), HCIPacket(.synchronous, [1, 0, 2, 5, 6]),
        HCIPacket(.iso, [1, 0, 2, 0xC0, 5, 6]),
        HCIPacket(.acl, [1, 0x20, 0, 1] + Array(repeating: 5, count: 256)),
    ]

    static func split(_ parts: [[UInt8]]) throws -> [HCIPacket] {
        var splitter = H4Splitter()
        var found: [HCIPacket] = []
        for part in parts {
            splitter.append(part)
            while let packet = try splitter.next() { found.append(packet) }
        }
        return found
    }

    @Test func `packets come out whole however the stream is cut`() throws {
        let stream = Self.packets.flatMap(\.h4)
        #expect(try Self.split([stream]) == Self.packets)
        #expect(try Self.split(stream.map { [$0] }) == Self.packets)
        for size in 2...stream.count {
            let parts = stride(from: 0, to: stream.count, by: size).map {
                Array(stream[$0..<min($0 + size, stream.count)])
            }
            #expect(try Self.split(parts) == Self.packets)
        }
    }

    @Test func `a byte that begins no packet is named with its place`() throws {
        var splitter = H4Splitter()
        splitter.append(Self.packets[0].h4 + [0x77, 1, 2])
        #expect(try splitter.next() == Self.packets[0])
        #expect(throws: H4Splitter.Unknown(type: 0x77, offset: 4)) { try splitter.next() }
    }

    @Test func `reads that always end inside a packet do not grow the buffer`() throws {
        var splitter = H4Splitter()
        let packet = Self.packets[1].h4
        splitter.append(packet.prefix(4))
        for _ in 0..<1000 {
            splitter.append(packet.dropFirst(4) + packet.prefix(4))
            while let next = try splitter.next() { #expect(next == Self.packets[1]) }
        }
        #expect(splitter.bytes.count <= 2 * packet.count)
    }

    @Test func `the stream may end only between packets`() throws {
        var splitter = H4Splitter()
        #expect(splitter.isBetweenPackets)
        splitter.append(Self.packets[1].h4.dropLast())
        #expect(try splitter.next() == nil)
        #expect(!splitter.isBetweenPackets)
        splitter.append([0])
        #expect(try splitter.next() != nil)
        #expect(splitter.isBetweenPackets)
    }
}
