import Analysis
import BluetoothCore
import CaptureFile
import LinkLayer
import PayloadFormat
import WireBytes

/// Progress of a connection: the phases that it reached, and the time of each.
struct ConnectionSummary {
    let link: Link
    /// Whether frame numbers include their file.
    let namesFile: Bool
    /// The packets that its file has; nil if unknown.
    var shown: ShownPackets?

    private var phases: Phases { link.phases }

    /// The connection's results and end, for the heading.
    var outcome: [Sentence] { [authentication, commands].compactMap { $0.map { "\($0)" } } + [end] }

    /// Returns a sentence about the connection as text.
    func text(_ sentence: Sentence) -> String {
        sentence.text(from: namesFile ? nil : Int(link.file), isOnAir: link.isOnAir)
    }

    /// The phases with their times, and the counts.
    var steps: [String] {
        var steps: [String] = []
        if link.role == .peripheral { steps.append("peripheral role") }
        if link.transport == .brEDR { steps.append("BR/EDR") }
        steps += start + attributes + [security].compactMap { $0 } + channels + [stream].compactMap { $0 }
        steps += firstUses + counts
        if let silence { steps.append(silence) }
        if let reception { steps.append(reception) }
        return steps
    }

    // MARK: Outcome

    private var authentication: String? {
        guard let session = link.session else { return nil }
        if session.authenticated != nil { return "authenticated" }
        if session.authenticationStarted == nil { return "not authenticated" }
        switch session.authentication {
        case .asked: return "authentication not answered"
        case .answered: return "authentication not finished"
        case .refused(let status): return "authentication refused (\(String(escaped: status.utf8)))"
        case nil: return "authentication not reached"
        }
    }

    private var commands: String? {
        guard let use = link.session, use.commands > 0 else { return nil }
        // Responses that could not be read may be refusals, so successes can't be counted.
        if (use.unread?.responses ?? 0) > 0 { return use.commands.counting("command") }
        return "\(use.succeeded) of \(use.commands.counting("command")) succeeded"
    }

    /// The time of its end, else of the end of the log, or of its last packet if the log would not show its
    /// end.
    private var lastMoment: CaptureTime {
        phases.disconnected ?? (link.endIsRecorded ? phases.logEnded : nil) ?? phases.last
    }

    /// Nanoseconds for which the log shows the connection; nil if the clock was set back meanwhile.
    var lasted: Int64? {
        lastMoment < phases.first ? nil : lastMoment.nanoseconds &- phases.first.nanoseconds
    }

    /// Reason and time of the connection's end.
    private var end: Sentence {
        let lastPacket = endIsUnknown ? "; last packet" : ""
        // A controller reports a connection before its first packet, so the time since then says nothing.
        if link.wasNeverEstablished, !link.endIsInferred, let requested = phases.connectStarted,
            let ended = phases.disconnected, ended > requested
        {
            return ending
                + ", \(TextDuration.text(ended.nanoseconds &- requested.nanoseconds)) after it was asked for"
        }
        // Without times in the log, none passed.
        let time = lasted.flatMap { $0 > 0 ? "\(lastPacket) after " + TextDuration.text($0) : nil }
        let timedOut: Sentence? = link.overdueAtEnd.map {
            let name = $0.opcode.name.map { "\($0)" } ?? "request"
            return ", \(TextDuration.text($0.waited)) after its unanswered \(name) of frame \($0.place)"
        }
        return ending + "\(time ?? "")" + (timedOut ?? "")
    }

    /// Whether the log does not show the connection's end: all that is known is its last packet.
    var endIsUnknown: Bool { link.endReason == nil && !endIsShown }

    /// Whether the log would show the end: an export without events does not, nor does a sniffer that has
    /// lost the connection.
    private var endIsShown: Bool { link.endIsRecorded && link.endedWith != .unheard }

    /// Whether the connection was lost, and the host had not asked for its end.
    var isLost: Bool {
        guard let reason = link.endReason else { return false }
        let ender = HCIStatus(rawValue: reason).ender
        return link.endIsInferred || (ender ?? .link) == .link && !link.wasAskedToEnd
    }

