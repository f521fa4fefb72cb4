import PayloadFormat
import WireBytes

extension Dialect {
    /// The values in which a message travels, each of at most `valueOctets` octets.
    ///
    /// Throws where the message is longer or takes more fragments than the dialect allows, or where a value
    /// has no room for more than the header.
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
            // Where a fragment has room, it is their number that the header can't count.
            throw room > fragments.format.header.width ? .messageTooLong(message.count) : .noRoom(room)
        }
        guard values.count <= limits.fragments else { throw .messageTooLong(message.count) }
        return values
    }

    /// The bounds of reassembly.
    public var reassemblyLimits: ReassemblyLimits {
        var bounds = ReassemblyLimits()
        bounds.octets = limits.messageOctets
        bounds.fragments = limits.fragments
        bounds.timeout = limits.reassembly &* 1_000_000
        return bounds
    }
}
