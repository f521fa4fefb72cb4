import Testing

@testable import CaptureFile

/// Records of one time are told apart without comparing each with all.
@Suite struct DuplicateFilterTests {
    /// A record of a file, all of one time and length.
    private func admits(_ filter: inout DuplicateFilter, file: UInt16, _ octets: [UInt8]) -> Bool {
        var header = RecordHeader(
            number: 1, fileOffset: 0, time: CaptureTime(nanoseconds: 0), adapter: 0, kind: .event,
            direction: .controllerToHost, originalLength: octets.count, capturedLength: octets.count)
        header.file = file
        return unsafe octets.withUnsafeBytes { unsafe filter.admits(header, $0) }
    }

    private func octets(_ file: UInt16, _ number: Int) -> [UInt8] {
        [UInt8](repeating: 0x7A, count: 400) + [UInt8(file), UInt8(number >> 8), UInt8(number & 0xFF)]
    }

    @Test func `octets of records of one time are compared a few times each`() {
        var filter = DuplicateFilter()
        let count = 300
        for file in UInt16(0)..<2 {
            for number in 0..<count { #expect(admits(&filter, file: file, octets(file, number))) }
        }
        #expect(filter.comparisons <= DuplicateFilter.mostByOctets * 2 * count)
        // Those of the second file come once more, of a third.
        let before = filter.comparisons
        for number in (count - 200)..<count { #expect(!admits(&filter, file: 2, octets(1, number))) }
        #expect(filter.comparisons - before <= (DuplicateFilter.mostByOctets + 1) * 200)
        #expect(admits(&filter, file: 2, octets(3, 0)))
    }
}
