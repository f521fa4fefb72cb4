import Analysis
import BluetoothCore
import CaptureFile
import WireBytes

/// How far a connection came, and how long each phase of it took.
enum LinkStory {
    static func put(
        _ link: Link, namesFile: Bool, _ steps: inout StepList, into out: inout TextBuffer
    ) {
        if link.role == .peripheral { steps.plain("peripheral role", into: &out) }
        if link.transport == .brEDR { steps.plain("BR/EDR", into: &out) }
        start(link.phases, &steps, into: &out)
        attributes(link, &steps, into: &out)
        security(link, &steps, into: &out)
        keyProtocol(link, namesFile, &steps, into: &out)
        counts(link, &steps, into: &out)
        end(link, &steps, into: &out)
        steps.end(into: &out)
    }

    private static func start(_ phases: Phases, _ steps: inout StepList, into out: inout TextBuffer) {
        steps.timed("scan", phases.scanStarted, phases.scanEnded, into: &out)
        // Of a scan that ran for long, since it waited for nothing, the device's own part counts.
        if let started = phases.scanStarted, let heard = phases.advertised, let ended = phases.scanEnded,
            heard.nanoseconds &- started.nanoseconds >= longestSearch
        {
            steps.plain("heard", into: &out)
            duration(" ", heard, ended, into: &out)
            out.put(" before its end")
        }
        if let ended = phases.scanEnded, let asked = phases.connectStarted,
            asked.nanoseconds &- ended.nanoseconds >= shortestPause
        {
            steps.timed("pause", ended, asked, into: &out)
        }
        steps.timed("connect", phases.connectStarted, phases.connected, into: &out)
    }

    /// The longest search for a device that someone waits for, in nanoseconds.
    private static let longestSearch: Int64 = 10_000_000_000

    /// What goes by between the end of a scan and a connection without anyone waiting.
    private static let shortestPause: Int64 = 100_000_000

    private static func attributes(_ link: Link, _ steps: inout StepList, into out: inout TextBuffer) {
        let phases = link.phases
        if phases.mtuExchanged != nil {
            steps.plain("MTU ", into: &out)
            out.decimal(Int(link.attMTU))
            duration(" in ", phases.mtuStarted, phases.mtuExchanged, into: &out)
        } else if phases.mtuStarted != nil {
            steps.plain("MTU not answered", into: &out)
        }
        if link.counts.discovery > 0 {
            steps.plain("discovery ", into: &out)
            out.decimal(link.counts.discovery)
            out.put(link.counts.discovery == 1 ? " request" : " requests")
            duration(" in ", phases.discoveryStarted, phases.discoveryEnded, into: &out)
        }
    }

    private static func security(_ link: Link, _ steps: inout StepList, into out: inout TextBuffer) {
        let phases = link.phases
        if let paired = phases.pairingStarted {
            steps.plain("pairing", into: &out)
            if link.pairingWasUnfinished { return out.put(" not finished") }
            if phases.encrypted == nil { return out.put(" without encryption") }
            duration(" ", paired, phases.encrypted, into: &out)
        } else if link.isEncrypted || phases.encrypted != nil {
            steps.plain("encryption", into: &out)
            duration(" ", phases.encryptionStarted, phases.encrypted, into: &out)
        } else if phases.encryptionStarted != nil {
            steps.plain("encryption not reached", into: &out)
        }
    }

    private static func keyProtocol(
        _ link: Link, _ namesFile: Bool, _ steps: inout StepList, into out: inout TextBuffer
    ) {
        let phases = link.phases
        subscription(link, namesFile, &steps, into: &out)
        if phases.authenticated != nil {
            steps.plain("authentication", into: &out)
            duration(" ", phases.authenticationStarted, phases.authenticated, into: &out)
        } else if phases.authenticationStarted != nil {
            authentication(link, &steps, into: &out)
        }
        guard phases.firstCommand != nil else {
            if link.counts.uqdkMessages == 0 {
                steps.moment("first write", phases.firstWrite, phases, into: &out)
                steps.moment("first notification", phases.firstNotification, phases, into: &out)
            }
            return
        }
        steps.moment("first command", phases.firstCommand, phases, into: &out)
        if let name = link.uqdk?.firstCommand {
            out.put(" (")
            out.escaped(name)
            out.put(")")
        }
        if phases.firstCommandAnswered == nil { return out.put(", not answered") }
        duration(", answered in ", phases.firstCommand, phases.firstCommandAnswered, into: &out)
    }

