public import Analysis
import BluetoothCore
public import CaptureFile
import PayloadFormat
import WireBytes

/// Decides which frames a search finds, by the text of their lines.
public struct FrameFinder: ~Copyable {
    private let searches: [FrameSearch]
    private var line = TextRenderer()
    private var text = SearchText()

    /// Creates a finder of the frames that at least one of the searches finds; without searches, of all
    /// frames.
    public init(_ searches: [FrameSearch]) { self.searches = searches }

    /// Whether a search finds the analyzer's last frame, which was made from `record`.
    public mutating func finds(_ record: borrowing Record, _ analyzer: borrowing Analyzer) -> Bool {
        if searches.isEmpty { return true }
        line.out.clear()
        line.meaning(record, analyzer)
        line.out.put(0x0A)
        analyzer.annotations.put(summaries: &line.out)
        line.out.put(0x0A)
        line.fields(of: record, analyzer)
        for problem in analyzer.problems {
            line.out.put(0x0A)
            line.out.put(problem.sentence)
        }
        line.out.put(0x0A)
        let link = analyzer.frame.link
        if let address = (link >= 0 ? analyzer.links[link].address : nil) ?? analyzer.frame.peer {
            line.out.put(address)
        }
        text.read(line.out)
        let direction = analyzer.frame.direction
        for search in searches where search.finds(text, direction) { return true }
        return false
    }
}

extension FrameSearch {
    /// Whether a frame's text has all words that it must have, and no excluded word.
    func finds(_ text: SearchText, _ direction: Direction) -> Bool {
        words.allSatisfy { word in
            word.readings.contains { text.has($0, direction) } != word.isExcluded
        }
    }
}

/// The text of one frame as searches read it: in lower case, with single spaces.
struct SearchText {
    private var octets: [UInt8] = []

    init() {}

    /// Replaces the text by another frame's.
    mutating func read(_ buffer: borrowing TextBuffer) {
        let line = buffer.octets
        octets.removeAll(keepingCapacity: true)
        octets.reserveCapacity(line.byteCount)
        var isSpace = false
        for place in 0..<line.byteCount {
            guard let octet = line.octet(at: place) else { continue }
            if octet == 0x20, isSpace || octets.isEmpty { continue }
            isSpace = octet == 0x20
            octets.append(0x41...0x5A ~= octet ? octet | 0x20 : octet)
        }
    }

    func has(_ reading: FrameSearch.Reading, _ direction: Direction) -> Bool {
        switch reading {
        case .text(let part): first(part[...]) != nil
        case .start(let part): hasStart(part[...])
        case .number(let number): hasNumber(number)
        case .digits(let digits): hasDigits(digits)
        case .operation(let forms): forms.contains { [line] in has($0, in: line) }
        case .sent(let byHost): direction == (byHost ? .hostToController : .controllerToHost)
        }
    }

    /// Returns the place of a part at or after a place; nil if there is no such part.
    private func first(_ part: ArraySlice<UInt8>, from start: Int = 0) -> Int? {
        guard let head = part.first, octets.count - start >= part.count else { return nil }
        for place in start...octets.count - part.count where octets[place] == head {
            if octets[place..<place + part.count].elementsEqual(part) { return place }
        }
        return nil
    }

    private func hasStart(_ part: ArraySlice<UInt8>) -> Bool {
        var start = 0
        while let place = first(part, from: start) {
            if place == 0 || !octets[place - 1].isAlphanumeric { return true }
            start = place + 1
        }
        return false
    }

    private func hasNumber(_ number: UInt64) -> Bool {
        var start = 0
        while let place = first([0x30, 0x78], from: start) {
            start = place + 2
            if place > 0, octets[place - 1].isAlphanumeric { continue }
            var value: UInt64 = 0
            var end = start
            while end < octets.count, let digit = octets[end].hexDigit, value >> 60 == 0 {
                value = value << 4 | UInt64(digit)
                end += 1
            }
            if end > start, value == number, end == octets.count || octets[end].hexDigit == nil {
                return true
            }
        }
        return false
    }

    /// Whether a run of whole bytes in hexadecimal contains these digits, starting at a whole byte.
    private func hasDigits(_ digits: [UInt8?]) -> Bool {
        var start = 0
        while start < octets.count {
            guard octets[start].isInRun else {
                start += 1
                continue
            }
            let end = octets[start...].firstIndex { !$0.isInRun } ?? octets.count
            defer { start = end }
            let run = octets[start..<end]
            guard run.count.isMultiple(of: 2), run.allSatisfy({ $0.hexDigit != nil }) else { continue }
            for place in stride(from: start, through: end - digits.count, by: 2)
            where digits.indices.allSatisfy({ digits[$0] == nil || digits[$0] == octets[place + $0] }) {
                return true
            }
        }
        return false
    }

    /// The operations that the frame belongs to: the lowest bit is the first of ``Operation/all``.
    var operations: Int {
        let line = line
        let forms = Operation.forms
        var mask = 0
        // Few forms begin like the line: only these are copied out of the table.
        for index in forms.indices where forms[index].head == line.first && mask & forms[index].bit == 0 {
            if has(forms[index].form, in: line) { mask |= forms[index].bit }
        }
        return mask
    }

    /// The line of the frame, which is the first of its texts.
    private var line: ArraySlice<UInt8> { octets[..<(octets.firstIndex(of: 0x0A) ?? octets.count)] }

    private func has(_ form: Operation.Form, in line: ArraySlice<UInt8>) -> Bool {
        // An error response names its request after the error.
        let isErrorOfRequest =
            form.inErrors.map { line.starts(with: Self.errorResponse) && has($0, before: line.endIndex) }
            ?? false
        guard line.starts(with: form.beginning) || isErrorOfRequest else { return false }
        return form.part.isEmpty || has(form.part, before: line.endIndex)
    }

    private static let errorResponse = Array("att error response: ".utf8)

    private func has(_ part: [UInt8], before end: Int) -> Bool { first(part[...]).map { $0 < end } ?? false }
}

extension UInt8 {
    fileprivate var isAlphanumeric: Bool { 0x30...0x39 ~= self || 0x61...0x7A ~= self }

    /// The value of a lower-case hexadecimal digit; nil for other characters.
    fileprivate var hexDigit: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x61...0x66: self - 0x57
        default: nil
        }
    }

    /// Whether the character belongs to a run of hexadecimal digits, or shows that the run is a part of a
    /// number, a UUID or an address.
    fileprivate var isInRun: Bool { isAlphanumeric || self == 0x2D || self == 0x3A || self == 0x2E }
}
