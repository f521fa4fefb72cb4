/// The battery exchange of the band named MI: the command `1B 99 01`, the answer `56 7B tenths sum`.
public struct BandBattery: Hashable, Sendable {
    /// The command, written to FF02.
    public static let command: [UInt8] = [0x1B, 0x99, 0x01]
    /// The bytes that an answer starts with.
    public static let header: [UInt8] = [0x56, 0x7B]

    /// The reason why bytes are not a valid answer; checked in this order.
    public enum Problem: Error, Hashable, Sendable {
        /// The number of bytes is not four.
        case length(Int)
        /// The sum of all bytes is not 0 modulo 256.
        case checksum(found: UInt8, expected: UInt8)
        /// The answer starts with other bytes.
        case header
        /// The level is not 0 to 10 tenths.
        case level(UInt8)
    }

    /// The level in tenths: 0 to 10.
    public let tenths: UInt8

    /// The level in percent.
    public var percent: Int { Int(tenths) * 10 }

    /// Creates an answer with a level of 0 to 10 tenths; nil for any other level.
    public init?(tenths: UInt8) {
        guard tenths <= 10 else { return nil }
        self.tenths = tenths
    }

    /// Reads an answer: checksum first, then header, then value.
    public init(_ octets: [UInt8]) throws(Problem) {
        guard octets.count == 4 else { throw .length(octets.count) }
        let expected = Self.checksum(octets.dropLast())
        guard octets[3] == expected else { throw .checksum(found: octets[3], expected: expected) }
        guard octets.starts(with: Self.header) else { throw .header }
        guard octets[2] <= 10 else { throw .level(octets[2]) }
        tenths = octets[2]
    }

    /// The four bytes of the answer.
    public var octets: [UInt8] {
        let start = Self.header + [tenths]
        return start + [Self.checksum(start[...])]
    }

    /// Returns the byte that makes the sum of all bytes 0 modulo 256.
    public static func checksum(_ octets: ArraySlice<UInt8>) -> UInt8 {
        octets.reduce(0) { $0 &- $1 }
    }
}

extension BandBattery.Problem: CustomStringConvertible {
    public var description: String {
        switch self {
        case .length(let length): "\(length) bytes instead of 4"
        case .checksum(let found, let expected): "checksum \(found) instead of \(expected)"
        case .header: "an unknown beginning"
        case .level(let level): "a level of \(level) tenths"
        }
    }
}