    /// Short description of the connection's end, with its reason if that says more.
    var ending: Sentence {
        let end = endAndReason
        return end.text + (end.reason.map { ": \($0)" } ?? "")
    }

    /// Short description of the connection's end, and its reason if that says more.
    var endAndReason: (text: Sentence, reason: String?) {
        if let reason = link.endReason { return end(by: HCIStatus(rawValue: reason)) }
        switch link.endedWith {
        case .reset: return ("ended by HCI Reset", nil)
        case .closed: return ("ended as the adapter was closed", nil)
        case .removed: return ("ended as the adapter was removed", nil)
        case .unheard: return ("its end was not heard by the sniffer", nil)
        case nil: break
        }
        if !link.endIsRecorded { return ("its end is not in this log", nil) }
        if link.isOpen, phases.logEnded != nil { return ("still open at the end", nil) }
        if link.wasEvicted { return ("not followed to its end", nil) }
        let isEstablished = link.transport == .brEDR || phases.connected != nil || link.mayLackEarlierPackets
        return (isEstablished ? "end missing" : "not established", nil)
    }

    private var sides: (host: String, peer: String) { Sentence.sides(isOnAir: link.isOnAir) }

    /// Returns a disconnection in words, with the side that disconnected, and its reason.
    private func end(by reason: HCIStatus) -> (text: Sentence, reason: String?) {
        let name = reason.name.map { "\($0) " } ?? ""
        let text = "\(name)(\(String(hex: UInt64(reason.rawValue), digits: 2)))"
        if link.endIsInferred {
            let inferred = reason.inferred(text)
            return reason.rawValue == 0x3E ? ("\(inferred)", nil) : ("lost", inferred)
        }
        return switch reason.ender {
        case .peer: ("ended by \(Sentence.Part.peer)", reason == .remoteUserTerminatedConnection ? nil : text)
        case .host: ("ended by \(Sentence.Part.host)", nil)
        case .link where link.wasAskedToEnd: ("ended by \(Sentence.Part.host), not confirmed", text)
        case .link where reason.rawValue == 0x3E: ("not established", nil)
        default: ("lost", text)
        }
    }

    // MARK: Steps

    private var start: [String] {
        var steps = [scan]
        // A long scan is not a search for this device, so the time counts from the device's first report.
        if let started = phases.scanStarted, let heard = phases.advertised, let ended = phases.scanEnded,
            heard.nanoseconds &- started.nanoseconds >= Self.longestSearch
        {
            steps.append("first heard\(Self.duration(" ", heard, ended)) before the scan ended")
        }
        if let ended = phases.scanEnded, let asked = phases.connectStarted,
            asked.nanoseconds &- ended.nanoseconds >= Self.shortestPause
        {
            steps.append(timed("pause", ended, asked))
        }
        if let withdrawn = link.withdrawnBefore {
            let time = TextDuration.text(withdrawn.longest)
            steps.append(
                withdrawn.count == 1
                    ? "an attempt withdrawn after \(time)"
                    : "\(withdrawn.count) attempts withdrawn, the longest after \(time)")
        }
        // A controller reports a connection before its first packet, which may never come.
        if !link.wasNeverEstablished {
            steps.append(timed("connect", phases.connectStarted, phases.connected))
        }
        return steps.compactMap { $0 }
    }

    /// The time of scanning in nanoseconds without its stops; nil if it never stopped.
    var scanned: Int64? {
        guard let from = phases.scanStarted, let to = phases.scanEnded else { return nil }
        let duration = to.nanoseconds &- from.nanoseconds
        // If the clock was set back, the stops may be longer than the scan.
        guard (1..<max(2, duration)).contains(phases.scanStopped) else { return nil }
        return duration &- phases.scanStopped
    }

    /// The time of scanning, and the time that it took with its stops.
    private var scan: String? {
        guard let from = phases.scanStarted, let to = phases.scanEnded else { return nil }
        let whole = TextDuration.text(to.nanoseconds &- from.nanoseconds)
        guard let scanned = scanned.map({ TextDuration.text($0) }), scanned != whole else {
            return timed("scan", from, to)
        }
        return "scan \(scanned) within \(whole)"
    }

