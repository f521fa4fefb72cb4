import BluetoothCore
import WireBytes

extension ATTSummary {
    /// Makes it the summary of another PDU, with what its fields say, or those of them that are there. It is
    /// changed in place, since that is cheaper than a new one.
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
}
