import BluetoothCore
import WireBytes

// What the analysis needs of a PDU: the handle, the value's place, the error.

extension ATTSummary {
    /// Makes it the summary of another PDU, of which only the opcode is known: in place, since that is
    /// cheaper than a new one.
    @inline(__always)
    mutating func begin(_ opcode: ATTOpcode) {
        self.opcode = opcode
        handle = nil
        handleIsFromRequest = false
        value = nil
        error = nil
        requestOpcode = nil
        requestedType = nil
        label = nil
        transaction = 0
        afterWrite = nil
        isMalformed = false
    }

    /// Takes handle and value of a PDU that is nothing but these, or whose length alone says that it is
    /// whole, as nearly all in a log are; false for all others, which ``take(_:)`` and ``takeStart(_:)`` are
    /// for.
    @inline(__always)
    mutating func takeSimple(_ payload: RawSpan) -> Bool {
        let count = payload.byteCount
        switch opcode {
        case .handleValueNotification, .writeCommand, .writeRequest, .handleValueIndication:
            guard count >= 3 else { return false }
            handle = payload.u16le(at: 1)
            value = 3..<count
        case .readRequest:
            guard count >= 3 else { return false }
            handle = payload.u16le(at: 1)
        case .readResponse: value = 1..<count
        case .writeResponse: break
        case .findInformationRequest:
            guard count == 5 else { return false }
            handle = payload.u16le(at: 1)
        case .readByTypeRequest, .readByGroupTypeRequest:
            // Two handles and a type of 2 or 16 octets.
            guard count == 7 || count == 21 else { return false }
            handle = payload.u16le(at: 1)
        case .errorResponse:
            guard count == 5 else { return false }
            takeStart(payload)
        case .exchangeMTURequest, .exchangeMTUResponse: return count == 3
        default: return false
        }
        return true
    }

    /// Takes handle, value and error from a decoded PDU.
    mutating func take(_ pdu: ATTPDU<BorrowedOctets>) {
        switch pdu {
        case .errorResponse(let pdu):
            requestOpcode = pdu.request
            handle = pdu.handle
            error = pdu.error.rawValue
        case .findInformationRequest(let pdu): handle = pdu.startingHandle
        case .findByTypeValueRequest(let pdu): (handle, value) = (pdu.startingHandle, pdu.value.range)
        case .readByTypeRequest(let pdu): handle = pdu.startingHandle
        case .readByGroupTypeRequest(let pdu): handle = pdu.startingHandle
        case .readRequest(let pdu): handle = pdu.handle
        case .readResponse(let pdu): value = pdu.value.range
        case .readBlobRequest(let pdu): handle = pdu.handle
        case .readBlobResponse(let pdu): value = pdu.value.range
        case .readMultipleResponse(let pdu): value = pdu.values.range
        case .readMultipleVariableResponse(let pdu): value = pdu.values.range
        case .writeRequest(let pdu): (handle, value) = (pdu.handle, pdu.value.range)
        case .writeCommand(let pdu): (handle, value) = (pdu.handle, pdu.value.range)
        case .signedWriteCommand(let pdu): (handle, value) = (pdu.handle, pdu.value.range)
        case .prepareWriteRequest(let pdu): (handle, value) = (pdu.handle, pdu.value.range)
        case .prepareWriteResponse(let pdu): (handle, value) = (pdu.handle, pdu.value.range)
        case .handleValueNotification(let pdu): (handle, value) = (pdu.handle, pdu.value.range)
        case .handleValueIndication(let pdu): (handle, value) = (pdu.handle, pdu.value.range)
        default: break
        }
    }

    /// Takes what the first octets of a cut or malformed PDU still tell.
    mutating func takeStart(_ payload: RawSpan) {
        switch opcode {
        case .errorResponse:
            requestOpcode = payload.octet(at: 1).map { ATTOpcode(rawValue: $0) }
            handle = payload.u16le(at: 2)
            error = payload.octet(at: 4)
        case .readRequest, .readBlobRequest, .writeRequest, .writeCommand, .signedWriteCommand,
            .prepareWriteRequest, .prepareWriteResponse, .handleValueNotification, .handleValueIndication,
            .findInformationRequest, .findByTypeValueRequest, .readByTypeRequest, .readByGroupTypeRequest:
            handle = payload.u16le(at: 1)
        default: break
        }
    }
}
