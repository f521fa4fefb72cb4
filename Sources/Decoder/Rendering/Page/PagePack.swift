import CaptureFile
import WireBytes

/// Rows of JSON, packed in blocks of a fixed number of rows.
struct PagePack: ~Copyable {
    /// The output for the current row, between ``begin()`` and ``end()``.
    var out = TextBuffer(capacity: 1 << 16)
    private let name: String
    /// Rows per block.
    let rows: Int
    private var pending = 0
    /// Number of rows in all blocks.
    private(set) var total = 0
    /// The blocks: their names, and their bytes in base64.
    private(set) var blocks: [(name: String, text: [UInt8])] = []
    private var packed = 0

    init(name: String, rows: Int) {
        self.name = name
        self.rows = rows
    }

    /// Bytes that the rows take in the page; for the current block, an estimate.
    var size: Int { packed + out.count / 4 }

    mutating func begin() { out.put(pending == 0 ? "[" : ",\n") }

    mutating func end() {
        pending += 1
        total += 1
        if pending == rows { close() }
    }

    mutating func cell(_ text: borrowing TextBuffer) {
        out.separator()
        out.jsonString(text.octets)
    }

    /// Appends a line of JSON without its end.
    mutating func put(line: borrowing TextBuffer) { out.put(line.octets.clamped(0..<line.count - 1)) }

    /// Packs the current block.
    mutating func close() {
        guard pending > 0 else { return }
        out.put("]")
        // If memory runs out, only this block's rows are lost, and the page reports that it can't read them.
        let text = Base64.text(of: Deflater.pack(out.copied(from: 0)) ?? [])
        blocks.append(("\(name)\(blocks.count)", text))
        packed += text.count
        out.clear()
        pending = 0
    }
}

/// Base64 encoding (RFC 4648, section 4).
package enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Returns the encoded bytes, padded with `=`.
    package static func text(of octets: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((octets.count + 2) / 3 * 4)
        for start in stride(from: 0, to: octets.count, by: 3) {
            let group = octets[start..<min(start + 3, octets.count)]
            var word = group.reduce(0) { $0 << 8 | Int($1) }
            word <<= 8 * (3 - group.count)
            for digit in 0..<4 {
                text.append(digit <= group.count ? digits[word >> (18 - 6 * digit) & 63] : 0x3D)
            }
        }
        return text
    }
}
