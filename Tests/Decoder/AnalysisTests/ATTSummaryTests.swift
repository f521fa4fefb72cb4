import BluetoothCore
import PayloadFormat
import Testing
import WireBytes

@testable import Analysis

/// The short way to a PDU's summary against the long one, which decodes all of its fields.
@Suite struct ATTSummaryTests {
    @Test(arguments: UInt8.min...UInt8.max)
    func `the short way says what the fields say, for every opcode and length`(code: UInt8) {
        let opcode = ATTOpcode(rawValue: code)
        for length in 1...40 {
            let octets = [code] + (1..<length).map { UInt8(truncatingIfNeeded: $0 &* 37) }
            var short = ATTSummary(opcode: opcode)
            guard short.takeSimple(octets.borrowedOctets) else { continue }
            var long = ATTSummary(opcode: opcode)
            guard let pdu = try? ATTPDU<BorrowedOctets>(decoding: octets.borrowedOctets) else {
                Issue.record("\(opcode) of \(length) octets is not decoded")
                continue
            }
            long.take(pdu)
            #expect(short.handle == long.handle && short.value == long.value)
            #expect(short.error == long.error && short.requestOpcode == long.requestOpcode)
        }
    }

    @Test func `the PDUs that logs are full of are taken the short way`() {
        for code: UInt8 in [0x0A, 0x0B, 0x12, 0x13, 0x1B, 0x1D, 0x52] {
            var summary = ATTSummary(opcode: ATTOpcode(rawValue: code))
            let octets: [UInt8] = [code, 3, 0, 1]
            let isShort = summary.takeSimple(octets.borrowedOctets)
            #expect(isShort)
        }
        for (code, length): (UInt8, Int) in [
            (0x01, 5), (0x02, 3), (0x03, 3), (0x04, 5), (0x08, 7), (0x08, 21), (0x10, 7),
        ] {
            var summary = ATTSummary(opcode: ATTOpcode(rawValue: code))
            let octets = [code] + [UInt8](repeating: 1, count: length - 1)
            let isShort = summary.takeSimple(octets.borrowedOctets)
            #expect(isShort)
        }
    }

    @Test func `a summary that is begun anew keeps nothing of the one before`() throws {
        var summary = ATTSummary(opcode: .errorResponse)
        summary.handle = 3
        summary.handleIsFromRequest = true
        summary.value = 1..<2
        summary.error = 1
        summary.requestOpcode = .readRequest
        summary.requestedType = BluetoothUUID(0x2803 as UInt16)
        summary.label = AttributeLabel(part: .value, source: .discovered, frame: 1)
        summary.transaction = 4
        summary.afterWrite = RequestReference(place: FramePlace(file: 0, frame: 1), latency: 2)
        summary.isMalformed = true
        summary.begin(.readRequest)
        let fresh = ATTSummary(opcode: .readRequest)
        #expect(String(describing: summary) == String(describing: fresh))
    }
}
