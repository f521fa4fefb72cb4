import Analysis
import BluetoothCore
import PayloadFormat
import WireBytes

// Which failures the verdict names, and on what each of them was.

extension Verdict {
    /// The failures, the gravest for the user first: those of connections with a protocol above ATT; what
    /// ended a connection or kept it from its purpose; refused requests; devices that were never connected
    /// to, where others were. Of the same weight as they came, but those that have a line are the gravest.
    static func failures(_ links: [Link], _ totals: Totals) -> [Totals.Wrong] {
        let speaking = Set(links.filter(\.speaksProtocol).map(\.number))
        let met = Set(links.flatMap { [$0.address, $0.identity] }.compactMap { $0?.value })
        func weight(_ wrong: Totals.Wrong) -> Int {
            if wrong.isOfProtocol || speaking.contains(wrong.connection) { return wrong.isDecisive ? 4 : 3 }
            if let peer = wrong.problem.attempt?.peer, !met.isEmpty, !met.contains(peer.value) { return 0 }
            return wrong.isDecisive ? 2 : 1
        }
        let failed = totals.wrong.filter { $0.severity >= .error }.map { (weight: weight($0), wrong: $0) }
            .sorted { left, right in
                (right.weight, right.wrong.severity.rawValue, left.wrong.order)
                    < (left.weight, left.wrong.severity.rawValue, right.wrong.order)
            }
        let named = failed.prefix(wrongLimit).sorted {
            ($1.weight, $0.wrong.order) < ($0.weight, $1.wrong.order)
        }
        return (named + failed.dropFirst(wrongLimit)).map(\.wrong)
    }

    /// How often a failure was met.
    static func repeats(of wrong: Totals.Wrong, into out: inout TextBuffer) {
        if wrong.problem.isUnanswered {
            out.put(" (and ")
            out.count(wrong.count - 1, "more request")
            out.put(")")
            return
        }
        out.put(" (")
        out.decimal(wrong.count)
        out.put(" times")
        if wrong.connections > 1 {
            out.put(wrong.mayHaveMoreConnections ? ", on at least " : ", on ")
            out.decimal(wrong.connections)
            out.put(" connections")
        }
        out.put(")")
    }

    /// What an ATT error answers: the request, and the attribute with its name where that is known.
    static func put(
        _ request: RefusedRequest, _ label: AttributeLabel?, _ analyzer: borrowing Analyzer,
        into out: inout TextBuffer
    ) {
        if let name = request.opcode.name {
            out.put(" to ")
            out.put(name)
        }
        guard request.handle > 0 else { return }
        out.put(0x20)
        out.hexNumber(UInt64(request.handle), digits: 4)
        guard let label, let uuid = label.uuid else { return }
        if label.part == .value || label.part == .declaration,
            let known = analyzer.name(ofCharacteristic: uuid)
        {
            out.put(0x20)
            return out.put(known)
        }
        guard let short = uuid.assigned16 else { return }
        let name =
            switch label.part {
            case .service: AssignedNumbers.service(short)
            case .descriptor: AssignedNumbers.name(of: short, as: .descriptor)
            default: AssignedNumbers.name(of: short, as: .characteristic)
            }
        guard let name else { return }
        out.put(0x20)
        out.put(name)
    }

    // MARK: Keys

    /// How many connections have a line of their own.
    private static let keyLineLimit = 2

    /// Says which of the given keys are likely not the cars': a car took a proof that the key denies.
    static func doubts(_ links: [Link], namesFile: Bool, into out: inout TextBuffer) {
        for link in links.filter({ ($0.uqdk?.doubtfulFrame.frame ?? 0) > 0 }).prefix(keyLineLimit) {
            guard let use = link.uqdk else { continue }
            out.put("likely wrong in --keys: the key ")
            if let id = use.doubtfulKeyID {
                out.put("of id ")
                out.hexOctets(id.borrowedOctets)
                out.put(": ")
            }
            out.put("the car took a proof that it denies (frame ")
            put(use.doubtfulFrame, namesFile, into: &out)
            out.put(", connection ")
            out.decimal(link.number)
            out.put(")\n")
        }
    }

    /// Says what could not be read for want of a key: a refusal may be in it.
    ///
    /// - Parameter unlisted: connections beside `links` of which that is so.
    static func unread(_ links: [Link], unlisted: Int, into out: inout TextBuffer) {
        let all = links.filter { $0.uqdk?.unread != nil }
        for link in all.prefix(keyLineLimit) {
            guard let unread = link.uqdk?.unread else { continue }
            out.put("not read: connection ")
            out.decimal(link.number)
            out.put(": ")
            put(unread, into: &out)
            out.put(0x0A)
        }
        let more = max(0, all.count - keyLineLimit) + unlisted
        guard more > 0 else { return }
        out.put("and secured messages of ")
        out.count(more, "more connection")
        out.put(0x0A)
    }

    /// Appends how many secured messages could not be read, and why.
    static func put(_ unread: UQDKUse.Unread, into out: inout TextBuffer) {
        out.count(unread.messages, "secured message")
        if unread.responses > 0 {
            out.put(" (")
            out.count(unread.responses, "response")
            out.put(")")
        }
        out.put(": ")
        if unread.needsKey, let id = unread.keyID {
            out.put("no key for id ")
            out.hexOctets(id.borrowedOctets)
            out.put(" (--keys)")
        } else {
            out.put(unread.why)
        }
    }
}

extension Link {
    /// Whether a protocol above ATT was met on it.
    var speaksProtocol: Bool { uqdk != nil || !profiles.isEmpty }
}
