import Glibc

/// Checks the length of the directory at the end of a zip, because libarchive keeps all of it in memory.
enum ZipDirectory {
    /// The longest directory that is read, in bytes; a directory of a hundred thousand files is shorter.
    static let mostOctets = 8 << 20
    private static let endRecordLength = 22
    private static let longestComment = 0xFFFF
    private static let locatorLength = 20
    private static let largeEndRecordLength = 56
    private static let unknown = 0xFFFF_FFFF

    /// Whether the directory that libarchive would keep exceeds the limit.
    ///
    /// Only the last end record counts, since earlier ones may belong to zips inside this one. By the plain
    /// end record, the directory is directly before it, even in a file with bytes in front; by the Zip64 end
    /// record, the directory extends from its offset to the last entry.
    static func isTooLong(in descriptor: Int32) -> Bool {
        let start = lseek(descriptor, 0, SEEK_CUR)
        defer { lseek(descriptor, start, SEEK_SET) }
        let size = Int(lseek(descriptor, 0, SEEK_END))
        let tail = octets(
            descriptor, from: max(0, size - endRecordLength - longestComment - locatorLength), to: size)
        guard tail.count >= endRecordLength,
            let place = (0...(tail.count - endRecordLength)).last(where: {
                isSigned(tail, at: $0, 0x05, 0x06)
            })
        else { return false }
        let end = size - tail.count + place
        let large = largeBegin(descriptor, size: size, tail, at: place - locatorLength)
        if let large, large < end, end - large > mostOctets { return true }
        let length = value(tail, at: place + 12, count: 4)
        let begin = value(tail, at: place + 16, count: 4)
        // All ones mean that the Zip64 record has the value.
        if large != nil, length == unknown || begin == unknown { return false }
        // A directory that would not end before its record is not read.
        return length > mostOctets && begin + length <= end
    }

    /// Offset of the directory from the Zip64 end record, whose locator is at `place`; nil if absent
    /// that libarchive accepts.
    private static func largeBegin(
        _ descriptor: Int32, size: Int, _ tail: [UInt8], at place: Int
    ) -> Int? {
        guard place >= 0, isSigned(tail, at: place, 0x06, 0x07), value(tail, at: place + 4, count: 4) == 0,
            value(tail, at: place + 16, count: 4) == 1
        else { return nil }
        let start = value(tail, at: place + 8, count: 8)
        let record = octets(descriptor, from: start, to: start + largeEndRecordLength)
        guard record.count == largeEndRecordLength else { return nil }
        let length = value(record, at: 4, count: 8) + 12
        guard length >= largeEndRecordLength, start + length <= size else { return nil }
        return value(record, at: 48, count: 8)
    }

    private static func isSigned(_ octets: [UInt8], at place: Int, _ third: UInt8, _ fourth: UInt8) -> Bool {
        octets[place..<place + 4].elementsEqual([0x50, 0x4B, third, fourth])
    }

    /// A little-endian number, clamped to a maximum.
    private static func value(_ octets: [UInt8], at place: Int, count: Int) -> Int {
        let bits = octets[place..<place + count].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(min(bits, UInt64(Int32.max) << 16))
    }

    /// The bytes between two places of the file, cut at its end.
    private static func octets(_ descriptor: Int32, from start: Int, to end: Int) -> [UInt8] {
        guard start >= 0, end > start else { return [] }
        var place = start
        // Safe: the kernel writes at most the given count.
        return unsafe [UInt8](atMost: end - start) {
            let got = unsafe pread(descriptor, $0, $1, off_t(place))
            place += max(0, got)
            return max(0, got)
        }
    }
}
