import Analysis
import WireBytes

/// The use of protocols above ATT on each connection, as `info` shows it.
enum UseReport {
    static func put(_ links: ArraySlice<Link>, into out: inout TextBuffer) {
        let users = links.filter(\.speaksProtocol)
        guard !users.isEmpty else { return }
        out.put("\nsessions by protocol\n")
        for link in users {
            for use in link.uses {
                out.put("  connection ")
                out.decimal(link.number)
                out.put("  ")
                out.escaped(use.name)
                if let title = use.title {
                    out.put(", ")
                    out.escaped(title)
                }
                out.put(": ")
                put(use, into: &out)
            }
        }
    }

    private static func put(_ use: ProtocolUse, into out: inout TextBuffer) {
        out.count(use.messages, "message")
        if use.kind.hasSessions {
            out.put(", ")
            out.count(use.sessions, "session")
        }
        for (index, id) in use.keyIDs.enumerated() {
            out.put(index == 0 ? ", key id " : " ")
            out.hexOctets(id.borrowedOctets)
        }
        if use.misfits > 0 {
            out.put(", ")
            out.count(use.misfits, "value")
            out.put(use.misfits == 1 ? " that does not fit" : " that do not fit")
        }
        out.put(0x0A)
        if let unread = use.unread {
            out.put("    not read: ")
            out.put(Verdict.text(unread))
            out.put(0x0A)
        }
        let unread = use.unread?.responses ?? 0
        guard !use.statuses.isEmpty || use.unanswered > 0 || unread > 0 else { return }
        out.put("    responses: ")
        for (index, status) in use.statuses.enumerated() {
            if index > 0 { out.put(", ") }
            out.decimal(status.count)
            out.put(" \u{D7} ")
            if let name = status.name {
                out.escaped(name)
            } else {
                out.put("status ")
                out.decimal(status.status)
            }
        }
        if use.unanswered > 0 {
            out.put(use.statuses.isEmpty ? "" : ", ")
            out.decimal(use.unanswered)
            out.put(" \u{D7} unanswered")
        }
        if unread > 0 {
            out.put(use.statuses.isEmpty && use.unanswered == 0 ? "" : ", ")
            out.decimal(unread)
            out.put(" \u{D7} unreadable")
        }
        out.put(0x0A)
    }
}
