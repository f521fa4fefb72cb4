import Glibc

/// The directory at the end of a zip, as far as its length: libarchive keeps all of it in memory.
enum ZipDirectory {
    /// The longest directory that is read. One of a hundred thousand files is shorter.
    static let mostOctets = 8 << 20
    private static let endRecordLength = 22
    private static let longestComment = 0xFFFF
    private static let locatorLength = 20
    private static let largeEndRecordLength = 56

    /// Whether what the end records say of the directory's length is more than is read.
    ///
    /// A damaged or hostile file has several that contradict each other: the longest counts.
    static func isTooLong(in descriptor: Int32) -> Bool {
        let size = Int(lseek(descriptor, 0, SEEK_END))
        let tail = octets(descriptor, max(0, size - endRecordLength - longestComment - locatorLength), size)
        guard tail.count >= endRecordLength else { return false }
        let start = size - tail.count
        for place in 0...(tail.count - endRecordLength) where isSigned(tail, place, 0x05, 0x06) {
            let length = value(tail, place + 12, 4)
            let begin = value(tail, place + 16, 4)
            if isLong(length, begin, end: start + place) && length != 0xFFFF_FFFF { return true }
            let locator = place - locatorLength
            guard locator >= 0, isSigned(tail, locator, 0x06, 0x07) else { continue }
            let large = value(tail, locator + 8, 8)
            let record = octets(descriptor, large, large + largeEndRecordLength)
            guard record.count == largeEndRecordLength, isSigned(record, 0, 0x06, 0x06) else { continue }
            if isLong(value(record, 40, 8), value(record, 48, 8), end: large) { return true }
        }
        return false
    }

    private static func isLong(_ length: Int, _ begin: Int, end: Int) -> Bool {
        length > mostOctets || begin < end && end - begin > mostOctets
    }

    private static func isSigned(_ octets: [UInt8], _ place: Int, _ third: UInt8, _ fourth: UInt8) -> Bool {
        octets[place..<place + 4].elementsEqual([0x50, 0x4B, third, fourth])
    }

    /// A number, least significant octet first, or the largest there is where it is larger.
    private static func value(_ octets: [UInt8], _ place: Int, _ count: Int) -> Int {
        let bits = octets[place..<place + count].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(min(bits, UInt64(Int32.max) << 16))
    }

    /// The octets from one place of the file to another, as far as they are there.
    private static func octets(_ descriptor: Int32, _ start: Int, _ end: Int) -> [UInt8] {
        guard start >= 0, end > start else { return [] }
        var place = start
        // Safe: the kernel writes at most as many octets as there is room for.
        return unsafe [UInt8](atMost: end - start) {
            let got = unsafe pread(descriptor, $0, $1, off_t(place))
            place += max(0, got)
            return max(0, got)
        }
    }
}
