import BluetoothCore
import Testing
import WireBytes

@testable import Analysis

/// Notes about links that were up when a recording began.
@Suite struct OpenLinkNoteTests {
    private func record(_ text: String, ident: String = "blecap\0") -> [UInt8] {
        [6, UInt8(ident.utf8.count)] + Array(ident.utf8) + Array(text.utf8) + [0]
    }

    private func note(_ text: String) -> OpenLinkNote? {
        OpenLinkNote(record("link already up: handle " + text).borrowedOctets)
    }

    @Test(arguments: [
        (" LE", " (random)", Link.Transport.le, DeviceAddress.Kind.random), (" LE", "", .le, .unknown),
        (" BR/EDR", "", .brEDR, .public), (" ACL", " (public)", .unknown, .public),
    ])
    func `a note says which link it is`(
        _ kind: String, _ suffix: String, _ transport: Link.Transport, _ expected: DeviceAddress.Kind
    ) {
        let note = note("0x0040,\(kind), 02:55:51:00:00:01\(suffix), outgoing")
        #expect(note?.handle == 0x40 && note?.transport == transport)
        #expect(note?.address == address("02:55:51:00:00:01", expected))
    }

    @Test(arguments: [
        "0x0F00, LE, 02:55:51:00:00:01 (public), outgoing", "0x0040, SCO, 02:55:51:00:00:01, outgoing",
        "0x0040, eSCO, 02:55:51:00:00:01, outgoing", "0x0040, LE, here, outgoing", "0x0040, LE",
    ])
    func `what can't be a link that carries data opens none`(_ text: String) {
        #expect(note(text) == nil)
    }

    @Test func `other programs' notes, and marks, open none`() {
        let text = "link already up: handle 0x0040, LE, 02:55:51:00:00:01 (public), outgoing"
        let other = record(text, ident: "btmonX\0")
        #expect(OpenLinkNote(other.borrowedOctets) == nil && !OpenLinkNote.isOwn(other.borrowedOctets))
        let mark = record("pressed unlock")
        #expect(OpenLinkNote(mark.borrowedOctets) == nil && OpenLinkNote.isOwn(mark.borrowedOctets))
        #expect(OpenLinkNote(record(text).borrowedOctets) != nil)
    }
}
