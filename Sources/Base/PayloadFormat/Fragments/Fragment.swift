import WireBytes

/// The header of a fragment.
public struct FragmentFormat: Hashable, Sendable {
    /// Its fields.
    public var header: HeaderFormat
    /// The index of the first fragment.
    public var firstIndex: UInt64

    /// Creates a header format whose indices start at `firstIndex`.
    public init(header: HeaderFormat, firstIndex: UInt64 = 0) {
        self.header = header
        self.firstIndex = firstIndex
    }

    /// Cuts a message into values of at most `valueOctets` bytes, one fragment each.
    ///
    /// Nil if a value has no room beyond the header, or if the fragments' numbers do not fit it.
    public func cut(_ message: [UInt8], id: UInt64, valueOctets: Int) -> [[UInt8]]? {
        let slice = valueOctets - header.width
        guard slice > 0 else { return nil }
        let count = max(1, (message.count + slice - 1) / slice)
        let last = firstIndex + UInt64(count - 1)
        if let field = header.field(.index), last & ~HeaderFormat.mask(field.bits) != 0 { return nil }
        if let field = header.field(.count), UInt64(count) & ~HeaderFormat.mask(field.bits) != 0 {
            return nil
        }
        return (0..<count).map { index in
            var values = HeaderValues()
            values[.messageID] = id
            values[.index] = firstIndex + UInt64(index)
            values[.last] = index == count - 1 ? 1 : 0
            values[.more] = index == count - 1 ? 0 : 1
            values[.count] = UInt64(count)
            let start = index * slice
            return header.write(values) + message[start..<min(start + slice, message.count)]
        }
    }
}

/// The decoded header of a fragment, which is the value of one write or notification.
public struct FragmentHeader: Hashable, Sendable {
    /// The id of the message.
    public var messageID: UInt64
    /// Its number within the message, from 0 even if the format starts elsewhere.
    public var index: Int
    /// Whether it is the last fragment of the message.
    public var isLast: Bool
    /// The message's number of fragments, if the header has it.
    public var count: Int?

    /// Decodes a fragment's header; nil if the value is shorter than the header or breaks its rules.
    public init?(_ value: RawSpan, _ format: borrowing FragmentFormat) {
        guard value.byteCount >= format.header.width else { return nil }
        guard !format.header.hasWrongFields(in: value) else { return nil }
        let first = format.firstIndex
        let raw = format.header.value(of: .index, in: value) ?? first
        // Indices are shown counted from 1, so the largest integer must not occur.
        guard raw >= first, let index = Int(exactly: raw - first), index < .max
        else { return nil }
        messageID = format.header.value(of: .messageID, in: value) ?? 0
        self.index = index
        count = format.header.value(of: .count, in: value).flatMap { Int(exactly: $0) }
        if let last = format.header.value(of: .last, in: value) {
            isLast = last == 1
        } else if let more = format.header.value(of: .more, in: value) {
            isLast = more == 0
        } else {
            // A fragment numbered near the largest integer is never a last one.
            isLast = count.map { index >= $0 - 1 } ?? true
        }
    }
}

/// The fate of a fragment.
public enum FragmentFate: String, Hashable, Sendable {
    /// More fragments must follow.
    case open
    /// The message is complete.
    case complete
    /// A repetition with the same bytes; ignored.
    case repeated
    /// Its message has already failed; ignored.
    case dropped
    /// This fragment made its message fail.
    case failed
}

/// One fragment of a message that owns its bytes, for callers that keep fragments.
public struct Fragment: Hashable, Sendable {
    /// Its decoded header.
    public var header: FragmentHeader
    /// Its part of the message.
    public var slice: ArraySlice<UInt8>

    /// The id of the message.
    public var messageID: UInt64 { header.messageID }
    /// Its number within the message, from 0 even if the format starts elsewhere.
    public var index: Int { header.index }

    /// Decodes a fragment; nil if the value is shorter than the header or the header breaks its rules.
    public init?(_ value: [UInt8], _ format: borrowing FragmentFormat) {
        guard let header = FragmentHeader(value.borrowedOctets, format) else { return nil }
        self.header = header
        slice = value[format.header.width...]
    }
}
