import CaptureFile
import WireBytes

// Comments that a person added to a packet, such as "pressed unlock" in Wireshark.

extension TextRenderer {
    /// Whether a person commented on the packet; comments written by `blecap annotate` don't count.
    func hasComment(_ record: borrowing Record) -> Bool {
        guard record.options.byteCount > 0 else { return false }
        var found = false
        record.forEachComment { if !AnnotationComment.isOne($0) { found = true } }
        return found
    }

    /// Prints a line for each comment on the packet.
    mutating func commentLines(_ record: borrowing Record) {
        guard record.options.byteCount > 0 else { return }
        record.forEachComment { comment in
            guard !AnnotationComment.isOne(comment) else { return }
            out.fill(0x20, count: columns.layer)
            tint(.annotation)
            out.put("comment \"")
            out.escaped(comment)
            out.put(0x22)
            untint()
            endLine()
        }
    }
}
