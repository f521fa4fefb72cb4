import CaptureFile
import WireBytes

// Comments that someone put on a packet, such as "pressed unlock" in Wireshark.

extension TextRenderer {
    /// Whether someone commented on the packet; what `blecap annotate` wrote there says nothing new.
    func hasComment(_ record: borrowing Record) -> Bool {
        guard record.options.byteCount > 0 else { return false }
        var found = false
        record.forEachComment { if !AnnotationComment.isOne($0) { found = true } }
        return found
    }

    /// A line for each comment on the packet.
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
