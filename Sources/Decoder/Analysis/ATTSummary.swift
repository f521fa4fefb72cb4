import BluetoothCore
import WireBytes

extension ATTSummary {
    /// Refills this summary for another PDU. Changing it in place is cheaper than creating a new one.
    @inline(__always)
    mutating func begin(_ opcode: ATTOpcode, _ places: ATTPlaces, _ pdu: RawSpan) {
        self.opcode = opcode
        handle = places.handle(in: pdu)
        handleIsFromRequest = false
        value = places.value(in: pdu)
        error = nil
        requestOpcode = nil
        requestedType = nil
        label = nil
        transaction = 0
        afterWrite = nil
        isMalformed = false
        guard opcode == .errorResponse else { return }
        error = places.error(in: pdu)
        requestOpcode = places.requestOpcode(in: pdu)
    }

    /// Whether this response answers a request with that opcode.
    func answers(_ request: ATTOpcode) -> Bool {
        opcode == .errorResponse ? requestOpcode == request : opcode.answers == request
    }
}

extension ATTOpcode {
    /// Whether the PDU carries a value to the server.
    var isWrite: Bool {
        switch self {
        case .writeRequest, .writeCommand, .signedWriteCommand, .prepareWriteRequest: true
        default: false
        }
    }

    /// Whether the request names exactly one attribute, so that its response is about that attribute.
    var namesOneHandle: Bool {
        switch self {
        case .readRequest, .readBlobRequest, .writeRequest, .prepareWriteRequest: true
        default: false
        }
    }
}
