public import WireBytes

extension UQDKAnnotation {
    /// Shows everything but the problems, by the names that NDJSON uses.
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
        var parts: [String] = []
        if let message {
            parts.append(message.summary)
        } else if !fields.isEmpty {
            parts.append("vehicle information")
        }
        if let fragment, fragment.state != .complete || message == nil {
            let count = fragment.count.map { " of \($0)" } ?? ""
            parts.append("fragment \(fragment.index + 1)\(count), id \(fragment.messageID)")
            switch fragment.state {
            case .open: parts.append("more follow")
            case .repeated: parts.append("repeated, ignored")
            case .dropped: parts.append("dropped, its message has failed")
            case .failed: parts.append("message failed")
            case .complete: break
            }
        }
        return parts.joined(separator: ", ")
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
        if !frames.isEmpty { visitor.value("frames", .numbers(frames), unit: nil) }
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
        if !body.isEmpty { DecodedField("fields", .group(body)).walk(&visitor) }
        if let requestFrame { visitor.value("request_frame", .unsigned(requestFrame), unit: nil) }
        if let latency { visitor.value("latency_us", .signed(latency / 1000), unit: nil) }
        visitor.closeGroup()
    }

    /// Why a tag or a proof can't be checked.
    private var reason: String? {
        if case .notCheckable(let reason)? = tag { return reason }
        if case .notCheckable(let reason)? = proof?.verification { return reason }
        return nil
    }

    var summary: String {
        var parts: [String] = []
        var title = name ?? command.map { "command 0x\(String($0, radix: 16))" } ?? "message"
        if let kind { title += " \(kind.word)" }
        parts.append(title)
        if let status { parts.append(statusName ?? "status \(status)") }
        if isWhole, let messageID { parts.append("id \(messageID)") }
        if frames.count > 1 { parts.append("\(frames.count) fragments") }
        if case .wrong = checksum { parts.append("checksum wrong") }
        if let tag { parts.append("tag \(tag.word)") }
        if let proof { parts.append("proof \(proof.verification.word)") }
        return parts.joined(separator: ", ")
    }
}

extension MessageKind {
    /// The word for it in every output.
    public var word: String {
        switch self {
        case .request: "request"
        case .response: "response"
        case .event: "event"
        }
    }
}
