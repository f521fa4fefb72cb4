public import WireBytes

// Fields that several ATT PDUs share.

extension FieldCoder where Self: ~Copyable & ~Escapable {
    @inlinable
    mutating func handle(_ name: StaticText, _ value: inout UInt16) throws(DecodeError) {
        try u16(name, &value, .handle)
    }

    /// Codes an attribute type at the end of a PDU or an element.
    ///
    /// Its width, 2 or 16 bytes, follows from the number of remaining bytes.
    @inlinable
    mutating func attributeType(
        _ name: StaticText, _ uuid: inout BluetoothUUID, width: inout UInt8
    ) throws(DecodeError) {
        if !isWriting { width = remaining <= 2 ? 2 : 16 }
        try self.uuid(name, &uuid, width: width == 2 ? 2 : 16)
    }

    /// Codes elements of equal width, which stay bytes in the PDU and are read with ``PDUElements``.
    ///
    /// Bytes left over after the last complete element are an error.
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
    /// Width as an attribute type in bytes: 2 or 16.
    @inlinable var attributeWidth: UInt8 { shortestWidth == 2 ? 2 : 16 }
}
