/// Bytes of a recorded host PDU that can't be reproduced and are not compared.
public struct VolatileMask: Hashable, Sendable {
    /// The number of the record that holds the PDU, or its last fragment.
    public var frame: Int
    /// The range of bytes, counted from the opcode.
    public var range: Range<Int>
    /// The reason, such as a missing key.
    public var reason: String

    public init(frame: Int, range: Range<Int>, reason: String) {
        self.frame = frame
        self.range = range
        self.reason = reason
    }
}
