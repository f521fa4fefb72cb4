import BluetoothCore
import LEHost

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
