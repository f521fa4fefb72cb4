import Analysis
import BluetoothCore
import CaptureFile
import LinkLayer
import PayloadFormat
import Runtime
import WireBytes

// The records of a log, and its end.

extension AdapterLog {
    mutating func add(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        records += 1
        advance(to: record.header.time)
        noteProblems(analyzer)
        switch record.header.kind {
        case .command: addCommand(record.octets, analyzer)
        case .event:
            addEvent(record.octets, analyzer)
            addChanges(analyzer)
        case .acl: addData(record, analyzer)
        case .monitor: addMonitor(record.octets, analyzer)
        case .air: addAir(record, analyzer)
        default: break
        }
        for change in analyzer.changes { end(change, analyzer) }
        if budget.limits.packets > 0 { keepPacket(record, analyzer) }
    }

    /// Adds a packet from the air in the form of the HCI packets that the central's host would have.
    private mutating func addAir(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        isFromAir = true
        let account = analyzer.air.last
        if account.hasLost || account.isClosed {
            let connection = openConnection(analyzer)
            if connection > 0 {
                obstacles.note(
                    account.isClosed ? .closed : .notHeard, frame: analyzer.frame.number,
                    connection: connection)
            }
        }
        let view = analyzer.air.view
        for packet in view.packets {
            let octets = view.octets.borrowedOctets.clamped(packet.range)
            switch packet.kind {
            case .command: addCommand(octets, analyzer)
            case .event: addEvent(octets, analyzer)
            default: break
            }
        }
        addChanges(analyzer)
        if view.packets.contains(where: { $0.kind == .acl }) { addData(record, analyzer) }
        guard let number = analyzer.linkNumber, let place = open[number]?.place else { return }
        let gap = connections[place].hearing?.gap ?? 0
        let isGap = account.mayHaveMissed || account.isClosed
        connections[place].hearing = .init(last: last, gap: isGap ? analyzer.frame.number : gap)
    }

    private mutating func end(_ change: LinkChange, _ analyzer: borrowing Analyzer) {
        guard case .ended(let reason?, let place, let time) = change.kind, let number = change.connection,
            let open = open[number]
        else { return }
        connections[open.place].end = RecordedConnection.End(
            frame: place.frame, time: time == analyzer.frame.time ? last : instant(of: time),
            reason: HCIStatus(rawValue: reason), request: open.disconnect)
        if !connections[open.place].isCentral { own.end = last }
        close(link: number, analyzer)
    }

    /// Keeps the host's packets to its controller, for the strict tier.
    private mutating func keepPacket(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        guard analyzer.frame.direction == .hostToController,
            record.header.kind == .command || record.header.kind == .acl
        else { return }
        guard packets.count < budget.limits.packets, reserve(record.octets.byteCount, analyzer) else {
            return obstacles.note(.limit, frame: analyzer.frame.number)
        }
        packets.append(
            HostPacket(
                frame: analyzer.frame.number, type: record.header.kind == .command ? .command : .acl,
                octets: record.octets.copied(), connection: openConnection(analyzer)))
    }

    /// Counts this many more bytes towards the limit; returns false, with an obstacle, if they exceed it.
    mutating func reserve(_ octets: Int, _ analyzer: borrowing Analyzer) -> Bool {
        guard octets <= budget.limits.octets - budget.octets else {
            obstacles.note(.limit, frame: analyzer.frame.number)
            return false
        }
        budget.octets += octets
        return true
    }

    /// Adds obstacles for problems of the record that prevent playing a connection.
    private mutating func noteProblems(_ analyzer: borrowing Analyzer) {
        guard !analyzer.problems.isEmpty else { return }
        let number = analyzer.frame.number
        let connection = openConnection(analyzer)
        for problem in analyzer.problems {
            let traits = problem.traits
            if traits.contains(.losesPackets) { obstacles.note(.recorderDrops, frame: number) }
            if traits.contains(.losesTrack) { obstacles.note(.limit, frame: number) }
            if traits.contains(.losesFragments), connection > 0 {
                obstacles.note(.fragmentsLost, frame: number, connection: connection)
            }
        }
    }

    /// Returns the number of the frame's open LE connection; 0 without one.
    private func openConnection(_ analyzer: borrowing Analyzer) -> Int {
        analyzer.linkNumber.flatMap { open[$0] }.map { connections[$0.place].number } ?? 0
    }

