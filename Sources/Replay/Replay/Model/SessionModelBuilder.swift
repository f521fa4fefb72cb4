public import Analysis
import BluetoothCore
public import CaptureFile
import LinkLayer
import Runtime
import WireBytes

/// Builds session models from records in one pass.
public struct SessionModelBuilder: ~Copyable {
    var analyzer: Analyzer
    let limits: SessionLimits
    var logs: [AdapterLog] = []
    /// Bytes of PDUs and advertising data so far, counted against the limits.
    var heldOctets = 0
    var heldPDUs = 0
    private var current = 0
    private var damage: Int?
    private var maker: String?

    /// The analysis of the current record.
    var frame: Frame { analyzer.frame }

    public init(_ knowledge: AnalysisKnowledge = AnalysisKnowledge(), limits: SessionLimits = .init()) {
        analyzer = Analyzer(knowledge)
        self.limits = limits
    }

    /// Adds the next record of a log; logs are numbered from 0.
    public mutating func add(_ record: borrowing Record, file: Int = 0) {
        analyzer.analyze(record, file: file)
        let header = record.header
        if header.kind == .monitor, header.foreignType == MonitorOpcode.systemNote.rawValue, maker == nil {
            maker = String(decoding: record.octets.copied().prefix { $0 != 0 }, as: UTF8.self)
        }
        // Records without an adapter belong to no session.
        guard header.adapter != 0xFFFF || header.kind != .monitor, header.kind != .note,
            let log = log(of: header.adapter, file, header.time)
        else { return }
        logs[log].records += 1
        let time = logs[log].advance(to: header.time)
        noteProblems(log: log)
        switch header.kind {
        case .command: addCommand(record.octets, at: time, log: log)
        case .event: addEvent(record.octets, at: time, log: log)
        case .acl: addData(record, at: time, log: log)
        case .monitor: addMonitor(record.octets, log: log)
        case .air: addAir(record, at: time, log: log)
        default: break
        }
        if limits.packets > 0 { keepPacket(record, log: log) }
    }

    /// Adds a packet from the air in the form of the HCI packets that the central's host would have.
    private mutating func addAir(_ record: borrowing Record, at time: Instant, log: Int) {
        logs[log].isFromAir = true
        let account = analyzer.air.last
        if account.hasLost || account.isClosed {
            let connection = openConnection(log: log)
            if connection > 0 {
                logs[log].obstacles.note(
                    account.isClosed ? .closed : .notHeard, frame: frame.number, connection: connection)
            }
        }
        let view = analyzer.air.view
        for packet in view.packets {
            let octets = view.octets.borrowedOctets.clamped(packet.range)
            switch packet.kind {
            case .command: addCommand(octets, at: time, log: log)
            case .event: addEvent(octets, at: time, log: log)
            default: addData(record, at: time, log: log)
            }
        }
        guard let number = linkNumber, let place = logs[log].open[number]?.place else { return }
        let gap = logs[log].connections[place].hearing?.gap ?? 0
        let isGap = account.mayHaveMissed || account.isClosed
        logs[log].connections[place].hearing = .init(last: time, gap: isGap ? frame.number : gap)
    }

    /// Keeps the host's packets to its controller, for the strict tier.
    private mutating func keepPacket(_ record: borrowing Record, log: Int) {
        guard frame.direction == .hostToController,
            record.header.kind == .command || record.header.kind == .acl
        else { return }
        guard logs[log].packets.count < limits.packets, take(record.octets.byteCount, log: log) else {
            return logs[log].obstacles.note(.limit, frame: frame.number)
        }
        logs[log].packets.append(
            HostPacket(
                frame: frame.number, type: record.header.kind == .command ? .command : .acl,
                octets: record.octets.copied(), connection: openConnection(log: log)))
    }

    /// Records that the file can't be read beyond a record.
    public mutating func noteDamage(record: Int) { damage = record }

