package import BluetoothCore

/// Cuts a stream of bytes into HCI packets.
///
/// Source: Core Specification, Vol 4, Part A, 2 (packet types), and Part E, 5.4 (lengths).
package struct H4Splitter {
    /// A byte that begins no packet: where the next packet begins can't be known any more.
    package struct Unknown: Error, Equatable, CustomStringConvertible {
        /// The byte.
        package var type: UInt8
        /// Its offset in the stream.
        package var offset: Int

        package var description: String {
            "byte \(offset) of the stream, 0x\(String(type, radix: 16)), begins no packet"
        }
    }

    private(set) var bytes: [UInt8] = []
    private var taken = 0
    /// Number of bytes of the stream before `bytes`.
    private var passed = 0

    package init() {}

    /// Whether the stream may end here.
    package var isBetweenPackets: Bool { taken == bytes.count }

    package mutating func append(_ more: some Sequence<UInt8>) {
        // Keep only the unfinished packet.
        passed += taken
        bytes.removeFirst(taken)
        taken = 0
        bytes.append(contentsOf: more)
    }

    /// Returns the next complete packet; nil if its end has not arrived.
    package mutating func next() throws(Unknown) -> HCIPacket? {
        guard taken < bytes.count else { return nil }
        let type = HCIPacketType(rawValue: bytes[taken])
        guard let header = Self.header(type) else {
            throw Unknown(type: type.rawValue, offset: passed + taken)
        }
        let body = taken + 1 + header.size
        guard bytes.count >= body else { return nil }
        let low = Int(bytes[taken + 1 + header.length])
        let length: Int
        switch type {
        case .acl: length = low | Int(bytes[taken + 2 + header.length]) << 8
        case .iso: length = low | Int(bytes[taken + 2 + header.length] & 0x3F) << 8
        default: length = low
        }
        guard bytes.count >= body + length else { return nil }
        defer { taken = body + length }
        return HCIPacket(type, Array(bytes[taken + 1..<body + length]))
    }

    /// Returns the size of a header, and the position of the length in it.
    private static func header(_ type: HCIPacketType) -> (size: Int, length: Int)? {
        switch type {
        case .command, .synchronous: (3, 2)
        case .acl, .iso: (4, 2)
        case .event: (2, 1)
        default: nil
        }
    }
}
