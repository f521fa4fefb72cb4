public import BluetoothCore
public import Foundation

/// What a server answered instead of doing what was asked: an error of the Attribute Protocol.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.1.1.
public struct CBATTError: CustomNSError, LocalizedError, Hashable, Sendable {
    /// An error code; those that have no name here keep their number.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public var rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        public static let success = Code(rawValue: 0x00)
        public static let invalidHandle = Code(rawValue: 0x01)
        public static let readNotPermitted = Code(rawValue: 0x02)
        public static let writeNotPermitted = Code(rawValue: 0x03)
        public static let invalidPdu = Code(rawValue: 0x04)
        public static let insufficientAuthentication = Code(rawValue: 0x05)
        public static let requestNotSupported = Code(rawValue: 0x06)
        public static let invalidOffset = Code(rawValue: 0x07)
        public static let insufficientAuthorization = Code(rawValue: 0x08)
        public static let prepareQueueFull = Code(rawValue: 0x09)
        public static let attributeNotFound = Code(rawValue: 0x0A)
        public static let attributeNotLong = Code(rawValue: 0x0B)
        public static let insufficientEncryptionKeySize = Code(rawValue: 0x0C)
        public static let invalidAttributeValueLength = Code(rawValue: 0x0D)
        public static let unlikelyError = Code(rawValue: 0x0E)
        public static let insufficientEncryption = Code(rawValue: 0x0F)
        public static let unsupportedGroupType = Code(rawValue: 0x10)
        public static let insufficientResources = Code(rawValue: 0x11)
    }

    public let code: Code

    public init(_ code: Code) { self.code = code }

    /// The error as it was on the air.
    public init(_ code: ATTErrorCode) { self.code = Code(rawValue: Int(code.rawValue)) }

    public static var errorDomain: String { CBATTErrorDomain }
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: text] }
    public var errorDescription: String? { text }

    private var text: String {
        guard let raw = UInt8(exactly: code.rawValue) else { return "Unknown ATT error." }
        return "\(ATTErrorCode(rawValue: raw))"
    }
}
