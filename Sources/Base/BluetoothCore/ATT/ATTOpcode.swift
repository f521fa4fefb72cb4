public import WireBytes

/// The opcode of an ATT PDU: its first byte.
///
/// Source: Core Specification, Vol 3, Part F, 3.3.1 and 3.4.8.
@frozen
public struct ATTOpcode: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var errorResponse: Self { .init(rawValue: 0x01) }
    @inlinable public static var exchangeMTURequest: Self { .init(rawValue: 0x02) }
    @inlinable public static var exchangeMTUResponse: Self { .init(rawValue: 0x03) }
    @inlinable public static var findInformationRequest: Self { .init(rawValue: 0x04) }
    @inlinable public static var findInformationResponse: Self { .init(rawValue: 0x05) }
    @inlinable public static var findByTypeValueRequest: Self { .init(rawValue: 0x06) }
    @inlinable public static var findByTypeValueResponse: Self { .init(rawValue: 0x07) }
    @inlinable public static var readByTypeRequest: Self { .init(rawValue: 0x08) }
    @inlinable public static var readByTypeResponse: Self { .init(rawValue: 0x09) }
    @inlinable public static var readRequest: Self { .init(rawValue: 0x0A) }
    @inlinable public static var readResponse: Self { .init(rawValue: 0x0B) }
    @inlinable public static var readBlobRequest: Self { .init(rawValue: 0x0C) }
    @inlinable public static var readBlobResponse: Self { .init(rawValue: 0x0D) }
    @inlinable public static var readMultipleRequest: Self { .init(rawValue: 0x0E) }
    @inlinable public static var readMultipleResponse: Self { .init(rawValue: 0x0F) }
    @inlinable public static var readByGroupTypeRequest: Self { .init(rawValue: 0x10) }
    @inlinable public static var readByGroupTypeResponse: Self { .init(rawValue: 0x11) }
    @inlinable public static var writeRequest: Self { .init(rawValue: 0x12) }
    @inlinable public static var writeResponse: Self { .init(rawValue: 0x13) }
    @inlinable public static var prepareWriteRequest: Self { .init(rawValue: 0x16) }
    @inlinable public static var prepareWriteResponse: Self { .init(rawValue: 0x17) }
    @inlinable public static var executeWriteRequest: Self { .init(rawValue: 0x18) }
    @inlinable public static var executeWriteResponse: Self { .init(rawValue: 0x19) }
    @inlinable public static var handleValueNotification: Self { .init(rawValue: 0x1B) }
    @inlinable public static var handleValueIndication: Self { .init(rawValue: 0x1D) }
    @inlinable public static var handleValueConfirmation: Self { .init(rawValue: 0x1E) }
    @inlinable public static var readMultipleVariableRequest: Self { .init(rawValue: 0x20) }
    @inlinable public static var readMultipleVariableResponse: Self { .init(rawValue: 0x21) }
    @inlinable public static var multipleHandleValueNotification: Self { .init(rawValue: 0x23) }
    @inlinable public static var writeCommand: Self { .init(rawValue: 0x52) }
    @inlinable public static var signedWriteCommand: Self { .init(rawValue: 0xD2) }

    /// The six kinds of PDU, and unassigned opcodes.
    public enum Kind: Sendable {
        /// Sent by the client, without a reply.
        case command
        /// Sent by the client; the server answers with a response or an Error Response.
        case request
        /// Sent by the server to answer a request.
        case response
        /// Sent by the server, without a reply.
        case notification
        /// Sent by the server; the client answers with a confirmation.
        case indication
        /// Sent by the client to answer an indication.
        case confirmation
        /// Not assigned.
        case unknown

        /// Whether the client sends PDUs of this kind; nil if not assigned.
        @inlinable public var isSentByClient: Bool? {
            switch self {
            case .command, .request, .confirmation: true
            case .response, .notification, .indication: false
            case .unknown: nil
            }
        }
    }

    /// Whether bit 6 is set: the PDU has no reply, and a server that doesn't know it ignores it.
    @inlinable public var isCommand: Bool { rawValue & 0x40 != 0 }

    /// The kind of PDU; an unassigned opcode with the command bit is a command too.
    @inlinable public var kind: Kind {
        switch rawValue {
        case 0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x20: .request
        case 0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x13, 0x17, 0x19, 0x21: .response
        case 0x1B, 0x23: .notification
        case 0x1D: .indication
        case 0x1E: .confirmation
        default: isCommand ? .command : .unknown
        }
    }

    /// The opcode of the successful answer: a request's response or an indication's confirmation.
    @inlinable public var answer: ATTOpcode? {
        switch kind {
        case .request, .indication: ATTOpcode(rawValue: rawValue &+ 1)
        default: nil
        }
    }

    /// The opcode that this one answers: the request of a response, the indication of a confirmation.
    ///
    /// Nil for an Error Response, which names its request itself.
    @inlinable public var answers: ATTOpcode? {
        switch kind {
        case .response: self == .errorResponse ? nil : ATTOpcode(rawValue: rawValue &- 1)
        case .confirmation: .handleValueIndication
        default: nil
        }
    }

    /// Whether the client sends the PDU; nil if not assigned.
    @inlinable public var isSentByClient: Bool? { kind.isSentByClient }

    /// Whether the PDU, a request or a response, is about the layout of the database and not about values.
    public var isDiscovery: Bool {
        switch answers ?? self {
        case .findInformationRequest, .findByTypeValueRequest, .readByTypeRequest, .readByGroupTypeRequest:
            true
        default: false
        }
    }

    /// Whether the PDU carries a value, or a part of one, to the attribute that it names.
    public var isWrite: Bool { isSentByClient == true && places.isOfAttribute && places.hasValue }

    /// Whether the request names exactly one attribute, so that its response is about that attribute.
    public var namesOneHandle: Bool { kind == .request && places.isOfAttribute }

    /// The name of the PDU; nil if the opcode is not assigned.
    public var name: StaticText? { ATTTable.pdus.name(of: UInt16(rawValue)) }

    /// The meaning of an opcode field: the PDU's name.
    @inlinable public static var meaning: FieldMeaning { .code(.attOpcodes) }
}

