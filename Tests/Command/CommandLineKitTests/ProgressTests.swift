import CommandLineKit
import Testing
import WireBytes

@Suite struct ProgressTests {
    @Test func `a text of the caller's is shown as often as bytes are`() {
        var progress = Progress(total: nil, now: 0)
        var out = TextBuffer()
        for now in stride(from: Int64(0), through: 1_500_000_000, by: 100_000_000) {
            progress.update(now: now, into: &out) { $0.put("run \(now / 100_000_000)") }
        }
        #expect(out.text == "\r\u{1B}[Krun 10\r\u{1B}[Krun 12\r\u{1B}[Krun 14")
    }

    private static func text(_ buffer: borrowing TextBuffer) -> String {
        String(decoding: buffer.octets.copied(), as: UTF8.self)
    }

    @Test func `Nothing is shown in the first second`() {
        var progress = Progress(total: 100, now: 5)
        var buffer = TextBuffer()
        progress.update(done: 1, now: 1_000_000_004, into: &buffer)
        progress.finish(into: &buffer)
        #expect(buffer.count == 0)
    }

    @Test func `Then the line changes five times a second at most, and the end removes it`() {
        var progress = Progress(total: 400_000_000, now: 0)
        var buffer = TextBuffer()
        progress.update(done: 100_000_000, now: 2_000_000_000, into: &buffer)
        #expect(Self.text(buffer) == "\r\u{1B}[K100 of 400 MB, 25 %, 50 MB/s")
        let before = buffer.count
        progress.update(done: 110_000_000, now: 2_100_000_000, into: &buffer)
        #expect(buffer.count == before)
        progress.finish(into: &buffer)
        #expect(Self.text(buffer).hasSuffix("\r\u{1B}[K"))
    }

    @Test func `Where nobody knows the length the octets are counted`() {
        var progress = Progress(total: nil, now: 0)
        var buffer = TextBuffer()
        progress.update(done: 30_000_000, now: 3_000_000_000, into: &buffer)
        #expect(Self.text(buffer).hasSuffix("30 MB, 10 MB/s"))
    }
}
