import BluetoothCore
public import Foundation
import LEHost

/// A problem with a link or a call.
///
/// Numbers and texts are Apple's.
public struct CBError: CustomNSError, LocalizedError, Hashable, Sendable, CustomStringConvertible {
    // The number, name and text of each code; the build makes the rest of the type from them.
    //= 0 unknown: Unknown error.
    //= 1 invalidParameters: One or more parameters were invalid.
    //= 2 invalidHandle: The specified handle was invalid.
    //= 3 notConnected: The device is not connected.
    //= 4 outOfSpace: The device has run out of space.
    //= 5 operationCancelled: The operation was cancelled.
    //= 6 connectionTimeout: The connection has timed out unexpectedly.
    //= 7 peripheralDisconnected: The specified device has disconnected from us.
    //= 8 uuidNotAllowed: The specified UUID is not allowed for this operation.
    //= 9 alreadyAdvertising: The device is already advertising.
    //= 10 connectionFailed: The connection has failed unexpectedly.
    //= 11 connectionLimitReached: The device already has the maximum number of connections.
    //= 12 unkownDevice: Unknown device.
    //= 13 operationNotSupported: The operation is not supported.
    //= 14 peerRemovedPairingInformation: Peer removed pairing information.
    //= 15 encryptionTimedOut: Failed to encrypt the connection, the connection has timed out unexpectedly.
    //= 16 tooManyLEPairedDevices: Failed to pair due to too many paired devices.
    //= 17 leGattExceededBackgroundNotificationLimit: Exceeded the background notification limit.
    //= 18 leGattNearBackgroundNotificationLimit: Near the background notification limit.

    public let code: Code
    let details: NSError

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: the problem.
    ///   - userInfo: further details; a value of `NSLocalizedDescriptionKey` replaces the usual text.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        details = NSError(domain: CBErrorDomain, code: code.rawValue, userInfo: userInfo)
    }

    /// Creates the error from an `NSError` of ``errorDomain``, with its code and details.
    ///
    /// A code without a name becomes ``Code/unknown``.
    public init(_nsError error: NSError) {
        self.init(Code(rawValue: error.code) ?? .unknown, userInfo: error.userInfo)
    }

    /// Alias of `unkownDevice`, Apple's original spelling.
    public static var unknownDevice: Code { .unkownDevice }
}

extension CBError.Code {
    /// Alias of `unkownDevice`, Apple's original spelling.
    public static var unknownDevice: Self { .unkownDevice }
}

// Mapping from the controller's errors to Apple's. Apple documents none of it: 6 and 7 are known from
// devices, the others are our choice.
extension CBError {
    /// Creates the error for a link that ended without a local request.
    init(disconnecting reason: HCIStatus) {
        switch reason.rawValue {
        // The local host ends a link by itself if the peer does not answer for 30 s.
        case 0x08, 0x10, 0x16, 0x22: self.init(.connectionTimeout)
        case 0x13, 0x14, 0x15: self.init(.peripheralDisconnected)
        case 0x05, 0x06: self.init(.peerRemovedPairingInformation)
        case 0x3D: self.init(.encryptionTimedOut)
        default: self.init(status: reason)
        }
    }

    /// Creates the error for a link that was not established.
    init(connecting status: HCIStatus) {
        switch status.rawValue {
        case 0x02: self.init(.unkownDevice)
        case 0x05, 0x06, 0x3D: self.init(disconnecting: status)
        case 0x07, 0x09, 0x0D, 0x11, 0x12, 0x1A: self.init(status: status)
        default: self.init(.connectionFailed)
        }
    }

    private init(status: HCIStatus) {
        switch status.rawValue {
        case 0x02: self.init(.notConnected)
        case 0x07: self.init(.outOfSpace)
        case 0x09, 0x0D: self.init(.connectionLimitReached)
        case 0x11, 0x1A: self.init(.operationNotSupported)
        case 0x12: self.init(.invalidParameters)
        case 0x0B, 0x3B, 0x3E: self.init(.connectionFailed)
        default: self.init(.unknown)
        }
    }
}

extension GATTFailure {
    var error: any Error {
        switch self {
        case .refused(let code, _): CBATTError(onAir: code)
        case .timedOut: CBError(.connectionTimeout)
        case .disconnected: CBError(.notConnected)
        case .malformedResponse: CBATTError(onAir: .invalidPDU)
        case .echoMismatch: CBATTError(onAir: .unlikelyError)
        case .invalidOperation: CBError(.invalidParameters)
        }
    }
}
