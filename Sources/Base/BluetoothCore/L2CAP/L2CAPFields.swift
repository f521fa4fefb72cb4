public import WireBytes

// Fields that several L2CAP commands share.

extension FieldCoder where Self: ~Copyable & ~Escapable {
    /// A channel identifier.
    @inlinable
    mutating func channel(_ name: StaticText, _ value: inout L2CAPChannelID) throws(DecodeError) {
        try code(
            name, &value, width: 2, .code(.l2capChannel))
    }
}
