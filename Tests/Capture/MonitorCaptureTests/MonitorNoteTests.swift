import BluetoothCore
import CaptureFile
import Testing
import WireBytes

@testable import MonitorCapture

@Suite struct MonitorNoteTests {
    @Test func `A note is a User Logging record: priority, ident, text, each text with its zero`() {
        let note = MonitorNote(.warning, "lost", adapter: 1)
        // 4 warning, 7 octets of ident, "blecap" and zero, "lost" and zero
        #expect(Hex.text(note.payload) == "0407626c6563617000" + "6c6f737400")
        let header = note.header(number: 7, time: CaptureTime(nanoseconds: 5000), drops: 3)
        #expect(header.kind == .monitor)
        #expect(header.foreignType == BluetoothCore.MonitorOpcode.userLogging.rawValue)
        #expect(header.adapter == 1)
        #expect(header.capturedLength == note.payload.count)
        #expect(header.cumulativeDrops == 3)
    }

    @Test func `A zero in the text does not end it`() throws {
        let payload = MonitorNote(.notice, "a\u{0}b").payload
        // Priority 5, 7 bytes of ident, then the message
        #expect(payload == [5, 7] + Array("blecap".utf8) + [0] + Array("a b".utf8) + [0])
    }

    @Test func `A mark is a frame of the logging channel: opcode 0, adapter, length, payload`() {
        let frame = LoggingChannel.frame(MonitorNote(.notice, "x"))
        #expect(Hex.text(frame) == "0000ffff0b00" + "0507626c6563617000" + "7800")
    }

    @Test func `A counter of 32 bits that wraps goes on counting`() {
        var drops = DropCount()
        drops.update(0xFFFF_FFF0)
        drops.update(0x10)
        #expect(drops.total == 0xFFFF_FFF0 + 0x20)
        drops.update(0x10)
        #expect(drops.total == 0x1_0000_0010)
    }
}
