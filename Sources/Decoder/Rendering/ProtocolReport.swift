import Analysis
import WireBytes

/// The messages and sessions of each protocol above ATT, by connection, as `info` shows them.
enum ProtocolReport {
    static func put(_ links: ArraySlice<Link>, namesCommand: Bool, into out: inout TextBuffer) {
        let speaking = links.filter(\.speaksProtocol)
        guard !speaking.isEmpty else { return }
        out.put("\nsessions by protocol\n")
        for link in speaking {
            for use in link.uses {
                let title = use.title.map { ", \($0.escaped)" } ?? ""
                out.put("  connection \(link.number)  \(use.name.escaped)\(title): \(text(use))\n")
                if let unread = use.unread.map({ Verdict.text($0, namesCommand: namesCommand) }) {
                    out.put("    not read: \(unread)\n")
                }
                let responses = responses(use)
                if !responses.isEmpty { out.put("    responses: \(responses.joined(separator: ", "))\n") }
            }
        }
    }

    private static func text(_ use: ProtocolUse) -> String {
        let sessions = use.kind.hasSessions ? ", " + use.sessions.counting("session") : ""
        let ids = use.keyIDs.map { " " + Hex.text($0) }.joined()
        let misfits = "\(use.misfits.counting("value")) that \(use.misfits == 1 ? "does" : "do") not fit"
        return use.messages.counting("message") + sessions + (ids.isEmpty ? "" : ", key id" + ids)
            + (use.misfits > 0 ? ", " + misfits : "")
    }

    private static func responses(_ use: ProtocolUse) -> [String] {
        let known = use.statuses.map { ($0.count, $0.name.map(\.escaped) ?? "status \($0.status)") }
        let others = [(use.unanswered, "unanswered"), (use.unread?.responses ?? 0, "unreadable")]
        return (known + others.filter { $0.0 > 0 }).map { "\($0) \u{D7} \($1)" }
    }
}
