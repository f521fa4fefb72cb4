import PayloadFormat
import WireBytes

extension Dialect {
    /// Returns the values that carry a message, each of at most `valueOctets` bytes.
    ///
    /// Throws if the message is longer or takes more fragments than the dialect allows, or if a value has no
    /// room beyond the header.
    public func values(
        of message: [UInt8], id: UInt64, valueOctets: Int
    ) throws(UQDKEncodeError) -> [[UInt8]] {
        guard message.count <= limits.messageOctets else { throw .messageTooLong(message.count) }
        let room = min(valueOctets, limits.valueOctets)
        guard let fragments else {
            guard message.count <= room else { throw .messageTooLong(message.count) }
            return [message]
        }
        guard let values = fragments.format.cut(message, id: id, valueOctets: room) else {
            // If a fragment has room, the number of fragments exceeds the header's index.
            throw room > fragments.format.header.width ? .messageTooLong(message.count) : .noRoom(room)
        }
        guard values.count <= limits.fragments else { throw .messageTooLong(message.count) }
        return values
    }

    /// The limits of reassembly.
    public var reassemblyLimits: ReassemblyLimits {
        var bounds = ReassemblyLimits()
        bounds.octets = limits.messageOctets
        bounds.fragments = limits.fragments
        bounds.timeout = limits.reassembly &* 1_000_000
        return bounds
    }
}
