import BluetoothCore
public import Foundation

/// A server's refusal: an error of the Attribute Protocol.
///
/// Texts are Apple's.
///
/// Source: Core Specification, Vol 3, Part F, 3.4.1.1.
public struct CBATTError: CustomNSError, LocalizedError, Hashable, Sendable, CustomStringConvertible {
    // The number, name and text of each code; the build makes the rest of the type from them.
    //= 0x00 success: Success.
    //= 0x01 invalidHandle: The handle is invalid.
    //= 0x02 readNotPermitted: Reading is not permitted.
    //= 0x03 writeNotPermitted: Writing is not permitted.
    //= 0x04 invalidPdu: The command is invalid.
    //= 0x05 insufficientAuthentication: Authentication is insufficient.
    //= 0x06 requestNotSupported: The request is not supported.
    //= 0x07 invalidOffset: The offset is invalid.
    //= 0x08 insufficientAuthorization: Authorization is insufficient.
    //= 0x09 prepareQueueFull: The prepare queue is full.
    //= 0x0A attributeNotFound: The attribute could not be found.
    //= 0x0B attributeNotLong: The attribute is not long.
    //= 0x0C insufficientEncryptionKeySize: The encryption key size is insufficient.
    //= 0x0D invalidAttributeValueLength: The value's length is invalid.
    //= 0x0E unlikelyError: Unlikely error.
    //= 0x0F insufficientEncryption: Encryption is insufficient.
    //= 0x10 unsupportedGroupType: The group type is unsupported.
    //= 0x11 insufficientResources: Resources are insufficient.
    //= others other: Unknown ATT error.

    public let code: Code
    let details: NSError

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

    init(onAir code: ATTErrorCode) { self.init(Code(rawValue: Int(code.rawValue)) ?? .unlikelyError) }
}
