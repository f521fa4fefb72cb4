public import WireBytes

/// One fragment of a message: the value of one write or notification.
public struct Fragment: Hashable, Sendable {
    /// The id of the message.
    public var messageID: UInt64
    /// Its number within the message, from 0 whatever the format starts at.
    public var index: Int
    /// Whether the message ends with it, where the header says so.
    public var isLast: Bool
    /// How many fragments the message has, where the header says so.
    public var count: Int?
    /// Its part of the message.
    public var slice: ArraySlice<UInt8>

    /// Reads a fragment; nil where the value is shorter than the header or the header breaks its rules.
    public init?(_ value: [UInt8], _ format: FragmentFormat) {
        guard let header = format.header.read(value[...]), header.wrong.isEmpty else { return nil }
        let raw = header[.index] ?? format.firstIndex
        guard raw >= format.firstIndex, let index = Int(exactly: raw - format.firstIndex) else { return nil }
        messageID = header[.messageID] ?? 0
        self.index = index
        count = header[.count].flatMap { Int(exactly: $0) }
        if let last = header[.last] {
            isLast = last == 1
        } else if let more = header[.more] {
            isLast = more == 0
        } else {
            isLast = count.map { index + 1 >= $0 } ?? true
        }
        slice = value[format.header.width...]
    }

    /// The values in which a message travels: fragments of at most `valueOctets` octets each.
    ///
    /// Throws where the message is longer or takes more fragments than the dialect allows, or where a value
    /// has no room for more than the header.
    public static func values(
        of message: [UInt8], id: UInt64, valueOctets: Int, _ dialect: Dialect
    ) throws(UQDKEncodeError) -> [[UInt8]] {
        let limits = dialect.limits
        guard message.count <= limits.messageOctets else { throw .messageTooLong(message.count) }
        let room = min(valueOctets, limits.valueOctets)
        guard let format = dialect.fragments else {
            guard message.count <= room else { throw .messageTooLong(message.count) }
            return [message]
        }
        let slice = room - format.header.width
        guard slice > 0 else { throw .noRoom(room) }
        let count = max(1, (message.count + slice - 1) / slice)
        guard count <= limits.fragments else { throw .messageTooLong(message.count) }
        return (0..<count).map { index in
            var header = HeaderValues()
            header[.messageID] = id
            header[.index] = format.firstIndex + UInt64(index)
            header[.last] = index == count - 1 ? 1 : 0
            header[.more] = index == count - 1 ? 0 : 1
            header[.count] = UInt64(count)
            let start = index * slice
            return format.header.write(header) + message[start..<min(start + slice, message.count)]
        }
    }
}

/// Why a message can't be sent.
public enum UQDKEncodeError: Error, Hashable, Sendable {
    /// The message has more octets than the dialect or the fragments' number allows.
    case messageTooLong(Int)
    /// An ATT value of this many octets has no room for a fragment.
    case noRoom(Int)
    /// The dialect has no such command.
    case unknownCommand(String)
    /// The body lacks a field, or a value does not fit its field.
    case body(LayoutError)
    /// The dialect's formula needs a value that is not known.
    case missingVariable(String)
    /// The counter of this direction is used up: the session has ended.
    case counterUsedUp
    /// The dialect secures nothing.
    case notSecured
    /// The cryptographic library refused.
    case cryptography
}

extension Fragment {
    /// The only fragment of a message in a dialect without fragments.
    init(messageID: UInt64, slice: ArraySlice<UInt8>) {
        self.messageID = messageID
        index = 0
        isLast = true
        count = 1
        self.slice = slice
    }
}