    /// Time after which a scan no longer counts as a search for the device, in nanoseconds.
    private static let longestSearch: Int64 = 10_000_000_000

    /// Shortest pause between scan and connection that is shown, in nanoseconds.
    private static let shortestPause: Int64 = 100_000_000

    private var attributes: [String] {
        var steps: [String] = []
        let asker = phases.mtuWasAskedByPeer ? ", asked for by the \(sides.peer)" : ""
        let mtu = link.attMTU.map { " \($0)" } ?? ""
        if phases.mtuExchanged != nil {
            let time = Self.duration(" in ", phases.mtuStarted, phases.mtuExchanged)
            steps.append("MTU\(mtu)\(time)\(asker)")
        } else if phases.mtuStarted != nil {
            let refused = "MTU\(mtu)\(mtu.isEmpty ? "" : ",") exchange not supported\(asker)"
            let sender: ShownPackets = phases.mtuWasAskedByPeer ? .fromHost : .fromController
            let lacksAnswers = shown.map { !$0.isEmpty && !$0.contains(sender) } ?? false
            let unanswered =
                lacksAnswers
                ? "MTU not answered in this log, which lacks the answers\(asker)"
                : "MTU not answered\(beforeLogEnded(phases.mtuStarted))\(asker)"
            steps.append(link.mtuIsNotSupported ? refused : unanswered)
        }
        let discovery = link.counts.discovery
        for isByPeer in [false, true] {
            let count = isByPeer ? discovery.byPeer : discovery.byHost
            guard count > 0 else { continue }
            steps.append(
                "discovery" + (isByPeer ? " by the \(sides.peer)" : "")
                    + (link.peerDiscovers == isByPeer
                        ? outcomeOfDiscovery(count) : " \(count.counting("request"))"))
        }
        return steps
    }

    /// Returns the end of a sentence about a missing answer, if the log ended so soon that it may have come
    /// later; else an empty text.
    private func beforeLogEnded(_ asked: CaptureTime?) -> String {
        guard link.endReason == nil, let asked, let end = phases.logEnded, end >= asked,
            end.nanoseconds &- asked.nanoseconds < OpenRequest.longestWait
        else { return "" }
        return " before the log ended\(Self.duration(" ", asked, end))" + (end > asked ? " later" : "")
    }

    /// Returns the number and the duration of discovery's requests, and why it did not finish.
    private func outcomeOfDiscovery(_ count: Int) -> String {
        let isTimed = phases.discoveryEnded != nil && phases.discoveryTime > 0
        let time = isTimed ? " in " + TextDuration.text(phases.discoveryTime) : ""
        let requests = " \(count.counting("request"))\(time)"
        if link.discoveryIsUnanswered {
            return " not finished:\(requests), the last not answered\(beforeLogEnded(phases.discoveryEnded))"
        }
        guard let error = phases.discoveryRefusal else { return requests }
        let name = error.name.map { "\($0)" } ?? "error \(error.rawValue)"
        return " not finished:\(requests), the last refused: \(name)"
    }

    private var security: String? {
        if let (isPairing, status) = link.classicSecurity {
            let what = isPairing ? "pairing" : "authentication"
            let name = HCIStatus(rawValue: status).name.map { "\($0) " } ?? ""
            if status != 0 { return "\(what) failed: \(name)(\(String(hex: UInt64(status), digits: 2)))" }
            return [isPairing ? "paired" : "authenticated", encryption].compactMap { $0 }
                .joined(separator: " \u{B7} ")
        }
        if let paired = phases.pairingStarted {
            if let stopped = link.pairingStopped {
                return "pairing not finished: it stopped at frame "
                    + stopped.text(from: namesFile ? nil : stopped.file)
            }
            if phases.encrypted == nil {
                if link.pairingHasFailed { return "pairing failed" }
                let mayLack = (link.air?.missedEvents ?? 0) > 0
                if link.pairingHasKey { return "pairing without encryption" }
                return "pairing not finished" + (mayLack ? " as far as it was heard" : "")
            }
            return "pairing\(Self.duration(" ", paired, phases.encrypted))"
        }
        return encryption
    }

