import WireBytes

/// Cuts an L2CAP PDU into ACL data that fits the controller's buffers.
///
/// Source: Core Specification, Vol 3, Part A, 7.2.1; Vol 4, Part E, 5.4.2.
public struct L2CAPFragmenter: Sendable {
    /// One ACL packet's worth.
    public struct Fragment: Hashable, Sendable {
        /// Whether it goes on with a PDU that an earlier fragment began.
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

    /// Cuts `information`, sent on `channel`, so that no fragment is longer than `limit` bytes (27 is the
    /// smallest an LE controller may have; less than one is taken as one). Nil where the information is
    /// longer than the length field can say.
    public init?(_ information: [UInt8], channel: L2CAPChannelID, limit: Int) {
        guard let length = UInt16(exactly: information.count) else { return nil }
        var writer = ByteWriter(capacity: information.count + L2CAPHeader.size)
        L2CAPHeader(length: length, channel: channel).encode(into: &writer)
        writer.bytes(information)
        octets = writer.octets
        self.limit = max(1, limit)
    }

    /// The next fragment; nil when all have been given.
    public mutating func next() -> Fragment? {
        guard position < octets.count else { return nil }
        let end = min(position + limit, octets.count)
        defer { position = end }
        return Fragment(isContinuation: position > 0, octets: Array(octets[position..<end]))
    }

    /// All fragments of a PDU in order; none if it is too long for L2CAP.
    public static func fragments(
        _ information: [UInt8], channel: L2CAPChannelID, limit: Int
    ) -> [Fragment] {
        guard var fragmenter = Self(information, channel: channel, limit: limit) else { return [] }
        var all: [Fragment] = []
        while let fragment = fragmenter.next() { all.append(fragment) }
        return all
    }
}
