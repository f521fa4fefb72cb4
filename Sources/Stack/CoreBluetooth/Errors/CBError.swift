import BluetoothCore
public import Foundation
import LEHost

/// A problem with a link or a call.
///
/// Numbers and texts are Apple's.
public struct CBError: CustomNSError, LocalizedError, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Int, Hashable, Sendable {
        case unknown = 0
        case invalidParameters = 1
        case invalidHandle = 2
        case notConnected = 3
        case outOfSpace = 4
        case operationCancelled = 5
        case connectionTimeout = 6
        case peripheralDisconnected = 7
        case uuidNotAllowed = 8
        case alreadyAdvertising = 9
        case connectionFailed = 10
        case connectionLimitReached = 11
        case unkownDevice = 12
        case operationNotSupported = 13
        case peerRemovedPairingInformation = 14
        case encryptionTimedOut = 15
        case tooManyLEPairedDevices = 16
        case leGattExceededBackgroundNotificationLimit = 17
        case leGattNearBackgroundNotificationLimit = 18
    }

    public let code: Code
    private let details: NSError

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

    public static var errorDomain: String { CBErrorDomain }

    private var text: String {
        switch code {
        case .unknown: "Unknown error."
        case .invalidParameters: "One or more parameters were invalid."
        case .invalidHandle: "The specified handle was invalid."
        case .notConnected: "The device is not connected."
        case .outOfSpace: "The device has run out of space."
        case .operationCancelled: "The operation was cancelled."
        case .connectionTimeout: "The connection has timed out unexpectedly."
        case .peripheralDisconnected: "The specified device has disconnected from us."
        case .uuidNotAllowed: "The specified UUID is not allowed for this operation."
        case .alreadyAdvertising: "The device is already advertising."
        case .connectionFailed: "The connection has failed unexpectedly."
        case .connectionLimitReached: "The device already has the maximum number of connections."
        case .unkownDevice: "Unknown device."
        case .operationNotSupported: "The operation is not supported."
        case .peerRemovedPairingInformation: "Peer removed pairing information."
        case .encryptionTimedOut:
            "Failed to encrypt the connection, the connection has timed out unexpectedly."
        case .tooManyLEPairedDevices: "Failed to pair due to too many paired devices."
        case .leGattExceededBackgroundNotificationLimit: "Exceeded the background notification limit."
        case .leGattNearBackgroundNotificationLimit: "Near the background notification limit."
        }
    }
}

extension CBError {
    public static var unknown: Code { .unknown }
    public static var invalidParameters: Code { .invalidParameters }
    public static var invalidHandle: Code { .invalidHandle }
    public static var notConnected: Code { .notConnected }
    public static var outOfSpace: Code { .outOfSpace }
    public static var operationCancelled: Code { .operationCancelled }
    public static var connectionTimeout: Code { .connectionTimeout }
    public static var peripheralDisconnected: Code { .peripheralDisconnected }
    public static var uuidNotAllowed: Code { .uuidNotAllowed }
    public static var alreadyAdvertising: Code { .alreadyAdvertising }
    public static var connectionFailed: Code { .connectionFailed }
    public static var connectionLimitReached: Code { .connectionLimitReached }
    public static var unknownDevice: Code { .unkownDevice }
    public static var unkownDevice: Code { .unkownDevice }
    public static var operationNotSupported: Code { .operationNotSupported }
    public static var peerRemovedPairingInformation: Code { .peerRemovedPairingInformation }
    public static var encryptionTimedOut: Code { .encryptionTimedOut }
    public static var tooManyLEPairedDevices: Code { .tooManyLEPairedDevices }
    public static var leGattExceededBackgroundNotificationLimit: Code {
        .leGattExceededBackgroundNotificationLimit
    }
    public static var leGattNearBackgroundNotificationLimit: Code { .leGattNearBackgroundNotificationLimit }
}

extension CBError {
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

extension CBError.Code {
    /// Alias of `unkownDevice`, Apple's original spelling.
    public static var unknownDevice: Self { .unkownDevice }

    /// Whether an error has this code: `catch CBError.invalidHandle`.
    public static func ~= (code: Self, error: any Error) -> Bool { (error as? CBError)?.code == code }
}

extension CustomNSError where Self: LocalizedError {
    /// Domain, code and text in one line, formatted like an `NSError`.
    var described: String {
        "Error Domain=\(Self.errorDomain) Code=\(errorCode) \"\(errorDescription ?? "")\""
    }
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
    /// The error for the application.
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