    private var encryption: String? {
        if link.isEncrypted || phases.encrypted != nil {
            return "encryption\(Self.duration(" ", phases.encryptionStarted, phases.encrypted))"
        }
        return phases.encryptionStarted == nil ? nil : "encryption not reached"
    }

    /// The method of the last pairing in words; empty if the log does not show it.
    var pairingMethod: String {
        guard let features = link.pairingFeatures else { return "" }
        let method =
            switch features.method {
            case .justWorks: "Just Works"
            case .numericComparison: "Numeric Comparison"
            case .passkey: "Passkey"
            case .outOfBand: "Out of Band"
            }
        return "\(method), \(features.isSecure ? "LE Secure Connections" : "legacy pairing")"
    }

    /// The services to which channels were opened, and those whose channels a side closed or refused. Every
    /// search of SDP ends by closing its channel, which says nothing.
    private var channels: [String] {
        let closed = link.channelUses.filter { $0.psm != 0x0001 }
        return [
            services(link.channelUses, "channels") { $0.opened },
            services(closed, "closed by the \(sides.host)") { $0.closed.byHost },
            services(closed, "closed by the \(sides.peer)") { $0.closed.byPeer },
            services(link.channelUses, "refused by the \(sides.host)") { $0.refused.byHost },
            services(link.channelUses, "refused by the \(sides.peer)") { $0.refused.byPeer },
        ].compactMap { $0 }
    }

    /// Returns the services with a count above 0, after a title; nil without any.
    private func services(_ all: [ChannelUse], _ title: String, _ count: (ChannelUse) -> Int) -> String? {
        let counted = all.filter { count($0) > 0 }
        guard !counted.isEmpty else { return nil }
        let services = counted.prefix(Self.mostServices).map { use in
            let name = ValueSet.l2capPSM.name(UInt64(use.psm)).map { "\($0)" }
            let number = (link.transport == .le ? "SPSM " : "PSM ") + String(hex: UInt64(use.psm), digits: 4)
            return "\(name ?? number)\(count(use) > 1 ? " (\(count(use)))" : "")"
        }
        let more = counted.count - services.count
        return "\(title): " + services.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }

    /// Number of services to name.
    private static let mostServices = 8

    private var firstUses: [String] {
        var steps = [subscription]
        if let session = link.session, session.authenticated != nil {
            steps.append(timed("authentication", session.authenticationStarted, session.authenticated))
        }
        if let session = link.session, session.firstCommandAt != nil {
            let name = session.firstCommand.map { " (\(String(escaped: $0.utf8)))" } ?? ""
            let answer =
                session.firstCommandAnswered == nil
                ? ", not answered\(beforeLogEnded(session.firstCommandAt))"
                : Self.duration(", answered in ", session.firstCommandSent, session.firstCommandAnswered)
            steps.append(moment("first command", session.firstCommandAt).map { $0 + name + answer })
        } else if link.session == nil {
            let value = phases.beginsWithIndication ? "indication" : "notification"
            let subscribedAt = link.unsubscribedResponses == nil ? phases.subscribed : nil
            let moments = [
                (subscribedAt, subscribedAt == nil ? nil : subscription),
                (phases.firstWrite, moment("first value written", phases.firstWrite)),
                (phases.firstNotification, moment("first \(value)", phases.firstNotification)),
            ]
            let sorted = moments.filter { $0.0 != nil }.enumerated().sorted { left, right in
                guard let first = left.element.0, let second = right.element.0 else { return false }
                return first == second ? left.offset < right.offset : first < second
            }
            steps = (subscribedAt == nil ? steps : []) + sorted.map(\.element.1)
        }
        return steps.compactMap { $0 }
    }

    /// Time of the first subscription, or the reason why notifications were not received.
    private var subscription: String? {
        if let value = link.unsubscribedResponses {
            return "\(value.isIndicated ? "indications" : "notifications") of "
                + "\(String(hex: UInt64(value.handle), digits: 4)) never enabled"
        }
        if phases.subscribed == nil, let refused = link.refusedSubscription {
            return "subscription refused at frame "
                + refused.refusal.text(from: namesFile ? nil : refused.refusal.file)
        }
        return moment("subscribed", phases.subscribed)
    }

