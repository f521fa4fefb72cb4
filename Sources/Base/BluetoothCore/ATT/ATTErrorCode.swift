public import WireBytes

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

    /// Shows an error code field by name.
    @inlinable public static var meaning: FieldMeaning { .code(.attError) }
}

extension ATTErrorCode: CustomStringConvertible {
    public var description: String {
        name.map { $0.description } ?? "error 0x" + String(rawValue, radix: 16)
    }
}
