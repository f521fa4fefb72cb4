// Continues after damage at the next place where two consecutive records fit.

/// A possible record at a place where none is known to begin.
struct FittingRecord {
    /// Length in bytes, including the header.
    var length: Int
    /// Its time; nil if the format's own checks suffice.
    var time: CaptureTime?
}

extension CaptureFormat {
    func fittingRecord(_ window: borrowing InputWindow, at place: Int) -> FittingRecord? { nil }
}

extension Btsnoop {
    func fittingRecord(_ window: borrowing InputWindow, at place: Int) -> FittingRecord? {
        let original = window.u32(at: place, .mostSignificantFirst)
        let included = window.u32(at: place &+ 4, .mostSignificantFirst)
        let flags = window.u32(at: place &+ 8, .mostSignificantFirst)
        guard included > 0, included <= original, original <= DamageGap.longestOriginal else { return nil }
        switch datalink {
        case .h1: if flags > 3 { return nil }
        case .h4:
            let type = window.u8(at: place &+ Self.recordHeaderLength)
            if flags > 3 || type == 0 || type > 5 { return nil }
        case .monitor: if flags & 0xFFFF > DamageGap.lastMonitorOpcode { return nil }
        }
        let time = Int64(bitPattern: window.u64(at: place &+ 16, .mostSignificantFirst))
        return FittingRecord(
            length: Self.recordHeaderLength &+ Int(included),
            time: CaptureTime(microseconds: time &- Self.epochMicroseconds))
    }
}

extension Pcap {
    func fittingRecord(_ window: borrowing InputWindow, at place: Int) -> FittingRecord? {
        let fraction = Int64(window.u32(at: place &+ 4, order)) &* fractionNanoseconds
        let included = Int(window.u32(at: place &+ 8, order))
        let original = window.u32(at: place &+ 12, order)
        guard included > 0, included <= original, original <= DamageGap.longestOriginal,
            fraction < 1_000_000_000
        else { return nil }
        let data = place &+ Self.recordHeaderLength
        switch linkType {
        case .h4: guard (1...5).contains(window.u8(at: data)) else { return nil }
        case .h4WithDirection:
            guard included > 4, window.u32(at: data, .mostSignificantFirst) <= 1,
                (1...5).contains(window.u8(at: data &+ 4))
            else { return nil }
        case .monitor:
            guard included >= 4,
                window.u32(at: data, .mostSignificantFirst) & 0xFFFF <= DamageGap.lastMonitorOpcode
            else { return nil }
        // Access address, header and check sequence; a packet on the air is short.
        case .nordicUser, .perPacket, .air, .airWithRadio, .nordic:
            guard (9...400).contains(included), original == included else { return nil }
        case .usbmon, .usbmonMapped:
            // Submitted, completed or failed; and the kind.
            guard included >= 48, [0x53, 0x43, 0x45].contains(window.u8(at: data &+ 8)),
                window.u8(at: data &+ 9) <= 3
            else { return nil }
        case .usbPcap:
            let length = Int(window.u16(at: data, .leastSignificantFirst))
            guard length >= 27, length <= included, window.u8(at: data &+ 16) <= 1 else { return nil }
        }
        let seconds = Int64(window.u32(at: place, order))
        return FittingRecord(
            length: Self.recordHeaderLength &+ included,
            time: CaptureTime(nanoseconds: seconds &* 1_000_000_000 &+ fraction))
    }
}

extension Pcapng {
    /// Checks that the block states the same length at both ends.
    func fittingRecord(_ window: borrowing InputWindow, at place: Int) -> FittingRecord? {
        let type = window.u32(at: place, order)
        let isSection = window.u32(at: place, .mostSignificantFirst) == 0x0A0D_0D0A
        guard isSection || (1...6).contains(type) else { return nil }
        let length = Int(window.u32(at: place &+ 4, order))
        guard length >= 12, length & 3 == 0, length <= DamageGap.longestRecord,
            window.available &- place >= length, Int(window.u32(at: place &+ length &- 4, order)) == length,
            type != 6 || hasInterface(window.u32(at: place &+ 8, order))
        else { return nil }
        return FittingRecord(length: length)
    }
}

/// Finds the next whole record after damage.
enum DamageGap {
    /// The largest length of a packet and its prefix, in bytes.
    static let longestOriginal: UInt32 = 68 << 10
    static let longestRecord = 69 << 10
    static let lastMonitorOpcode: UInt32 = 19
    /// Bytes searched at a time; the window has room for two records after them.
    private static let step = 64 << 10
    private static let reach = step + 2 * longestRecord
    /// Largest time differences: from the last record before the damage to the first after it, and between
    /// two consecutive records.
    private static let farthest: Int64 = 400 * 86_400_000_000_000
    private static let longestPause: Int64 = 86_400_000_000_000

    /// Discards at least one byte, up to a record that fits and is followed by another one; returns false if
    /// the input ends first. The work per byte is bounded for any input.
    static func skip(
        _ input: inout RecordInput, _ format: any CaptureFormat, after last: CaptureTime?
    ) -> Bool {
        var first = 1
        while true {
            let isEnd = !input.window.holds(reach)
            let end = isEnd ? input.window.available : step
            var place = min(first, end)
            while place < end {
                if fits(input.window, format, at: place, after: last) {
                    input.giveUp(place)
                    return true
                }
                place &+= 1
            }
            input.giveUp(end)
            first = 0
            if isEnd { return false }
        }
    }

    private static func fits(
        _ window: borrowing InputWindow, _ format: any CaptureFormat, at place: Int, after last: CaptureTime?
    ) -> Bool {
        guard let one = format.fittingRecord(window, at: place) else { return false }
        let next = place &+ one.length
        guard let other = format.fittingRecord(window, at: next), window.available &- next >= other.length
        else { return false }
        guard let time = one.time, let after = other.time else { return true }
        return isNear(time, after, longestPause) && last.map { isNear($0, time, farthest) } ?? true
    }

    private static func isNear(_ one: CaptureTime, _ other: CaptureTime, _ limit: Int64) -> Bool {
        let (difference, isFar) = other.nanoseconds.subtractingReportingOverflow(one.nanoseconds)
        return !isFar && difference.magnitude <= limit.magnitude
    }
}