    private var counts: [String] {
        let counts = link.counts
        let (byHost, byPeer) = (" by the \(sides.host)", " by the \(sides.peer)")
        let messages = link.uses.map { ($0.messages, "message", " of \(String(escaped: $0.name.utf8))") }
        let values: [(Int, String, String)] = [
            (counts.reads.byHost, "read", ""), (counts.writes.byHost, "write", ""),
            (counts.notifications.byPeer, "notification", ""), (counts.indications.byPeer, "indication", ""),
            (counts.reads.byPeer, "read", byPeer), (counts.writes.byPeer, "write", byPeer),
            (counts.notifications.byHost, "notification", byHost),
            (counts.indications.byHost, "indication", byHost),
        ]
        let others: [(Int, String, String)] = [
            (counts.errors, "ATT error", ""),
            (link.transport == .brEDR ? counts.packets : 0, "record", ""),
        ]
        let all = values + messages + others
        return all.filter { $0.0 > 0 }.map { $0.0.counting($0.1) + $0.2 }
    }

    /// Duration and packets of voice over BR/EDR, or of isochronous streams.
    private var stream: String? {
        guard let span = phases.streamed else { return nil }
        let name = link.transport == .brEDR ? "voice" : "isochronous data"
        let packets = link.counts.streamed.counting("packet")
        return "\(name)\(Self.duration(" ", span.lowerBound, span.upperBound)) (\(packets))"
    }

    /// Counts of the connection's packets that a sniffer heard or missed.
    private var reception: String? {
        guard let air = link.air else { return nil }
        var parts = [
            air.missedEvents > 0
                ? "heard \(air.events) of \((air.events + air.missedEvents).counting("event"))"
                : "heard \(air.events.counting("event"))"
        ]
        if air.wrongCRC > 0 { parts.append(air.wrongCRC.counting("packet") + " with wrong CRC") }
        if air.retransmissions > 0 { parts.append(air.retransmissions.counting("retransmission")) }
        if air.opened > 0 { parts.append(air.opened.counting("encrypted PDU") + " opened") }
        // A line above the connections says why.
        if air.closed > 0 { parts.append(air.closed.counting("encrypted PDU") + " not opened") }
        return parts.joined(separator: ", ")
    }

    /// Duration without data on an open connection until the end of the log, if the log has any data of it;
    /// on the air, the last packet before the peripheral left the central without an answer.
    private var silence: String? {
        if let place = link.silentAfter {
            return "\(sides.peer) silent after frame \(place.text(from: namesFile ? nil : place.file))"
        }
        guard link.endReason == nil, link.isOpen, link.endIsRecorded, let end = phases.logEnded,
            let last = link.lastData, end.nanoseconds &- last.nanoseconds >= Self.shortestSilence
        else { return nil }
        return "silent\(Self.duration(" for the last ", last, end))"
    }

    /// Shortest silence that is mentioned, in nanoseconds.
    private static let shortestSilence: Int64 = 1_000_000_000

    /// Returns a phase with its duration.
    private func timed(_ name: String, _ from: CaptureTime?, _ to: CaptureTime?) -> String? {
        from == nil || to == nil ? nil : name + Self.duration(" ", from, to)
    }

    /// Returns an event with its time since the connection was established.
    private func moment(_ name: String, _ time: CaptureTime?) -> String? {
        let began = phases.connected ?? phases.first
        guard let time else { return nil }
        // Without times in the log, all are the same.
        if time == began, let lasted, lasted > 0 { return name + " with the first packet" }
        return name + Self.duration(" at +", began, time)
    }

    /// Returns the time between two moments; empty without times, or if the clock was set back between them.
    private static func duration(_ before: String, _ from: CaptureTime?, _ to: CaptureTime?) -> String {
        guard let from, let to, to > from else { return "" }
        return before + TextDuration.text(to.nanoseconds &- from.nanoseconds)
    }
}

extension Link {
    /// Whether its first packet never came: it ended with Connection Failed to be Established, 0x3E.
    var wasNeverEstablished: Bool { endReason == 0x3E }
}
