import PayloadFormat
public import WireBytes

extension UQDKAnnotation {
    /// Visits everything except the problems, under the names that NDJSON uses.
    public func walk(_ visitor: inout some AnnotationVisitor & ~Copyable) {
        visitor.value("dialect", .text(dialect), unit: nil)
        visitor.value("recognized_by", .text(recognition.rawValue), unit: nil)
        if let fragment {
            visitor.openGroup("fragment")
            visitor.value("message_id", .unsigned(fragment.messageID), unit: nil)
            visitor.value("index", .unsigned(UInt64(fragment.index)), unit: nil)
            visitor.value("last", .bool(fragment.isLast), unit: nil)
            if let count = fragment.count {
                visitor.value("count", .unsigned(UInt64(max(0, count))), unit: nil)
            }
            visitor.value("state", .text(fragment.state.rawValue), unit: nil)
            visitor.closeGroup()
        }
        message?.walk(&visitor)
        if !fields.isEmpty { DecodedField("fields", .group(fields)).walk(&visitor) }
        if let session { visitor.value("session", .text(session.rawValue), unit: nil) }
    }

    /// The frame in one line.
    public var summary: String {
        var out = TextBuffer(capacity: 256)
        put(summary: &out)
        return String(decoding: out.copied(from: 0), as: UTF8.self)
    }

    /// Appends the frame in one line, with names from the dialect file escaped.
    public func put(summary out: inout TextBuffer) {
        var isFirst = true
        if let message {
            message.put(summary: &out)
            isFirst = false
        } else if !fields.isEmpty {
            out.put("vehicle information")
            isFirst = false
        }
        guard let fragment, fragment.state != .complete || message == nil else { return }
        if !isFirst { out.put(", ") }
        out.put("fragment ")
        out.decimal(fragment.index + 1)
        if let count = fragment.count {
            out.put(" of ")
            out.decimal(count)
        }
        out.put(", id ")
        out.decimal(fragment.messageID)
        switch fragment.state {
        case .open: out.put(", more follow")
        case .repeated: out.put(", repeated, ignored")
        case .dropped: out.put(", dropped, its message has failed")
        case .failed: out.put(", message failed")
        case .complete: break
        }
    }
}

extension MessageNote {
    func walk(_ visitor: inout some AnnotationVisitor & ~Copyable) {
        visitor.openGroup("message")
        if let messageID { visitor.value("message_id", .unsigned(messageID), unit: nil) }
        if let kind { visitor.value("kind", .text(kind.word), unit: nil) }
        if let command { visitor.value("command", .hex(command, digits: 4), unit: nil) }
        if let name { visitor.value("name", .text(name), unit: nil) }
        visitor.value("whole", .bool(isWhole), unit: nil)
        visitor.value("secured", .bool(isSecured), unit: nil)
        if !frames.isEmpty { visitor.frames("frames", frames) }
        if isWhole { visitor.value("length", .unsigned(UInt64(octetCount)), unit: nil) }
        switch checksum {
        case .absent: break
        case .right: visitor.value("checksum", .text("right"), unit: nil)
        case .wrong: visitor.value("checksum", .text("wrong"), unit: nil)
        }
        if let status { visitor.value("status", .named(status, statusName), unit: nil) }
        if let counter { visitor.value("counter", .unsigned(counter), unit: nil) }
        if let tag { visitor.value("tag", .text(tag.word), unit: nil) }
        if let proof { visitor.value("proof", .text(proof.verification.word), unit: nil) }
        if let reason { visitor.value("not_checkable", .text(reason), unit: nil) }
        if let opaque { visitor.value("opaque", .octets(opaque), unit: nil) }
        let body = self.body
        if !body.isEmpty { DecodedField("fields", .group(body)).walk(&visitor) }
        if let requestFrame { visitor.frame("request_frame", FramePlace(bits: requestFrame)) }
        if let latency { visitor.value("latency_us", .signed(latency / 1000), unit: nil) }
        visitor.closeGroup()
    }

    /// Reason why a tag or a proof can't be checked.
    private var reason: String? {
        if case .notCheckable(let reason)? = tag { return reason.rawValue }
        if case .notCheckable(let reason)? = proof?.verification { return reason.rawValue }
        return nil
    }

    func put(summary out: inout TextBuffer) {
        if let name {
            out.escaped(name)
        } else if let command {
            out.put("command ")
            out.hexNumber(command, digits: command > 0xFFFF ? 16 : 4)
        } else {
            out.put("message")
        }
        if let kind {
            out.put(0x20)
            out.put(kind.word)
        }
        if let status {
            out.put(", ")
            if let statusName {
                out.escaped(statusName)
            } else {
                out.put("status ")
                out.decimal(status)
            }
        }
        if isWhole, let messageID {
            out.put(", id ")
            out.decimal(messageID)
        }
        if frames.count > 1 {
            out.put(", ")
            out.decimal(frames.count)
            out.put(" fragments")
        }
        if case .wrong = checksum { out.put(", checksum wrong") }
        if let tag {
            out.put(", tag ")
            tag.put(into: &out)
        }
        if let proof {
            out.put(", proof ")
            proof.verification.put(into: &out)
        }
    }
}

extension Verification {
    fileprivate func put(into out: inout TextBuffer) {
        out.put(word)
        guard case .notCheckable(let reason) = self else { return }
        out.put(" (")
        out.put(reason.rawValue)
        out.put(0x29)
    }
}

extension MessageKind {
    /// The word for the kind in every output.
    public var word: String {
        switch self {
        case .request: "request"
        case .response: "response"
        case .event: "event"
        }
    }
}
