import BluetoothCore
import PayloadFormat
import Testing
import WireBytes

@testable import Analysis

@Suite struct ATTSummaryTests {
    @Test func `a summary that is begun anew keeps nothing of the one before`() throws {
        var summary = ATTSummary(opcode: .errorResponse)
        summary.handle = 3
        summary.value = 1..<2
        summary.error = 1
        summary.requestOpcode = .readRequest
        summary.requestedType = BluetoothUUID(0x2803 as UInt16)
        summary.label = AttributeLabel(part: .value, source: .discovered, frame: 1)
        summary.transaction = 4
        summary.afterWrite = RequestReference(place: FramePlace(file: 0, frame: 1), latency: 2)
        summary.isMalformed = true
        summary.begin(.writeResponse, ATTOpcode.writeResponse.places, [0x13].borrowedOctets)
        let fresh = ATTSummary(opcode: .writeResponse)
        #expect(String(describing: summary) == String(describing: fresh))
    }
}
