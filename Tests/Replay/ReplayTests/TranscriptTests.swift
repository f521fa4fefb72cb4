import BluetoothCore
import Replay
import Testing

@Suite struct TranscriptTests {
    @Test func `a transcript has what went over the links, and apart from it what was called back`() throws {
        let model = Synthetic.model([
            .host("02f700"), .peer("03f700"), .host("1213000100"), .peer("13"), .peer("1d120001ff"),
            .host("1e"), .host("120102"), .peer("0112010203"),
        ])
        let host = try RawHost(connected: model)
        host.adapter.note(callback: "connected")
        try host.send("02f700", wait: .milliseconds(20))
        try host.send("1213000100", wait: .milliseconds(20))
        try host.send("1e", wait: .milliseconds(5))
        host.adapter.note(callback: "value")
        let text = host.adapter.transcript.text { $0.octets.first == 0x1D ? "more" : nil }
        #expect(
            text == """
                # PDUs: virtual us, connection, sender, PDU
                100000 1 host ATT Exchange MTU Request Client Rx MTU=247
                110000 1 peer ATT Exchange MTU Response Server Rx MTU=247
                120000 1 host ATT Write Request 0x0013 0100
                130000 1 peer ATT Write Response
                140000 1 peer ATT Handle Value Indication 0x0012 01ff  more
                140000 1 host ATT Handle Value Confirmation
                # Controller: virtual us, scan or attempt to connect
                0 connect to C0:11:22:33:44:55
                50000 connected to C0:11:22:33:44:55
                # API: virtual us, callback
                100000 connected
                145000 value

                """)
    }

    @Test func `signalling and pairing are shown without what is secret`() throws {
        let model = Synthetic.model([
            .peer("0b01", on: .securityManager), .host("0505", on: .securityManager),
            .peer("12010800180028000000c800", on: .leSignalling),
            .host("130102000000", on: .leSignalling), .host("52180001"),
        ])
        let host = try RawHost(connected: model)
        try host.send("0505", on: .securityManager)
        try host.send("130102000000", on: .leSignalling)
        try host.send("52180001")
        #expect(try host.finish().verdict == .same)
        let lines = host.adapter.transcript.text().split(separator: "\n").map {
            $0.drop { $0 != "p" && $0 != "h" }
        }
        #expect(
            lines.prefix(6).dropFirst() == [
                "peer SMP Security Request",
                "peer L2CAP Connection Parameter Update Request id 1 Interval Min=24 Interval Max=40"
                    + " Latency=0 Timeout=200", "host SMP Pairing Failed",
                "host L2CAP Connection Parameter Update Response id 1 Result=Accepted",
                "host ATT Write Command 0x0018 01",
            ], "\(lines)")
    }
}
