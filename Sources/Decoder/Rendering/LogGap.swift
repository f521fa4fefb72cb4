import Analysis
import CaptureFile

/// Information that a recorder or an export left out of a log, with advice on how to record it.
struct LogGap {
    /// The kind of missing information, by its name in NDJSON.
    enum Code: String, CaseIterable {
        case events = "no-events"
        case data = "no-data"
        case direction = "one-direction"
        case values = "cut-values"
        case start = "no-start"
        case packets = "empty"
    }

    var code: Code
    /// The missing information, as a part of a sentence.
    var text: String
    /// Advice for the next recording, as a part of a sentence.
    var advice: String

    /// Returns the gaps in the captures that `analyzer` has processed, one of each kind.
    static func gaps(of files: [CaptureInfo], _ analyzer: borrowing Analyzer, _ totals: CaptureStatistics)
        -> [LogGap]
    {
        if analyzer.totals.records == 0, let file = files.first {
            return [LogGap(code: .packets, text: "any packet", advice: Recorder(file).advice(.packets))]
        }
        guard let file = files.first else { return [] }
        if analyzer.totals.acl == 0 {
            // Controllers report connections only to hosts that have sent commands.
            guard analyzer.totals.commands == 0, !analyzer.listedLinks.isEmpty, file.content != .air
            else { return [] }
            let text = "HCI commands and ACL data: what the devices said to each other"
            return [LogGap(code: .data, text: text, advice: Recorder(file).advice(.data))]
        }
        guard totals.acl > 0 else { return [] }
        var gaps: [LogGap] = []
        func add(_ code: Code, _ recorder: Recorder, _ text: String) {
            gaps.append(LogGap(code: code, text: text, advice: recorder.advice(code)))
        }
        let recorder = Recorder(file)
        var opening = 0
        var lacksExchange = false
        for link in analyzer.listedLinks where link.mayLackEarlierPackets && link.earlierNumber == nil {
            guard link.counts.attPDUs > 0, link.predecessor == nil, !link.beginningIsMissing else { continue }
            opening += 1
            if link.phases.mtuStarted == nil { lacksExchange = true }
        }
        for (index, file) in files.enumerated() {
            guard let shown = analyzer.shownPackets(inFile: index), !shown.isEmpty else { continue }
            let recorder = Recorder(file)
            let known = Set(gaps.map(\.code))
            if !shown.contains(.events), !known.contains(.events) {
                add(.events, recorder, "HCI events: when connections began and ended, and with whom")
            }
            guard !known.contains(.direction), shown.contains(.fromHost) != shown.contains(.fromController)
            else { continue }
            let missing = shown.contains(.fromHost) ? "received" : "sent"
            add(.direction, recorder, "what the recorded device \(missing)")
        }
        if totals.cutACL > 0 {
            let count =
                totals.cutACL == totals.acl ? "all \(totals.acl)" : "\(totals.cutACL) of \(totals.acl)"
            add(.values, recorder, "the end of \(count) ACL packets, which the recorder cut")
        }
        if opening > 0, !gaps.contains(where: { $0.code == .events }) {
            let what = opening == 1 ? "a connection" : "\(opening) connections"
            let rest = lacksExchange ? ", with whom, and what was agreed on" : " and with whom"
            add(.start, recorder, "how \(what) began" + rest)
        }
        return gaps
    }
}

/// The recorder of a file, derived from its format.
private enum Recorder {
    case android, apple, linux, air, unknown

    init(_ file: CaptureInfo) {
        switch (file.format, file.datalink) {
        case (.btsnoop, 2001), (.hcidump, _), (.pcap, 254), (.pcapng, 254): self = .linux
        case (.btsnoop, _), (.btsnooz, _): self = .android
        case (.packetLogger, _): self = .apple
        default: self = file.content == .air ? .air : .unknown
        }
    }

    func advice(_ gap: LogGap.Code) -> String {
        switch (gap, self) {
        case (.events, _), (.direction, _), (.data, _):
            "take the whole log, or export all packets of it, without a filter"
        case (.values, .android):
            "set the HCI snoop log to Enabled in the developer options, then turn Bluetooth off and on"
        case (.values, .linux): "use blecap record or btmon -w, which keep whole packets"
        case (.values, _): "let the recorder keep whole packets"
        case (.start, .android):
            "also give the part before (btsnoop_hci.log.last), or turn Bluetooth off and on while logging"
        case (.packets, .linux): "start recording before the devices connect"
        case (.packets, .air): "start the sniffer near the device, before it connects"
        case (.packets, _): "turn Bluetooth off and on again after the log is switched on"
        case (.start, _): "start recording before the devices connect"
        }
    }
}
