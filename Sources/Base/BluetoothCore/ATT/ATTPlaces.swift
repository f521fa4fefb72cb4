public import WireBytes

/// Where the fields stand that the ATT PDUs have in common, as their rows say.
///
/// It reads a whole PDU as well as one that is cut or malformed: of these, the fields that are there. All
/// places are in bytes from the opcode on, which is byte 0.
@frozen
public struct ATTPlaces: Sendable {
    /// Places of fields; 0 for a field that the PDU doesn't have.
    @usableFromInline var handle: UInt8 = 0
    @usableFromInline var endHandle: UInt8 = 0
    @usableFromInline var offset: UInt8 = 0
    @usableFromInline var type: UInt8 = 0
    @usableFromInline var value: UInt8 = 0
    @usableFromInline var mtu: UInt8 = 0
    @usableFromInline var error: UInt8 = 0
    /// Bytes that follow the value.
    @usableFromInline var signature: UInt8 = 0
    /// Bytes from which on a PDU is whole, whatever its fields say.
    public private(set) var wholeLength = Int.max

    init() {}

    init(_ layout: PDULayout) {
        func place(_ names: StaticText...) -> UInt8 {
            for name in names {
                if let place = layout.place(of: name) { return UInt8(truncatingIfNeeded: place &+ 1) }
            }
            return 0
        }
        handle = place("Attribute Handle", "Starting Handle")
        endHandle = place("Ending Handle")
        offset = place("Value Offset")
        type = place("Attribute Type", "Attribute Group Type")
        value = place(
            "Attribute Value", "Part Attribute Value", "Set Of Values", "Length Value Tuple List")
        mtu = place("Client Rx MTU", "Server Rx MTU")
        error = place("Error Code")
        (signature, wholeLength) =
            layout.sufficientSize.map { size in
                (value > 0 ? UInt8(size &+ 1) &- value : 0, size &+ 1)
            } ?? (0, Int.max)
    }

    @inlinable
    func word(_ place: UInt8, _ pdu: RawSpan) -> UInt16? { place > 0 ? pdu.u16le(at: Int(place)) : nil }

    /// The attribute that the PDU names, or the first one of a range.
    @inlinable public func handle(in pdu: RawSpan) -> UInt16? { word(handle, pdu) }

    /// The last attribute of a range.
    @inlinable public func endHandle(in pdu: RawSpan) -> UInt16? { word(endHandle, pdu) }

    /// Bytes of the attribute's value before the part in the PDU.
    @inlinable public func offset(in pdu: RawSpan) -> UInt16? { word(offset, pdu) }

    /// The longest PDU that the sender receives, in bytes.
    @inlinable public func mtu(in pdu: RawSpan) -> UInt16? { word(mtu, pdu) }

    /// The attribute type that a request asks for.
    public func type(in pdu: RawSpan) -> BluetoothUUID? {
        guard type > 0 else { return nil }
        let rest = pdu.dropping(Int(type))
        return BluetoothUUID(attributeType: value > 0 ? rest.clamped(0..<Int(value &- type)) : rest)
    }

    /// Where the attribute's value, or the part of it in the PDU, stands.
    @inlinable public func value(in pdu: RawSpan) -> Range<Int>? {
        let end = pdu.byteCount &- Int(signature)
        return value > 0 && end >= Int(value) ? Int(value)..<end : nil
    }

    /// Why an Error Response refuses.
    @inlinable public func error(in pdu: RawSpan) -> UInt8? { error > 0 ? pdu.octet(at: Int(error)) : nil }

    /// The request that an Error Response refuses, which stands before handle and error.
    @inlinable public func requestOpcode(in pdu: RawSpan) -> ATTOpcode? {
        error > 0 ? pdu.octet(at: 1).map { ATTOpcode(rawValue: $0) } : nil
    }
}

extension BluetoothUUID {
    /// The UUID that bytes are, least significant first, if they are 2 or 16.
    public init?(attributeType octets: RawSpan) {
        guard octets.byteCount == 2 || octets.byteCount == 16 else { return nil }
        var reader = ByteReader(octets)
        guard let uuid = try? BluetoothUUID(decoding: &reader, width: octets.byteCount) else { return nil }
        self = uuid
    }
}
