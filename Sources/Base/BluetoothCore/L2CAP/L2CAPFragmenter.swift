import WireBytes

/// Cuts an L2CAP PDU into ACL data that fits the controller's buffers.
///
/// Source: Core Specification, Vol 3, Part A, 7.2.1; Vol 4, Part E, 5.4.2.
public struct L2CAPFragmenter: Sendable {
    /// The content of one ACL packet.
    public struct Fragment: Hashable, Sendable {
        /// Whether the fragment continues the PDU of an earlier fragment.
        public var isContinuation: Bool
        /// The ACL packet's data.
        public var octets: [UInt8]

        public init(isContinuation: Bool, octets: [UInt8]) {
            self.isContinuation = isContinuation
            self.octets = octets
        }
    }

    private let octets: [UInt8]
    private let limit: Int
    private var position = 0

    /// Cuts `information`, sent on `channel`, into fragments of at most `limit` bytes; nil if it is too long
    /// for the length field.
    ///
    /// LE controllers have a limit of at least 27; a limit below one counts as one.
    public init?(_ information: [UInt8], channel: L2CAPChannelID, limit: Int) {
        guard let length = UInt16(exactly: information.count) else { return nil }
        var writer = ByteWriter(capacity: information.count + L2CAPHeader.size)
        L2CAPHeader(length: length, channel: channel).encode(into: &writer)
        writer.bytes(information)
        octets = writer.octets
        self.limit = max(1, limit)
    }

    /// Returns the next fragment; nil after the last.
    public mutating func next() -> Fragment? {
        guard position < octets.count else { return nil }
        let end = min(position + limit, octets.count)
        defer { position = end }
        return Fragment(isContinuation: position > 0, octets: Array(octets[position..<end]))
    }

    /// Returns all fragments of a PDU in order; empty if it is too long for L2CAP.
    public static func fragments(
        _ information: [UInt8], channel: L2CAPChannelID, limit: Int
    ) -> [Fragment] {
        guard var fragmenter = Self(information, channel: channel, limit: limit) else { return [] }
        var all: [Fragment] = []
        while let fragment = fragmenter.next() { all.append(fragment) }
        return all
    }
}
