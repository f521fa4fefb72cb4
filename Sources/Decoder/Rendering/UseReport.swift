import Analysis
import WireBytes

/// What protocols above ATT did on each connection, as `info` lists it.
enum UseReport {
    static func put(_ links: ArraySlice<Link>, into out: inout TextBuffer) {
        let users = links.filter { $0.uqdk != nil || !$0.profiles.isEmpty }
        guard !users.isEmpty else { return }
        out.put("\nsessions by protocol\n")
        for link in users {
            if let use = link.uqdk { put(use, link, into: &out) }
            for use in link.profiles { put(use, link, into: &out) }
        }
    }

    private static func begin(_ link: Link, _ name: String, into out: inout TextBuffer) {
        out.put("  connection ")
        out.decimal(link.number)
        out.put("  ")
        out.escaped(name)
        out.put(": ")
    }

    private static func put(_ use: UQDKUse, _ link: Link, into out: inout TextBuffer) {
        begin(link, use.dialect, into: &out)
        out.count(use.messages, "message")
        out.put(", ")
        out.count(use.sessions, "session")
        for (index, id) in use.keyIDs.enumerated() {
            out.put(index == 0 ? ", key id " : " ")
            out.hexOctets(id.borrowedOctets)
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

    private static func put(_ use: ProfileUse, _ link: Link, into out: inout TextBuffer) {
        begin(link, use.profile, into: &out)
        out.count(use.messages, "message")
        if use.misfits > 0 {
            out.put(", ")
            out.count(use.misfits, "value")
            out.put(use.misfits == 1 ? " that does not fit" : " that do not fit")
        }
        out.put(0x0A)
    }
}