    /// Returns the model of one adapter; nil for the adapter with the most ATT PDUs, centrals first.
    public consuming func model(of adapter: UInt16? = nil) throws(SessionModel.Failure) -> SessionModel {
        analyzer.finish()
        for log in logs.indices { finish(log: log) }
        let chosen: AdapterLog?
        if let adapter {
            chosen = logs.first { $0.adapter == adapter }
            guard chosen != nil else { throw .unknownAdapter(adapter) }
        } else {
            // `max` returns the last of equal elements, but the first is wanted.
            chosen = logs.reversed().max { $0.weight < $1.weight }
        }
        guard let chosen else { throw .noAdapter }
        var model = SessionModel(chosen)
        model.maker = maker
        for log in logs where log.adapter != chosen.adapter || log.file != chosen.file {
            let count = log.connections.count { $0.isCentral && $0.status == .success }
            guard count > 0 else { continue }
            model.otherAdapters.append(.init(adapter: log.adapter, connections: count))
        }
        let others = model.otherAdapters.reduce(0) { $0 + $1.connections }
        if adapter == nil, others > 0 { model.obstacles.append(Obstacle(.otherAdapter, count: others)) }
        return model
    }

    private mutating func log(of adapter: UInt16, _ file: Int, _ time: CaptureTime) -> Int? {
        if current < logs.count, logs[current].adapter == adapter, logs[current].file == file {
            return current
        }
        if let known = logs.firstIndex(where: { $0.adapter == adapter && $0.file == file }) {
            current = known
            return known
        }
        guard logs.count < limits.adapters else { return nil }
        logs.append(AdapterLog(file: file, adapter: adapter, origin: time))
        current = logs.count - 1
        return current
    }

    /// Whether this many more bytes are within the limit, which then counts them.
    mutating func take(_ octets: Int, log: Int) -> Bool {
        guard octets <= limits.octets - heldOctets else {
            logs[log].obstacles.note(.limit, frame: frame.number)
            return false
        }
        heldOctets += octets
        return true
    }

    /// Adds obstacles for problems of the record that prevent playing a connection.
    private mutating func noteProblems(log: Int) {
        guard !analyzer.problems.isEmpty else { return }
        let number = frame.number
        let connection = openConnection(log: log)
        for problem in analyzer.problems {
            let traits = problem.traits
            if traits.contains(.losesPackets) { logs[log].obstacles.note(.recorderDrops, frame: number) }
            if traits.contains(.losesTrack) { logs[log].obstacles.note(.limit, frame: number) }
            if traits.contains(.losesFragments), connection > 0 {
                logs[log].obstacles.note(.fragmentsLost, frame: number, connection: connection)
            }
        }
    }

    /// Returns the number of the frame's open LE connection; 0 without one.
    private func openConnection(log: Int) -> Int {
        guard frame.link >= 0, analyzer.links.indices.contains(frame.link),
            let open = logs[log].open[analyzer.links[frame.link].number]
        else { return 0 }
        return logs[log].connections[open.place].number
    }

    private mutating func finish(log: Int) {
        for number in logs[log].open.keys.sorted() { close(connection: number, log: log) }
        shareOwnDatabase(log: log)
        for place in logs[log].connections.indices { complete(place: place, log: log) }
        if let damage { logs[log].obstacles.note(.damagedFile, frame: damage) }
        let played = logs[log].connections.filter(FakeController.isPlayable)
        // On the air, what followed a request may have been missed by the sniffer.
        if played.isEmpty, !logs[log].isFromAir { keepUnanswered(log: log) }
        let hasAttempts = logs[log].connections.comparedAttempts.contains(true)
        if played.isEmpty, !hasAttempts {
            logs[log].obstacles.note(.noConnection)
        } else if !hasAttempts,
            !played.contains(where: { $0.wasLostAtOnce || $0.steps.contains(where: \.isRequired) })
        {
            logs[log].obstacles.note(.nothingToCompare)
        }
    }