    /// How far an authentication came that did not succeed.
    private static func authentication(
        _ link: Link, _ steps: inout StepList, into out: inout TextBuffer
    ) {
        switch link.uqdk?.authentication {
        case .asked: steps.plain("authentication not answered", into: &out)
        case .answered: steps.plain("authentication not finished", into: &out)
        case .refused(let status):
            steps.plain("authentication refused (", into: &out)
            out.escaped(status)
            out.put(")")
        case nil: steps.plain("authentication not reached", into: &out)
        }
    }

    /// Whether notifications were switched on that anyone here listens to.
    private static func subscription(
        _ link: Link, _ namesFile: Bool, _ steps: inout StepList, into out: inout TextBuffer
    ) {
        if let value = link.unheard {
            steps.plain("notifications of ", into: &out)
            out.hexNumber(UInt64(value.handle), digits: 4)
            out.put(" never enabled")
        } else if link.phases.subscribed == nil, let refused = link.refusedSubscription {
            steps.plain("subscription refused at frame ", into: &out)
            Verdict.put(refused.frame, namesFile, into: &out)
        } else {
            steps.moment("subscribed", link.phases.subscribed, link.phases, into: &out)
        }
    }

    private static func counts(_ link: Link, _ steps: inout StepList, into out: inout TextBuffer) {
        let counts = link.counts
        steps.counted(counts.reads.byHost, "read", into: &out)
        steps.counted(counts.writes.byHost, "write", into: &out)
        steps.counted(counts.notifications.byPeer, "notification", into: &out)
        steps.counted(counts.indications.byPeer, "indication", into: &out)
        let fromOtherSide =
            [
                (counts.reads.byPeer, "read"), (counts.writes.byPeer, "write"),
                (counts.notifications.byHost, "notification"), (counts.indications.byHost, "indication"),
            ] as [(Int, StaticText)]
        for (count, what) in fromOtherSide where count > 0 {
            steps.counted(count, what, into: &out)
            out.put(what == "read" || what == "write" ? " by the peer" : " by the host")
        }
        steps.counted(link.counts.uqdkMessages, "message", into: &out)
        if link.counts.uqdkMessages > 0, let dialect = link.dialect {
            out.put(" of ")
            out.escaped(dialect)
        }
        steps.counted(link.counts.errors, "ATT error", into: &out)
    }

    private static func end(_ link: Link, _ steps: inout StepList, into out: inout TextBuffer) {
        let phases = link.phases
        if let reason = link.endReason {
            steps.plain("ended by ", into: &out)
            out.put(HCIStatus(rawValue: reason).name ?? "reason")
            out.put(" (")
            out.hexNumber(UInt64(reason), digits: 2)
            out.put(")")
        } else if let end = link.endedWith {
            switch end {
            case .reset: steps.plain("ended by HCI Reset", into: &out)
            case .closed: steps.plain("ended as the adapter was closed", into: &out)
            case .removed: steps.plain("ended as the adapter was removed", into: &out)
            }
        } else if !link.endIsRecorded {
            steps.plain("end not in this log: last packet", into: &out)
        } else if link.isOpen, link.isFollowedToTheEnd {
            steps.plain("still open at the end", into: &out)
        } else if link.wasGivenUp {
            steps.plain("not followed to its end", into: &out)
        } else if link.transport != .brEDR && phases.connected == nil && !link.wasOpenAtStart {
            steps.plain("not established", into: &out)
        } else {
            steps.plain("end missing", into: &out)
        }
        let end = phases.disconnected ?? phases.logEnded ?? phases.last
        duration(" after ", phases.first, end, into: &out)
        guard link.endReason == nil, link.isOpen, link.endIsRecorded,
            end.nanoseconds &- phases.last.nanoseconds >= longestQuiet
        else { return }
        steps.plain("silent for the last ", into: &out)
        duration("", phases.last, end, into: &out)
    }