/// Reason why a server refused a request.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.1.1; the common profile and service codes are those of the
/// Supplement, Part B, 1.2.
@frozen
public struct ATTErrorCode: RawRepresentable, Hashable, Error {
    public var rawValue: UInt8

    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var invalidHandle: Self { .init(rawValue: 0x01) }
    @inlinable public static var readNotPermitted: Self { .init(rawValue: 0x02) }
    @inlinable public static var writeNotPermitted: Self { .init(rawValue: 0x03) }
    @inlinable public static var invalidPDU: Self { .init(rawValue: 0x04) }
    @inlinable public static var insufficientAuthentication: Self { .init(rawValue: 0x05) }
    @inlinable public static var requestNotSupported: Self { .init(rawValue: 0x06) }
    @inlinable public static var invalidOffset: Self { .init(rawValue: 0x07) }
    @inlinable public static var insufficientAuthorization: Self { .init(rawValue: 0x08) }
    @inlinable public static var prepareQueueFull: Self { .init(rawValue: 0x09) }
    @inlinable public static var attributeNotFound: Self { .init(rawValue: 0x0A) }
    @inlinable public static var attributeNotLong: Self { .init(rawValue: 0x0B) }
    @inlinable public static var encryptionKeySizeTooShort: Self { .init(rawValue: 0x0C) }
    @inlinable public static var invalidAttributeValueLength: Self { .init(rawValue: 0x0D) }
    @inlinable public static var unlikelyError: Self { .init(rawValue: 0x0E) }
    @inlinable public static var insufficientEncryption: Self { .init(rawValue: 0x0F) }
    @inlinable public static var unsupportedGroupType: Self { .init(rawValue: 0x10) }
    @inlinable public static var insufficientResources: Self { .init(rawValue: 0x11) }
    @inlinable public static var databaseOutOfSync: Self { .init(rawValue: 0x12) }
    @inlinable public static var valueNotAllowed: Self { .init(rawValue: 0x13) }
    @inlinable public static var cccdImproperlyConfigured: Self { .init(rawValue: 0xFD) }

    /// Whether pairing or encryption may make the request succeed when the client repeats it.
    ///
    /// Source: Core Specification, Vol 3, Part C, 10.3.2.
    @inlinable public var asksForSecurity: Bool {
        switch self {
        case .insufficientAuthentication, .encryptionKeySizeTooShort, .insufficientEncryption: true
        default: false
        }
    }

    /// The name of the code, or the purpose of its range; nil if reserved.
    public var name: StaticText? { ValueSet.attError.name(UInt64(rawValue)) }

    /// The meaning of an error code field: the error's name.
    @inlinable public static var meaning: FieldMeaning { .code(.attError) }
}

extension ATTErrorCode: CustomStringConvertible {
    public var description: String {
        name.map { $0.description } ?? "error 0x" + String(rawValue, radix: 16)
    }
}
