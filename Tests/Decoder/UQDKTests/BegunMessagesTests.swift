import Testing
import WireBytes

@testable import UQDK

@Suite struct BegunMessagesTests {
    /// Reference format 1 with ids of two octets: of every message the first fragment comes, then a gap that
    /// ends it, and never the last one.
    @Test func `What is kept of messages that never end is bounded, whatever the width of their ids`() throws
    {
        let text = """
            {"name": "wide ids", "fragments": {"fields": [{"role": "messageId", "bits": 16},
             {"role": "last", "bits": 1}, {"role": "index", "bits": 7}], "requestIds": [0, 32767],
             "eventIds": [32768, 65535]}}
            """
        let dialect = try Dialect(json: Array(text.utf8))
        var link = UQDKLink(SharedDialect(dialect), KeyStore(), startSeen: true)
        for id in 0..<2_000 {
            let head = [UInt8(id >> 8), UInt8(id & 0xFF)]
            for (sender, index) in [(Sender.phone, UInt8(0)), (.car, 0), (.phone, 2), (.car, 2)] {
                let value = head + [index, 0x55, 0x51, 1, 2]
                _ = link.handle(
                    value.borrowedOctets, isCut: false, from: sender, at: Int64(id), frame: UInt64(id))
            }
        }
        #expect(link.phone.begunCount == UQDKLink.begunLimit)
        #expect(link.car.begunCount == UQDKLink.begunLimit)
    }
}
