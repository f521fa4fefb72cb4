import Testing
import WireBytes

@Suite struct CountTests {
    @Test(arguments: [(0, "0 records"), (1, "1 record"), (2, "2 records")])
    func `A noun agrees with its count`(count: Int, text: String) {
        var out = TextBuffer(capacity: 32)
        out.count(count, "record")
        #expect(String(decoding: out.copied(from: 0), as: UTF8.self) == text)
        #expect(count.counting("record") == text)
    }
}
