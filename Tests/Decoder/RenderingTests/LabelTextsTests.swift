import BluetoothCore
import Testing
import WireBytes

@testable import Analysis
@testable import Rendering

@Suite struct LabelTextsTests {
    static func label(_ number: Int) -> AttributeLabel {
        AttributeLabel(
            characteristic: BluetoothUUID(UInt16(truncatingIfNeeded: number)), part: .value,
            source: .discovered, frame: number)
    }

    static func text(_ texts: borrowing LabelTexts, _ number: Int, in file: UInt16 = 0) -> String? {
        var out = TextBuffer(capacity: 256)
        let place = texts.place(link: number / 30, handle: UInt16(number % 30))
        guard texts.put(label(number), in: file, at: place, into: &out) else { return nil }
        return String(decoding: out.octets.copied(), as: UTF8.self)
    }

    static func keep(_ texts: inout LabelTexts, _ number: Int, _ text: String) {
        var out = TextBuffer(capacity: 256)
        out.put("before")
        out.put(text)
        let place = texts.place(link: number / 30, handle: UInt16(number % 30))
        texts.keep(label(number), in: 0, at: place, out, from: 6)
    }

    @Test func `A label has its own text, however many come and whatever is forgotten`() {
        var texts = LabelTexts()
        var found = 0
        for number in 0..<20_000 {
            #expect(Self.text(texts, number) == nil)
            Self.keep(&texts, number, "text of \(number) " + String(repeating: "x", count: 60))
            for past in [number, number - 20, number / 2] where past >= 0 {
                guard let text = Self.text(texts, past) else { continue }
                found += 1
                #expect(text.hasPrefix("text of \(past) x"))
            }
            #expect(Self.text(texts, number) != nil)
            #expect(Self.text(texts, number, in: 1) == nil)
        }
        #expect(found > 30_000)
    }

    @Test func `The attributes of many links at a time stay kept`() {
        var texts = LabelTexts()
        for _ in 0..<10 {
            for number in 0..<1000 where Self.text(texts, number) == nil {
                Self.keep(&texts, number, "text of \(number)")
            }
        }
        let kept = (0..<1000).count { Self.text(texts, $0) != nil }
        #expect(kept == 1000)
    }
}
