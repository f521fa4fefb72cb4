/// Octets of one recorded host PDU that can't be the same again and are not compared.
public struct VolatileMask: Hashable, Sendable {
    /// The number of the record that holds the PDU, or its last fragment.
    public var frame: Int
    /// Octets of the PDU, from its first (the opcode) on.
    public var range: Range<Int>
    /// Why they are not compared, such as the key that is missing.
    public var reason: String

    public init(frame: Int, range: Range<Int>, reason: String) {
        self.frame = frame
        self.range = range
        self.reason = reason
    }
}
