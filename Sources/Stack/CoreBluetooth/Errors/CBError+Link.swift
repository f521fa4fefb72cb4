import BluetoothCore
import LEHost

// Which of Apple's errors stands for which of the controller's. Apple has written down none of it: 6 and 7
// are known from devices, the others are our choice.
extension CBError {
    /// Why a link ended that nobody here ended.
    init(disconnecting reason: HCIStatus) {
        switch reason.rawValue {
        // The local host ends a link by itself where the peer did not answer for 30 s.
        case 0x08, 0x10, 0x16, 0x22: self.init(.connectionTimeout)
        case 0x13, 0x14, 0x15: self.init(.peripheralDisconnected)
        case 0x05, 0x06: self.init(.peerRemovedPairingInformation)
        case 0x3D: self.init(.encryptionTimedOut)
        default: self.init(status: reason)
        }
    }

    /// Why a link was not made.
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
    /// The error that an application is told.
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