    /// A silence of a link that is worth a word.
    private static let longestQuiet: Int64 = 1_000_000_000

    /// Appends the time between two moments; nothing where the clock was set back between them.
    static func duration(
        _ before: StaticText, _ from: CaptureTime?, _ to: CaptureTime?, into out: inout TextBuffer
    ) {
        guard let from, let to, to >= from else { return }
        out.put(before)
        TextDuration.put(to.nanoseconds &- from.nanoseconds, into: &out)
    }
}

extension Link {
    /// Whether the log's end found it open, and not the analysis out of room for it.
    fileprivate var isFollowedToTheEnd: Bool { phases.logEnded != nil }
}

/// Steps one after the other with a separator between them, on lines no longer than a terminal's.
struct StepList {
    /// The columns that a line has.
    var width: Int
    /// The columns that lines after the first leave free.
    var indent: Int
    /// Where the line under way starts in the buffer.
    var lineStart: Int
    var separator: StaticText = " \u{B7} "
    private var isFirst = true
    /// Where the step under way starts, with the separator before it and without.
    private var step: (mark: Int, start: Int)?

    init(width: Int, indent: Int, lineStart: Int, separator: StaticText = " \u{B7} ") {
        self.width = width
        self.indent = indent
        self.lineStart = lineStart
        self.separator = separator
    }

    /// Ends the step before and starts another.
    mutating func begin(into out: inout TextBuffer) {
        end(into: &out)
        let mark = out.count
        if isFirst { out.put(" ") } else { out.put(separator) }
        isFirst = false
        step = (mark, out.count)
    }

    /// Ends the step under way: where it does not fit the line, it starts the next one.
    mutating func end(into out: inout TextBuffer) {
        guard let ended = step else { return }
        step = nil
        let columns = Self.columns(out.copied(from: lineStart))
        // What stands between two steps stays at the end of the line, less its last space.
        guard columns > width - 2, ended.mark > lineStart + indent else { return }
        let text = out.copied(from: ended.start)
        out.truncate(to: max(lineStart, ended.start - 1))
        while out.count > lineStart, out.octets.octet(at: out.count - 1) == 0x20 {
            out.truncate(to: out.count - 1)
        }
        out.put(0x0A)
        lineStart = out.count
        out.fill(0x20, count: indent)
        out.put(text)
    }

    /// The columns that UTF-8 text takes.
    static func columns(_ text: some Sequence<UInt8>) -> Int {
        text.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
    }

    mutating func plain(_ text: StaticText, into out: inout TextBuffer) {
        begin(into: &out)
        out.put(text)
    }

    /// A phase with how long it took.
    mutating func timed(
        _ text: StaticText, _ from: CaptureTime?, _ to: CaptureTime?, into out: inout TextBuffer
    ) {
        guard from != nil, to != nil else { return }
        plain(text, into: &out)
        LinkStory.duration(" ", from, to, into: &out)
    }

    /// Something that was reached, with when that was since the connection stood.
    mutating func moment(
        _ text: StaticText, _ time: CaptureTime?, _ phases: Phases, into out: inout TextBuffer
    ) {
        guard time != nil else { return }
        plain(text, into: &out)
        LinkStory.duration(" at +", phases.connected ?? phases.first, time, into: &out)
    }

    mutating func counted(_ count: Int, _ what: StaticText, into out: inout TextBuffer) {
        guard count > 0 else { return }
        plain("", into: &out)
        out.decimal(count)
        out.put(0x20)
        out.put(what)
        if count != 1 { out.put(0x73) }
    }
}
