import BluetoothCore

// Failures in words, as the rest of a sentence.

extension HostFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .refused(let opcode, let status): "the controller refused \(opcode): \(status)"
        case .unanswered(let opcode): "the controller did not answer \(opcode)"
        case .hardware(let code): "the controller reported hardware error \(code)"
        case .noAddress: "the controller has no address"
        case .noBuffers: "the controller has no buffers for LE"
        case .transport: "the controller is gone"
        case .malformed(let opcode): "the controller's answer to \(opcode) can't be read"
        }
    }
}

extension HCITransportError: CustomStringConvertible {
    public var description: String {
        errno == 0 ? "can't \(operation)" : "can't \(operation) (error \(errno))"
    }
}

extension ChannelFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .refused(let result): "the peer refused the channel, result \(result.rawValue)"
        case .rejected(let reason): "the peer rejected the command, reason \(reason.rawValue)"
        case .timedOut: "the peer did not answer"
        case .disconnected: "the link ended"
        case .malformedResponse: "the peer's answer can't be used"
        case .noResources: "there are too many channels already"
        }
    }
}

extension GATTFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .refused(let code, let handle): "refused for handle 0x\(String(handle, radix: 16)): \(code)"
        case .timedOut: "no response in time"
        case .disconnected: "the link ended"
        case .malformedResponse(let opcode):
            "a response that contradicts its request (\(opcode.name.map { "\($0)" } ?? "unknown"))"
        case .echoMismatch(let handle):
            "the server did not repeat the value for handle 0x\(String(handle, radix: 16))"
        case .invalidOperation: "an impossible request"
        }
    }
}
