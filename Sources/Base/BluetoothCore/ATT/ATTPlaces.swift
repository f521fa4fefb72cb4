public import WireBytes

/// Positions of the fields that ATT PDUs have in common, derived from their table rows.
///
/// Also usable for cut or malformed PDUs, as far as their fields go. All positions are in bytes from the
/// opcode, which is byte 0.
@frozen
public struct ATTPlaces: Sendable {
    /// Positions of fields; 0 if the PDU doesn't have the field.
    @usableFromInline var handle: UInt8 = 0
    @usableFromInline var endHandle: UInt8 = 0
    @usableFromInline var offset: UInt8 = 0
    @usableFromInline var type: UInt8 = 0
    @usableFromInline var value: UInt8 = 0
    @usableFromInline var mtu: UInt8 = 0
    @usableFromInline var error: UInt8 = 0
    /// Number of bytes after the value.
    @usableFromInline var signature: UInt8 = 0
    /// Length in bytes from which the PDU is complete, whatever its fields contain.
    public private(set) var wholeLength = Int.max
    /// Whether the PDU consists only of fields among these: an attribute's handle, a value, an error.
    public private(set) var isPlain = false
    /// Whether the PDU consists only of those fields, an offset, values without bounds, an MTU or a
    /// signature.
    public private(set) var isShort = true
    /// Whether the PDU only lists attributes by their handles.
    public private(set) var namesSeveral = false

    /// Creates the positions for an unassigned opcode, whose fields are unknown.
    init() {}

    init(_ layout: PDULayout?) {
        isPlain = true
        guard let layout else { return }
        let names = layout.top.map { layout.fields[$0].name }
        isPlain = Self.plainFields.isSuperset(of: names)
        isShort = Self.plainFields.union(Self.otherShortFields).isSuperset(of: names)
        if names.count == 1, let first = layout.top.first,
            case .list(_, let elements) = layout.fields[first].shape
        {
            namesSeveral = elements.first.map { layout.fields[$0].name } == "Attribute Handle"
        }
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

    private static let plainFields: Set<StaticText> = [
        "Attribute Handle", "Attribute Value", "Part Attribute Value", "Request Opcode", "Error Code",
    ]
    private static let otherShortFields: Set<StaticText> = [
        "Value Offset", "Set Of Values", "Client Rx MTU", "Server Rx MTU", "Authentication Signature",
    ]

    /// Whether the PDU is about the one attribute whose handle it begins with.
    var isOfAttribute: Bool { handle == 1 && endHandle == 0 }

    var hasValue: Bool { value > 0 }

    /// Whether the PDU consists of an attribute's handle and, optionally, its value.
    public var isAttribute: Bool { isPlain && handle == 1 }

    @inlinable
    func word(at place: UInt8, _ pdu: RawSpan) -> UInt16? { place > 0 ? pdu.u16le(at: Int(place)) : nil }

    /// Returns the attribute handle in the PDU, or the first handle of a range.
    @inlinable public func handle(in pdu: RawSpan) -> UInt16? { word(at: handle, pdu) }

    /// Returns the last handle of a range.
    @inlinable public func endHandle(in pdu: RawSpan) -> UInt16? { word(at: endHandle, pdu) }

    /// Returns the offset, in the attribute's value, of the part in the PDU.
    @inlinable public func offset(in pdu: RawSpan) -> UInt16? { word(at: offset, pdu) }

    /// Returns the longest PDU that the sender can receive, in bytes.
    @inlinable public func mtu(in pdu: RawSpan) -> UInt16? { word(at: mtu, pdu) }

    /// Returns the attribute type in a request.
    public func type(in pdu: RawSpan) -> BluetoothUUID? {
        guard type > 0 else { return nil }
        let rest = pdu.dropping(Int(type))
        return BluetoothUUID(attributeType: value > 0 ? rest.clamped(0..<Int(value &- type)) : rest)
    }

    /// Returns the range of the attribute's value, or of the part that the PDU contains.
    @inlinable public func value(in pdu: RawSpan) -> Range<Int>? {
        let end = pdu.byteCount &- Int(signature)
        return value > 0 && end >= Int(value) ? Int(value)..<end : nil
    }

    /// Returns the error code of an Error Response.
    @inlinable public func error(in pdu: RawSpan) -> UInt8? { error > 0 ? pdu.octet(at: Int(error)) : nil }

    /// Returns the opcode of the request that an Error Response refuses; handle and error follow it.
    @inlinable public func requestOpcode(in pdu: RawSpan) -> ATTOpcode? {
        error > 0 ? pdu.octet(at: 1).map { ATTOpcode(rawValue: $0) } : nil
    }
}

extension BluetoothUUID {
    /// Creates a UUID from 2 or 16 bytes, least significant first; nil for other lengths.
    public init?(attributeType octets: RawSpan) {
        guard octets.byteCount == 2 || octets.byteCount == 16 else { return nil }
        var reader = ByteReader(octets)
        guard let uuid = try? BluetoothUUID(decoding: &reader, width: octets.byteCount) else { return nil }
        self = uuid
    }
}
