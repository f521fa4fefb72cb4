import BluetoothCore
public import Foundation

/// A server's refusal: an error of the Attribute Protocol.
///
/// Texts are Apple's.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.1.1.
public struct CBATTError: CustomNSError, LocalizedError, Hashable, Sendable, CustomStringConvertible {
    /// An error code.
    public enum Code: RawRepresentable, Hashable, Sendable {
        case success
        case invalidHandle
        case readNotPermitted
        case writeNotPermitted
        case invalidPdu
        case insufficientAuthentication
        case requestNotSupported
        case invalidOffset
        case insufficientAuthorization
        case prepareQueueFull
        case attributeNotFound
        case attributeNotLong
        case insufficientEncryptionKeySize
        case invalidAttributeValueLength
        case unlikelyError
        case insufficientEncryption
        case unsupportedGroupType
        case insufficientResources
        /// A code without a name, usually of an application (0x80 to 0x9F) or a profile (0xE0 to 0xFF).
        ///
        /// Apple's type holds these too, without a case.
        case other(Int)

        /// The named codes, each at the index of its number.
        private static let named: [Code] = [
            .success, .invalidHandle, .readNotPermitted, .writeNotPermitted, .invalidPdu,
            .insufficientAuthentication, .requestNotSupported, .invalidOffset, .insufficientAuthorization,
            .prepareQueueFull, .attributeNotFound, .attributeNotLong, .insufficientEncryptionKeySize,
            .invalidAttributeValueLength, .unlikelyError, .insufficientEncryption, .unsupportedGroupType,
            .insufficientResources,
        ]

        /// Creates the code of a number; never fails.
        public init?(rawValue: Int) {
            self = Self.named.indices.contains(rawValue) ? Self.named[rawValue] : .other(rawValue)
        }

        public var rawValue: Int {
            switch self {
            case .success: 0x00
            case .invalidHandle: 0x01
            case .readNotPermitted: 0x02
            case .writeNotPermitted: 0x03
            case .invalidPdu: 0x04
            case .insufficientAuthentication: 0x05
            case .requestNotSupported: 0x06
            case .invalidOffset: 0x07
            case .insufficientAuthorization: 0x08
            case .prepareQueueFull: 0x09
            case .attributeNotFound: 0x0A
            case .attributeNotLong: 0x0B
            case .insufficientEncryptionKeySize: 0x0C
            case .invalidAttributeValueLength: 0x0D
            case .unlikelyError: 0x0E
            case .insufficientEncryption: 0x0F
            case .unsupportedGroupType: 0x10
            case .insufficientResources: 0x11
            case .other(let code): code
            }
        }

        public static func == (left: Code, right: Code) -> Bool { left.rawValue == right.rawValue }

        public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
    }

    public let code: Code
    private let details: NSError

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: the server's error code.
    ///   - userInfo: further details; a value of `NSLocalizedDescriptionKey` replaces the usual text.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        details = NSError(domain: CBATTErrorDomain, code: code.rawValue, userInfo: userInfo)
    }

    /// Creates the error from an `NSError` of ``errorDomain``, with its code and details.
    public init(_nsError error: NSError) {
        self.init(Code(rawValue: error.code) ?? .unlikelyError, userInfo: error.userInfo)
    }

    /// Creates the error from its code on the air.
    init(onAir code: ATTErrorCode) { self.init(Code(rawValue: Int(code.rawValue)) ?? .unlikelyError) }

    public static var errorDomain: String { CBATTErrorDomain }

    private var text: String {
        switch code {
        case .success: "Success."
        case .invalidHandle: "The handle is invalid."
        case .readNotPermitted: "Reading is not permitted."
        case .writeNotPermitted: "Writing is not permitted."
        case .invalidPdu: "The command is invalid."
        case .insufficientAuthentication: "Authentication is insufficient."
        case .requestNotSupported: "The request is not supported."
        case .invalidOffset: "The offset is invalid."
        case .insufficientAuthorization: "Authorization is insufficient."
        case .prepareQueueFull: "The prepare queue is full."
        case .attributeNotFound: "The attribute could not be found."
        case .attributeNotLong: "The attribute is not long."
        case .insufficientEncryptionKeySize: "The encryption key size is insufficient."
        case .invalidAttributeValueLength: "The value's length is invalid."
        case .unlikelyError: "Unlikely error."
        case .insufficientEncryption: "Encryption is insufficient."
        case .unsupportedGroupType: "The group type is unsupported."
        case .insufficientResources: "Resources are insufficient."
        case .other: "Unknown ATT error."
        }
    }
}

extension CBATTError {
    public static var success: Code { .success }
    public static var invalidHandle: Code { .invalidHandle }
    public static var readNotPermitted: Code { .readNotPermitted }
    public static var writeNotPermitted: Code { .writeNotPermitted }
    public static var invalidPdu: Code { .invalidPdu }
    public static var insufficientAuthentication: Code { .insufficientAuthentication }
    public static var requestNotSupported: Code { .requestNotSupported }
    public static var invalidOffset: Code { .invalidOffset }
    public static var insufficientAuthorization: Code { .insufficientAuthorization }
    public static var prepareQueueFull: Code { .prepareQueueFull }
    public static var attributeNotFound: Code { .attributeNotFound }
    public static var attributeNotLong: Code { .attributeNotLong }
    public static var insufficientEncryptionKeySize: Code { .insufficientEncryptionKeySize }
    public static var invalidAttributeValueLength: Code { .invalidAttributeValueLength }
    public static var unlikelyError: Code { .unlikelyError }
    public static var insufficientEncryption: Code { .insufficientEncryption }
    public static var unsupportedGroupType: Code { .unsupportedGroupType }
    public static var insufficientResources: Code { .insufficientResources }
}

extension CBATTError {
    /// The details given when the error was created.
    public var userInfo: [String: Any] { details.userInfo }
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: text].merging(userInfo) { $1 }
    }
    public var errorDescription: String? { userInfo[NSLocalizedDescriptionKey] as? String ?? text }
    /// Domain, code and text, formatted like an `NSError`.
    public var description: String { described }

    public static func == (left: Self, right: Self) -> Bool { left.details == right.details }

    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension CBATTError.Code {
    /// Whether an error has this code: `catch CBATTError.invalidHandle`.
    public static func ~= (code: Self, error: any Error) -> Bool { (error as? CBATTError)?.code == code }
}