    /// Completes the connections when the log has been read.
    ///
    /// - Parameter damage: the record beyond which the file could not be read; nil if it is whole.
    mutating func finish(_ analyzer: borrowing Analyzer, damage: Int?) {
        for number in open.keys.sorted() { close(link: number, analyzer) }
        shareOwnDatabase()
        completeConnections()
        if let damage { obstacles.note(.damagedFile, frame: damage) }
        let played = connections.filter(\.isPlayable)
        // On the air, what followed a request may have been missed by the sniffer.
        if played.isEmpty, !isFromAir { keepUnanswered() }
        let hasAttempts = connections.attemptsToRepeat.contains(true)
        if played.isEmpty, !hasAttempts {
            obstacles.note(.noConnection)
        } else if !hasAttempts,
            !played.contains(where: { $0.wasLostAtOnce || $0.steps.contains(where: \.isRequired) })
        {
            obstacles.note(.nothingToCompare)
        }
    }

    /// Keeps a pending attempt at the end of a log that has no connections.
    private mutating func keepUnanswered() {
        guard let attempt, let peer = attempt.peer else { return }
        var connection = RecordedConnection(
            number: -1 - connections.count, frame: attempt.frame, status: .unknownConnectionIdentifier,
            peer: peer, completed: last)
        connection.asked = attempt.time
        connection.isUnanswered = true
        connections.append(connection)
    }

    mutating func close(link number: Int, _ analyzer: borrowing Analyzer) {
        guard let open = open.removeValue(forKey: number) else { return }
        let connection = connections[open.place].number
        let lastOfHost = connections[open.place].pdus.last { $0.side == .host }?.frame ?? 0
        if let request = open.disconnect, request.frame > lastOfHost, connections[open.place].end == nil {
            // The host ended the connection, and the event of the end is missing.
            connections[open.place].end = RecordedConnection.End(
                frame: request.frame, time: request.time, reason: .connectionTerminatedByLocalHost,
                request: request)
        }
        if let frame = open.pending.values.min() {
            obstacles.note(.endsInPDU, frame: frame, connection: connection)
        }
        let slot = open.slot
        let isKnown = analyzer.links.indices.contains(slot) && analyzer.links[slot].number == number
        if isKnown { claimAttempt(place: open.place, slot: slot, analyzer) }
        connections[open.place].leaveOutIncomplete(isFromAir: isFromAir, &obstacles, &assumptions)
        guard isKnown else { return }
        let isOwn = !connections[open.place].isCentral
        let known = analyzer.knownAttributes(ofLink: slot, isOwn: isOwn)
        connections[open.place].learn(known)
    }

    // MARK: Advertising reports, both legacy and extended, in one form

    mutating func addReports(_ parameters: RawSpan, extended: Bool, _ analyzer: borrowing Analyzer) {
        guard var reports = try? LEAdvertisingReports(parameters, extended: extended) else { return }
        // A truncated report is left out, since other reports carry the same information.
        while let report = try? reports.next() {
            let data = parameters.clamped(report.data)
            guard data.byteCount == report.data.count else { return }
            if advertising.windows.isEmpty {
                advertising.windows.append(.init(start: last, startIsKnown: false))
            }
            add(report, data, analyzer)
        }
    }

    private mutating func add(_ report: LEAdvertisement, _ data: RawSpan, _ analyzer: borrowing Analyzer) {
        var octets: [UInt8] = []
        if let begun = partial, begun.address == report.address { octets = begun.data }
        partial = nil
        guard octets.count + data.byteCount <= Self.longestAdvertisement else { return }
        if report.isIncomplete {
            partial = (report.address, octets + data.copied())
            return
        }
        guard advertising.reports.count < budget.limits.reports else {
            obstacles.note(.limit, frame: analyzer.frame.number)
            return
        }
        guard reserve(octets.count + data.byteCount, analyzer) else { return }
        let start = advertising.octets.count
        advertising.octets += octets
        for index in 0..<data.byteCount { advertising.octets.append(data.octet(at: index) ?? 0) }
        advertising.reports.append(
            AdvertisingTimeline.Report(
                frame: analyzer.frame.number, time: last, address: report.address,
                kind: Self.legacyKind(report), data: start..<advertising.octets.count, rssi: report.rssi,
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
