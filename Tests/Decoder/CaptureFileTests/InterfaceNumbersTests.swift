import CaptureFile
import Testing
import WireBytes

/// The interfaces that pcapng gives to adapters.
@Suite struct InterfaceNumbersTests {
    /// The adapters that packets of these have when they are read again, and what was not held.
    static func again(_ adapters: [UInt16]) throws -> (adapters: [UInt16], loss: Int, isMixed: Bool) {
        var writer = try CaptureWriter(collecting: .pcapng)
        for (index, adapter) in adapters.enumerated() {
            var kept = MergedCopiesTests.record(Int64(index), MergedCopiesTests.whole)
            kept.header.adapter = adapter
            try kept.octets.withReader { octets throws(CaptureFileError) in
                try writer.write(Record(kept.header, octets.takeRest()))
            }
        }
        let read = try CaptureWriterTests.read(writer.collected())
        return (read.map(\.header.adapter), writer.loss.adapters, writer.hasMixedAdapters)
    }

    @Test(
        arguments: [
            ([0, 1, 0, 15], [0, 1, 0, 15]),
            ([18, 18], [0, 0]),
            ([0, 18, 1, 18, 0], [0, 1, 2, 1, 0]),
            ([3, 40, 50, 0, 3], [3, 0, 1, 2, 3]),
        ] as [([UInt16], [UInt16])])
    func `an adapter keeps its number where that is free and there is room, or has the lowest free one`(
        _ adapters: [UInt16], _ numbers: [UInt16]
    ) throws {
        let found = try Self.again(adapters)
        #expect(found.adapters == numbers)
        #expect(found.loss == 0 && !found.isMixed)
    }

    @Test
    func `packets of more adapters than there is room for stand as those of the first, and are counted`()
        throws
    {
        let adapters = (0..<18).map { UInt16($0 + 100) }
        let found = try Self.again(adapters)
        #expect(found.adapters == (0..<16).map { UInt16($0) } + [0, 0])
        #expect(found.loss == 2 && found.isMixed)
    }

    @Test
    func `a packet of no adapter is counted, and mixes none`() throws {
        let found = try Self.again([4, 0xFFFF])
        #expect(found.adapters == [4, 0])
        #expect(found.loss == 1 && !found.isMixed)
    }
}
