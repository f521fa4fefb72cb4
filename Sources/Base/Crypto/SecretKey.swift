/// Octets that nobody is to see: they compare in constant time, and no text shows them.
public struct SecretKey: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The key itself, most significant octet first.
    public let octets: [UInt8]

    public init(_ octets: [UInt8]) { self.octets = octets }

    public static func == (left: Self, right: Self) -> Bool {
        ConstantTime.equal(left.octets, right.octets)
    }

    public var description: String { "\(octets.count) secret octets" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
