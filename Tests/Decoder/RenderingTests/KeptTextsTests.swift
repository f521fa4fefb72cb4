import Testing
import WireBytes

@testable import Rendering

@Suite struct KeptTextsTests {
    static func text(_ kept: borrowing KeptTexts, _ key: [UInt8]) -> String? {
        var out = TextBuffer(capacity: 256)
        let isKept = key.withReader { reader in kept.put(reader.takeRest(), into: &out) }
        return isKept ? String(decoding: out.octets.copied(), as: UTF8.self) : nil
    }

    static func keep(_ kept: inout KeptTexts, _ key: [UInt8], _ text: String) {
        var out = TextBuffer(capacity: 256)
        out.put("before")
        out.put(text)
        key.withReader { reader in kept.keep(reader.takeRest(), out, from: 6) }
    }

    @Test func `A text is found by its octets and by no others`() {
        var kept = KeptTexts()
        let key = Array("thirty-one bytes of advertising".utf8)
        #expect(Self.text(kept, key) == nil)
        Self.keep(&kept, key, "a text")
        #expect(Self.text(kept, key) == "a text")
        for place in key.indices {
            var other = key
            other[place] ^= 1
            #expect(Self.text(kept, other) == nil)
        }
        #expect(Self.text(kept, Array(key.dropLast())) == nil)
        Self.keep(&kept, [], "of no bytes")
        #expect(Self.text(kept, []) == "of no bytes")
    }

    /// Twice as many as there are places, and more octets than there is room for.
    @Test func `What is found is right, however many texts come`() {
        var kept = KeptTexts()
        var found = 0
        for number in 0..<20_000 {
            let key = Array("device \(number)".utf8)
            if Self.text(kept, key) == nil {
                Self.keep(&kept, key, "text of \(number) " + String(repeating: "x", count: 60))
            }
            for past in [number, number / 2, number - 300] where past >= 0 {
                guard let text = Self.text(kept, Array("device \(past)".utf8)) else { continue }
                found += 1
                #expect(text.hasPrefix("text of \(past) x"))
            }
        }
        #expect(found > 30_000)
    }

    @Test func `None is lost where the places become more`() {
        var kept = KeptTexts()
        let keys = (0..<600).map { Array("device \($0)".utf8) }
        var found = 0
        for (number, key) in keys.enumerated() {
            Self.keep(&kept, key, "text of \(number)")
            #expect(Self.text(kept, key) == "text of \(number)")
            // A new one drives out another at most.
            let count = keys[...number].count { Self.text(kept, $0) != nil }
            #expect(count >= found)
            found = count
        }
        #expect(found > 500)
    }

    @Test func `Long octets and long texts are not kept`() {
        var kept = KeptTexts()
        Self.keep(&kept, [UInt8](repeating: 1, count: 257), "short")
        #expect(Self.text(kept, [UInt8](repeating: 1, count: 257)) == nil)
        Self.keep(&kept, [1], String(repeating: "x", count: 4097))
        #expect(Self.text(kept, [1]) == nil)
        Self.keep(&kept, [1], "")
        #expect(Self.text(kept, [1]) == nil)
    }
}
