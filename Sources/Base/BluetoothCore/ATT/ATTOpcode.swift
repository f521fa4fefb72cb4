import WireBytes

extension ATTOpcode {
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

    /// The meaning of an opcode field: the PDU's name.
    @inlinable public static var meaning: FieldMeaning { .code(.attOpcodes) }
}

extension ATTErrorCode: Error, CustomStringConvertible {
    /// Whether pairing or encryption may make the request succeed when the client repeats it.
    ///
    /// Source: Core Specification, Vol 3, Part C, 10.3.2.
    @inlinable public var asksForSecurity: Bool {
        switch self {
        case .insufficientAuthentication, .encryptionKeySizeTooShort, .insufficientEncryption: true
        default: false
        }
    }

    /// The meaning of an error code field: the error's name.
    @inlinable public static var meaning: FieldMeaning { .code(.attError) }

    public var description: String {
        name.map { $0.description } ?? "error 0x" + String(rawValue, radix: 16)
    }
}