    /// Keeps a pending attempt at the end of a log that has no connections.
    private mutating func keepUnanswered(log: Int) {
        guard let attempt = logs[log].attempt, let peer = attempt.peer else { return }
        var connection = RecordedConnection(
            number: -1 - logs[log].connections.count, frame: attempt.frame,
            status: .unknownConnectionIdentifier, peer: peer, completed: logs[log].last)
        connection.asked = attempt.time
        connection.isUnanswered = true
        logs[log].connections.append(connection)
    }

    /// Ends a connection, or the part of it that is in the log.
    mutating func close(connection number: Int, log: Int) {
        guard let open = logs[log].open.removeValue(forKey: number) else { return }
        let connection = logs[log].connections[open.place].number
        let lastOfHost = logs[log].connections[open.place].pdus.last { $0.side == .host }?.frame ?? 0
        if let request = open.disconnect, request.frame > lastOfHost,
            logs[log].connections[open.place].end == nil
        {
            // The host ended the connection, and the event of the end is missing.
            logs[log].connections[open.place].end = RecordedConnection.End(
                frame: request.frame, time: request.time, reason: .connectionTerminatedByLocalHost,
                request: request)
        }
        if let frame = open.pending.values.min() {
            logs[log].obstacles.note(.endsInPDU, frame: frame, connection: connection)
        }
        let slot = open.slot
        let isKnown = analyzer.links.indices.contains(slot) && analyzer.links[slot].number == number
        if isKnown { claimAttempt(place: open.place, slot, log: log) }
        leaveOutIncomplete(place: open.place, log: log)
        guard isKnown else { return }
        let isOwn = !logs[log].connections[open.place].isCentral
        let known = analyzer.knownAttributes(ofLink: slot, isOwn: isOwn)
        logs[log].connections[open.place].learn(known)
    }
}

// Advertising reports, both legacy and extended, in one form.

extension SessionModelBuilder {
    mutating func addReports(_ parameters: RawSpan, extended: Bool, at time: Instant, log: Int) {
        guard var reports = try? LEAdvertisingReports(parameters, extended: extended) else { return }
        // A truncated report is left out, since other reports carry the same information.
        while let report = try? reports.next() {
            let data = parameters.clamped(report.data)
            guard data.byteCount == report.data.count else { return }
            if logs[log].advertising.windows.isEmpty {
                logs[log].advertising.windows.append(.init(start: time, startIsKnown: false))
            }
            add(report, data, at: time, log: log)
        }
    }

    private mutating func add(_ report: LEAdvertisement, _ data: RawSpan, at time: Instant, log: Int) {
        var octets: [UInt8] = []
        if let partial = logs[log].partial {
            logs[log].partial = nil
            if partial.address == report.address { octets = partial.data }
        }
        guard octets.count + data.byteCount <= Self.longestAdvertisement else { return }
        if report.isIncomplete {
            logs[log].partial = (report.address, octets + data.copied())
            return
        }
        guard logs[log].advertising.reports.count < limits.reports else {
            logs[log].obstacles.note(.limit, frame: frame.number)
            return
        }
        guard take(octets.count + data.byteCount, log: log) else { return }
        let start = logs[log].advertising.octets.count
        logs[log].advertising.octets += octets
        for index in 0..<data.byteCount { logs[log].advertising.octets.append(data.octet(at: index) ?? 0) }
        logs[log].advertising.reports.append(
            AdvertisingTimeline.Report(
                frame: frame.number, time: time, address: report.address, kind: Self.legacyKind(report),
                data: start..<logs[log].advertising.octets.count, rssi: report.rssi,
                wasExtended: report.isExtended))
    }

    /// Maximum length of advertising data in bytes (Core Specification, Vol 6, Part B, 2.3.4.9).
    private static var longestAdvertisement: Int { 1650 }

    private static func legacyKind(_ report: LEAdvertisement) -> UInt8 {
        guard report.isExtended else { return UInt8(clamping: report.eventType) }
        if report.isScanResponse { return 4 }
        if report.eventType & 4 != 0 { return 1 }
        if report.isConnectable { return 0 }
        return report.eventType & 2 != 0 ? 2 : 3
    }
}
