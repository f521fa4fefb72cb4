public import WireBytes

// Fields that several ATT PDUs share.

extension FieldCoder where Self: ~Copyable & ~Escapable {
    /// An attribute handle.
    @inlinable
    mutating func handle(_ name: StaticText, _ value: inout UInt16) throws(DecodeError) {
        try u16(name, &value, .handle)
    }

    /// An attribute type at the end of a PDU or an element: two bytes or 16, told by how many are left.
    @inlinable
    mutating func attributeType(
        _ name: StaticText, _ uuid: inout BluetoothUUID, width: inout UInt8
    ) throws(DecodeError) {
        if !isWriting { width = remaining <= 2 ? 2 : 16 }
        try self.uuid(name, &uuid, width: width == 2 ? 2 : 16)
    }

    /// Elements of equal width, which stay bytes in the PDU: ``PDUElements`` walks over them. Bytes left
    /// over after the last whole one are an error.
    @inlinable
    mutating func attributeElements(
        _ name: StaticText, _ octets: inout [UInt8], width: Int
    ) throws(DecodeError) {
        if !isWriting {
            guard width > 0 else { throw DecodeError(.invalidLength, at: offset) }
            let over = remaining % width
            guard over == 0 else {
                throw DecodeError(.truncated(need: width, have: over), at: offset &+ remaining &- over)
            }
        }
        try self.octets(name, &octets)
    }
}

extension BluetoothUUID {
    /// Bytes that it takes as an attribute type: 2 or 16.
    @inlinable var attributeWidth: UInt8 { shortestWidth == 2 ? 2 : 16 }
}
