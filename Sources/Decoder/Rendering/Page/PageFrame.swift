import Analysis
import BluetoothCore
import CaptureFile
import WireBytes

/// The layers of one frame for a page: each line of its detail with its bytes, and the frame's bytes.
///
/// A byte is shown only if a line of the detail shows it, so bytes that the detail leaves out, above all
/// keys, can't reach the page.
struct PageFrame {
    /// A line of the detail; a line without a place is a heading or a fact.
    struct Line {
        /// Place of its first byte; nil if it has no bytes.
        var place: Int?
        /// Number of bytes shown.
        var count = 0
        var text: [UInt8]
        /// Whether its place is in the reassembled PDU instead of the record.
        var isJoined = false
    }

    private(set) var lines: [Line] = []

    /// - Parameters:
    ///   - detail: the output of ``FrameDetail`` for the frame's layers.
    ///   - isJoined: whether places below the ACL header are in a PDU reassembled from several frames.
    init(detail: [UInt8], isJoined: Bool) {
        var titles = 0
        var start = 0
        for (at, octet) in detail.enumerated() where octet == 0x0A {
            if start < at, detail[start] != 0x20 { titles += 1 }
            // The frame and its ACL header have the first two titles.
            if start < at { add(detail[start..<at], isJoined: isJoined && titles > 2) }
            start = at + 1
        }
    }

    private mutating func add(_ line: ArraySlice<UInt8>, isJoined: Bool) {
        let line = Array(line)
        if let more = Self.more(line), let last = lines.indices.last, lines[last].place != nil {
            lines[last].count += more
            return
        }
        guard line.starts(with: Self.mark) else { return lines.append(Line(text: line)) }
        let digits = line.dropFirst(Self.mark.count).prefix { $0 != 0x20 }
        let rest = line[digits.endIndex...]
        let start = rest.firstIndex { $0 != 0x20 } ?? rest.endIndex
        // A line without bytes has its text in the column after them.
        let hex = start < Self.textColumn ? rest[start...].prefix { $0 != 0x20 } : []
        let place = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        let from = max(Self.textColumn, hex.isEmpty ? start : hex.endIndex)
        let text = Array(line.dropFirst(from))
        if text.isEmpty, let last = lines.indices.last, lines[last].isJoined == isJoined,
            lines[last].place.map({ $0 + lines[last].count }) == place
        {
            lines[last].count += hex.count / 2
        } else {
            lines.append(Line(place: place, count: hex.count / 2, text: text, isJoined: isJoined))
        }
    }

    /// Prefix of a line with a place, and the column of its text.
    private static let mark: [UInt8] = [0x20, 0x20, 0x2B]
    private static let textColumn = 42
    /// Prefix of the line that counts a long field's further bytes.
    private static let further = Array("          and ".utf8)

    private static func more(_ line: [UInt8]) -> Int? {
        guard line.starts(with: further) else { return nil }
        let digits = line.dropFirst(further.count).prefix { 0x30...0x39 ~= $0 }
        return digits.isEmpty ? nil : digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// For each byte of the record or of the reassembled PDU, whether a line shows it.
    func shown(of count: Int, isJoined: Bool) -> [Bool] {
        var shown = [Bool](repeating: false, count: count)
        for line in lines where line.isJoined == isJoined {
            guard let place = line.place, place < count else { continue }
            for index in place..<min(count, place + line.count) { shown[index] = true }
        }
        return shown
    }

    /// Appends the lines as an array.
    func put(into out: inout TextBuffer) {
        out.put("[")
        for (index, line) in lines.enumerated() {
            if index > 0 { out.put(0x2C) }
            guard let place = line.place else {
                out.jsonString(line.text.borrowedOctets)
                continue
            }
            out.put("[")
            out.decimal(place)
            out.put(0x2C)
            out.decimal(line.count)
            out.put(0x2C)
            out.jsonString(line.text.borrowedOctets)
            out.put(line.isJoined ? ",1]" : "]")
        }
        out.put("]")
    }
}

extension TextBuffer {
    /// Appends bytes as a string of hexadecimal, with `..` for each hidden one.
    mutating func jsonHex(_ octets: RawSpan, shown: [Bool]) {
        put(0x22)
        for index in 0..<octets.byteCount {
            if shown[index] { hex(UInt64(octets.octet(at: index) ?? 0), digits: 2) } else { put("..") }
        }
        put(0x22)
    }
}

/// Decides which fragments may be shown: those of PDUs on channels that carry no keys.
struct PageFragments {
    private var isOpen: [UInt32: Bool] = [:]

    /// Returns whether the bytes of a packet that is part of a PDU may be shown; must be called for each
    /// packet in order.
    mutating func mayShow(_ octets: RawSpan, _ header: RecordHeader) -> Bool {
        guard let word = octets.u16le(at: 0) else { return false }
        let way: UInt32 = header.direction == .hostToController ? 1 : 0
        let key = UInt32(header.adapter) << 16 | UInt32(word & 0x0FFF) << 1 | way
        // The flag 1 marks a packet that continues a PDU.
        if word >> 12 & 3 != 1 {
            let channel = octets.u16le(at: 6).map { L2CAPChannelID(rawValue: $0) }
            isOpen[key] = channel.map { $0.rawValue != 6 && $0.rawValue != 7 } ?? false
        }
        return isOpen[key] ?? false
    }
}
