public import WireBytes

/// A PDU of the Attribute Protocol as a value, for code that creates one or reads its fields.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.
public protocol ATTPDU: PDUFields, Hashable {
    /// The opcode of the PDU.
    static var opcode: ATTOpcode { get }
}

extension ATTPDU {
    /// The opcode of the PDU.
    public var opcode: ATTOpcode { Self.opcode }

    /// The opcode and the parameters.
    public var pdu: [UInt8] { [Self.opcode.rawValue] + encoded }

    /// Decodes a whole PDU, opcode first; the opcode must be this type's.
    public init(pdu octets: [UInt8]) throws(DecodeError) {
        self = try octets.withReader { (reader: inout ByteReader) throws(DecodeError) in
            guard try reader.u8() == Self.opcode.rawValue else { throw DecodeError(.invalidValue, at: 0) }
            let pdu = try Self(decoding: &reader)
            try reader.expectEnd()
            return pdu
        }
    }
}

/// A request about the attributes in a range of handles.
public protocol ATTRangeRequest: ATTPDU {
    var startingHandle: UInt16 { get }
    var endingHandle: UInt16 { get }
}

extension ATTRangeRequest {
    /// The range; nil if it is invalid.
    public var handles: ClosedRange<UInt16>? {
        startingHandle > 0 && startingHandle <= endingHandle ? startingHandle...endingHandle : nil
    }
}

extension ATTFindInformationRequest: ATTRangeRequest {}
extension ATTFindByTypeValueRequest: ATTRangeRequest {}
extension ATTReadByTypeRequest: ATTRangeRequest {}
extension ATTReadByGroupTypeRequest: ATTRangeRequest {}

extension ATTTable {
    /// Decodes a whole PDU, opcode first; nil for an opcode without a type.
    public static func decode(_ octets: [UInt8]) throws(DecodeError) -> (any ATTPDU)? {
        guard let opcode = octets.first else { throw DecodeError(.truncated(need: 1, have: 0), at: 0) }
        return try types.first { $0.opcode.rawValue == opcode }?.init(pdu: octets)
    }
}

// Fields that several ATT PDUs share.

extension FieldCoder where Self: ~Copyable & ~Escapable {
    @inlinable mutating func handle(_ name: StaticText, _ value: inout UInt16) throws(DecodeError) {
        try number(name, &value, .handle)
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

    /// Codes elements of equal width, which stay bytes in the PDU; ``PDUElements`` reads them.
    ///
    /// Bytes after the last complete element are an error.
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

extension ATTFindInformationResponse {
    /// Length of each element in bytes; nil if the format is not assigned.
    public var elementWidth: Int? {
        switch format {
        case 1: 4
        case 2: 18
        default: nil
        }
    }
}

/// A value with its length.
///
/// The value has fewer bytes than its length if the PDU had no room for all of them.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.4.12.
public struct ATTLengthValue: PDUFields, Hashable {
    /// Length of the whole value in bytes.
    public var length: UInt16 = 0
    /// The value or its first part.
    public var value: [UInt8] = []

    public init() {}

    public init(length: UInt16, value: [UInt8]) {
        self.length = length
        self.value = value
    }

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.number("Value Length", &length)
        let held = coder.isWriting ? value.count : min(Int(length), coder.remaining)
        try coder.octets("Attribute Value", &value, count: held, .attributeValue)
    }
}

/// A value with its handle and length.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.7.4.
public struct ATTHandleLengthValue: PDUFields, Hashable {
    /// The attribute.
    public var handle: UInt16 = 0
    /// The value, up to 65535 bytes.
    public var value: [UInt8] = []

    public init() {}

    public mutating func code<C: FieldCoder & ~Copyable & ~Escapable>(_ coder: inout C) throws(DecodeError) {
        try coder.handle("Attribute Handle", &handle)
        var length = UInt16(clamping: value.count)
        try coder.number("Value Length", &length)
        try coder.octets("Attribute Value", &value, count: Int(length), .attributeValue)
    }
}

// Responses that list what a search found: as much as fits a PDU, with UUIDs or values as long as the first
// one; nil if there is nothing.

extension ATTFindInformationResponse {
    public init?(listing found: some Collection<ATTHandleType>, mtu: Int) {
        guard let isShort = found.first.map({ $0.type.shortestWidth == 2 }) else { return nil }
        let alike = found.prefix { ($0.type.shortestWidth == 2) == isShort }
        let listed = alike.prefix((mtu - 2) / (isShort ? 4 : 18))
        self.init(format: isShort ? 1 : 2, information: ATTHandleType.octets(of: Array(listed)))
    }
}

extension ATTFindByTypeValueResponse {
    public init?(listing found: some Collection<ATTHandleRange>, mtu: Int) {
        if found.isEmpty { return nil }
        self.init(handles: ATTHandleRange.octets(of: Array(found.prefix((mtu - 1) / 4))))
    }
}

extension ATTReadByGroupTypeResponse {
    public init?(listing found: some Sequence<ATTGroupValue>, mtu: Int) {
        let groups = found.listed(in: mtu - 2, besides: 4, \.value)
        guard let first = groups.first else { return nil }
        self.init(
            length: UInt8(clamping: first.value.count + 4), attributes: ATTGroupValue.octets(of: groups))
    }
}

extension ATTReadByTypeResponse {
    public init?(listing found: some Sequence<ATTHandleValue>, mtu: Int) {
        let values = found.listed(in: mtu - 2, besides: 2, \.value)
        guard let first = values.first else { return nil }
        self.init(
            length: UInt8(clamping: first.value.count + 2), attributes: ATTHandleValue.octets(of: values))
    }
}

extension Sequence {
    /// Returns the first elements that fit `room` bytes and have values as long as the first one's.
    fileprivate func listed(
        in room: Int, besides header: Int, _ value: (Element) -> [UInt8]
    ) -> [Element] {
        var listed: [Element] = []
        for one in self {
            let length = value(one).count
            if let first = listed.first {
                guard value(first).count == length, (listed.count + 1) * (length + header) <= room
                else { break }
            }
            listed.append(one)
        }
        return listed
    }
}
