import BluetoothCore
import CaptureFile
import PayloadFormat

// Connections that are requested and never established, and commands that the controller refuses.

extension Analyzer {
    /// Records the host's connection attempt. The address is nil if the filter accept list selects the
    /// device.
    mutating func startConnect(_ address: DeviceAddress?, adapter: Int) {
        frame.fold = .none
        frame.peer = address
        claimAttempts(adapter: adapter)
        adapters[adapter].startConnect(address, frame.place, frame.time)
        if frame.header.kind == .air { adapters[adapter].attempt?.isOnAir = true }
        attemptCount &+= 1
    }

    /// Withdraws an attempt that the host cancels or that ends with its adapter; reported if the device did
    /// not respond.
    mutating func withdrawAttempt(adapter: Int) {
        guard let given = adapters[adapter].takeWithdrawn(at: frame.time) else { return }
        let attempt = given.known(by: advertisers)
        if given.withdrawn != nil { adapters[adapter].withdrawnCounts.add(attempt) }
        // A log without events would not show the connection.
        guard attempt.waited >= ConnectAttempt.shortest,
            progress(ofFile: frame.file)?.shown.contains(.events) == true
        else { return }
        guard !attempt.isByAcceptList || attempt.mistake != nil else {
            return note(byAcceptList: attempt)
        }
        reportWithdrawn(0, attempt, adapter: adapter)
    }

    /// Reports an attempt that the host withdrew. The host may try again, so it is a failure only if no
    /// connection to the device follows.
    mutating func reportWithdrawn(_ status: UInt8, _ attempt: ConnectAttempt, adapter: Int) {
        report(.hci(.connectionGivenUp(HCIStatus(rawValue: status), attempt)))
        if let problem = problems.last { adapters[adapter].withdrawnAttempts.keep(occurrence(of: problem)) }
    }

    /// Returns the occurrence of a refusal that this problem of the frame reports.
    private func occurrence(of problem: Problem) -> UnresolvedFailure.Occurrence {
        var problem = problem
        problem.file = frame.place.file
        return UnresolvedFailure.Occurrence(problem: problem, place: frame.place, order: frame.recordNumber)
    }

    /// Records that a selected frame shows this problem. The totals of a selection list a refusal as a
    /// failure only if one of the selected frames shows it.
    mutating func chooseRefusal(_ problem: Problem) {
        guard problem.code == .commandFailed || problem.code == .connectionGivenUp else { return }
        let occurrence = occurrence(of: problem)
        adapters[frameAdapter].choose(occurrence)
    }

    /// Keeps the longest attempt by accept list and their number, which are reported if the log has no
    /// connection.
    private mutating func note(byAcceptList attempt: ConnectAttempt) {
        acceptListAttempts &+= 1
        if let longest = acceptListAttempt, longest.waited >= attempt.waited { return }
        acceptListAttempt = attempt
    }

    /// Returns the attempt that a BR/EDR event ends, if its command was seen.
    func classicAttempt(_ address: DeviceAddress) -> ConnectAttempt? {
        frame.request.map {
            ConnectAttempt(
                address, place: $0.place,
                time: CaptureTime(nanoseconds: frame.time.nanoseconds &- $0.latency), waited: $0.latency)
        }
    }

    /// Handles a command that the controller refused: the activity that it requested did not start.
    ///
    /// - Parameters:
    ///   - command: the command, if a separate event would complete it.
    ///   - asked: the command as it waited for this answer; nil if the log lacks it.
    mutating func refused(
        _ opcode: HCIOpcode, _ status: UInt8, _ command: AdapterTable.RunningCommand? = nil,
        asked: AdapterTable.PendingCommand?
    ) {
        let adapter = frameAdapter
        if asked != nil {
            adapters[adapter].lastRefused = (opcode.rawValue, status, frame.place, frame.time)
        } else if adapters[adapter].wasRefused(opcode.rawValue, status) {
            return
        }
        let status = HCIStatus(rawValue: status)
        let stops = asked?.stops
        let conflict = asked.flatMap { self.conflict(of: $0, status, adapter: adapter) }
        if conflict == .malformed, let command = frame.request?.place {
            updateTotals { $0.takeBack(malformedAt: command) }
        }
        var problem = Problem(.hci(.commandFailed(opcode, status, nil, conflict)))
        switch opcode.rawValue {
        case LECreateConnection.opcode.rawValue, LEExtendedCreateConnection.opcode.rawValue,
            LEExtendedCreateConnectionV2.opcode.rawValue:
            let (attempt, isUnderWay) = adapters[adapter].takeRefused(frame.request?.place)
            let isPending = isUnderWay && status == .commandDisallowed
            problem = Problem(
                .hci(.commandFailed(opcode, status, attempt, isPending ? .connecting : conflict)))
            // If another attempt is under way, its outcome counts. An attempt to a connected device is not a
            // failure.
            if !isUnderWay, !isConnected(problem, status, .le, adapter: adapter) {
                adapters[adapter].refusedConnects.keep(occurrence(of: problem))
            }
        case HCICreateConnection.opcode.rawValue:
            guard let command else { break }
            let peer = DeviceAddress(command.key, .public)
            let attempt = ConnectAttempt(
                peer, place: command.frame, time: command.time,
                waited: frame.time.nanoseconds &- command.time.nanoseconds)
            problem = Problem(.hci(.commandFailed(opcode, status, attempt, conflict)))
            // An attempt to a device that is connected, or already requested, is not a failure.
            if command.before == nil, !isConnected(problem, status, .brEDR, adapter: adapter) {
                adapters[adapter].refusedClassicConnects.keep(occurrence(of: problem))
            }
        case LESetScanEnable.opcode.rawValue, LESetExtendedScanEnable.opcode.rawValue:
            let wasScanning = adapters[adapter].takeBackScan()
            if adapters[adapter].lastScanCommandEnables, !wasScanning, adapters[adapter].refusedScan == nil {
                adapters[adapter].refusedScan = UnresolvedFailure(occurrence(of: problem))
            }
        case _ where opcode.isNeededToAdvertise:
            if stops == false {
                adapters[adapter].refusedToAdvertise(opcode, status, occurrence(of: problem))
            }
        default:
            // The commands of link policy are for connections of BR/EDR.
            let isForClassic = opcode.rawValue >> 10 == 2 && frame.link >= 0 && link.transport == .le
            if let side = isForClassic ? .host : refusedChange(opcode, status.rawValue) {
                problem = Problem(.hci(.commandFailed(opcode, status, nil, conflict)), by: side)
            }
        }
        // Only running activities can be stopped; hosts send these commands to make sure.
        if stops == true, status == .commandDisallowed || status == .unknownConnectionIdentifier {
            problem = Problem(.hci(.stopRefused(opcode, status)))
        }
        if Self.refusalsOfStart.contains(status), adapters[adapter].isUnused {
            adapters[adapter].startFailure = (UnresolvedFailure(occurrence(of: problem)), frame.time, false)
        }
        problems.append(problem)
    }

    /// The statuses by which a controller refuses what it does not know or support.
    private static let refusalsOfStart: [HCIStatus] = [
        .unknownHCICommand, .unsupportedFeatureOrParameterValue, .invalidHCICommandParameters,
    ]

    /// Records that the host closes an adapter: if right after a refusal, it could not start it.
    mutating func noteClosed(adapter: Int) {
        guard let start = adapters[adapter].startFailure, !start.closedAdapter else { return }
        adapters[adapter].startFailure =
            frame.time.since(start.time) <= Self.closingLimit ? (start.refusal, start.time, true) : nil
    }

    /// Longest time from a refusal that keeps an adapter from starting to its closing, in nanoseconds.
    private static let closingLimit: Int64 = 1_000_000_000

    /// Whether a connection to the device of a refused attempt is open on an adapter. LE and BR/EDR
    /// connections are distinct.
    private func isConnected(
        _ problem: Problem, _ status: HCIStatus, _ transport: Link.Transport, adapter: Int
    ) -> Bool {
        guard problem.attempt?.peer != nil else { return false }
        var refusal = UnresolvedFailure(occurrence(of: problem))
        // For connections opened before the log began, only the controller knows the device.
        let exists = status == .connectionAlreadyExists
        for link in links
        where link.isFollowed && link.isOpen && (link.transport == transport || link.transport == .unknown) {
            guard AdapterTable.key(file: link.file, adapter: link.adapter) == adapters[adapter].key else {
                continue
            }
            guard let address = link.address else {
                if exists { return true }
                continue
            }
            let known = PeerTable.Key(peers[link.peer].address ?? address)
            if refusal.isOf(PeerTable.Key(address), knownAs: known, peers) { return true }
        }
        return false
    }

    /// Handles a command that the controller accepted: an earlier refusal of its kind was harmless.
    mutating func accepted(_ opcode: HCIOpcode, stops: Bool?) {
        switch opcode.rawValue {
        case LECreateConnection.opcode.rawValue, LEExtendedCreateConnection.opcode.rawValue,
            LEExtendedCreateConnectionV2.opcode.rawValue:
            let adapter = frameAdapter
            // Of two attempts requested at once, the second may still be refused.
            if let before = adapters[adapter].attemptBefore, before.place != frame.request?.place {
                adapters[adapter].attemptBefore = nil
            }
            adapters[adapter].refusedConnects = []
        case HCICreateConnection.opcode.rawValue:
            let adapter = frameAdapter
            adapters[adapter].refusedClassicConnects = []
        case LESetScanEnable.opcode.rawValue, LESetExtendedScanEnable.opcode.rawValue:
            let adapter = frameAdapter
            if adapters[adapter].lastScanCommandEnables { adapters[adapter].refusedScan = nil }
        // LE Set Advertising Parameters, and both versions of the extended form.
        case 0x2006, 0x2036, 0x207F:
            adapters[frameAdapter].noteAcceptedParameters(opcode)
        // LE Set Advertising Enable, and its extended form.
        case 0x200A, 0x2039:
            if stops != true { adapters[frameAdapter].noteAdvertised() }
        default: break
        }
    }

    /// Ends the analysis of the adapters: lists pending requests, and reports refusals and withdrawals after
    /// which nothing worked as failures.
    mutating func finishAdapters() {
        var refusals: [UnresolvedFailure] = []
        for place in adapters.all.indices {
            guard let last = progress(ofFile: adapters[place].file)?.time else { continue }
            if let open = adapters[place].openAttempt(at: last) {
                let attempt = open.known(by: advertisers)
                if attempt.mistake != nil, attempt.waited >= ConnectAttempt.shortest {
                    refusals.append(UnresolvedFailure(neverAnswered(attempt, adapter: place)))
                } else if attempt.isByAcceptList {
                    note(byAcceptList: attempt)
                }
            }
            let before = openRequests.count
            openRequests += adapters[place].openRequests(at: last)
            selection?.keep(openRequests[before...])
            adapters[place].stopScan(at: CaptureTime(nanoseconds: last))
            longestTotalScanTime = max(longestTotalScanTime, adapters[place].totalScanTime)
            refusals += adapters[place].refusedConnects + adapters[place].refusedClassicConnects
            refusals += [adapters[place].refusedScan, adapters[place].refusedAdvertising].compactMap { $0 }
            if let start = adapters[place].startFailure, start.closedAdapter {
                refusals.append(start.refusal)
            }
            refusals += adapters[place].withdrawnAttempts
            for asked in adapters[place].takeOverdue() { countOverdue(asked, end: last) }
        }
        // A device may be heard with its real kind of address only after an attempt with the other kind.
        for index in refusals.indices { refusals[index].update(by: advertisers) }
        for occurrence in refusals.map(\.first).sorted(by: { $0.order < $1.order }) {
            totals.raise(occurrence.problem, occurrence.place, order: occurrence.order)
        }
        for occurrence in refusals.compactMap(\.chosen).sorted(by: { $0.order < $1.order }) {
            selection?.totals.raise(occurrence.problem, occurrence.place, order: occurrence.order)
        }
        openRequests.sort { $0.place.bits < $1.place.bits }
    }

    /// In a log with an LE session, stops counting failed BR/EDR connection attempts (pages) as failures,
    /// except for devices that were connected.
    mutating func setAsidePages() {
        guard finished.contains(where: { $0.transport == .le && $0.counts.attPDUs > 0 }) else { return }
        let connected = finished.flatMap { [$0.address, $0.identity] }.compactMap { $0?.value }
        updateTotals { $0.setAsidePages(besides: Set(connected)) }
    }

    /// Ends an attempt that no device can answer, when the log ends: it is a failure instead of an open
    /// request.
    private mutating func neverAnswered(_ attempt: ConnectAttempt, adapter: Int)
        -> UnresolvedFailure.Occurrence
    {
        var attempt = attempt
        attempt.isOpen = true
        adapters[adapter].attempt = nil
        var problem = Problem(.hci(.connectionGivenUp(HCIStatus(rawValue: 0), attempt)))
        problem.file = attempt.place.file
        return UnresolvedFailure.Occurrence(problem: problem, place: attempt.place, order: totals.records)
    }

    /// Counts, at the end of the log, an unanswered command that other packets overtook.
    private mutating func countOverdue(_ asked: AdapterTable.PendingCommand, end: Int64) {
        let problem = Problem(
            .hci(
                .commandUnanswered(
                    HCIOpcode(rawValue: asked.opcode), asked.frame, waited: end &- asked.time.nanoseconds)))
        totals.count(
            problem, at: asked.frame, order: asked.order, asked.time, link: asked.connection,
            speaksProtocol: false)
        selection?.count(problem, of: asked)
    }

    /// Reports the unanswered commands that have waited too long, when their controller restarts or goes
    /// away.
    mutating func endCommands(adapter: Int) {
        for _ in adapters[adapter].pending { checkCommands(adapter: adapter) }
    }

    /// Reports the oldest unanswered command if it has waited too long.
    mutating func checkCommands(adapter: Int) {
        if let problem = adapters[adapter].takeUnanswered(at: frame.time) { report(.hci(problem)) }
    }
}

// The states in which a controller must refuse a command.

extension Analyzer {
    /// Longest time in which the event of a connection's end reaches the program that sends commands, in
    /// nanoseconds.
    private static let longestCrossing: Int64 = 50_000_000

    /// Commands that are refused while an activity runs.
    private static let locked: [(opcodes: Set<UInt16>, by: CommandConflict)] = [
        // Clear, Add Device To and Remove Device From Filter Accept List.
        ([0x2010, 0x2011, 0x2012], .acceptList),
        // Set Scan Parameters and Set Extended Scan Parameters.
        ([0x200B, 0x2041], .scanning),
        // Set Random Address and Set Address Resolution Enable.
        ([0x2005, 0x202D], .active),
    ]

    /// Returns the state in which the controller had to refuse a command; nil if the log shows none.
    func conflict(
        of asked: AdapterTable.PendingCommand, _ status: HCIStatus, adapter: Int
    ) -> CommandConflict? {
        switch status {
        case .invalidHCICommandParameters where asked.isMalformed,
            .unsupportedFeatureOrParameterValue where asked.isMalformed:
            return .malformed
        case .unknownConnectionIdentifier where adapters[adapter].isEnding(asked): return .ending
        case .unknownConnectionIdentifier where asked.handle != 0xFFFF && frame.link < 0:
            let ended = endedHandles.last(
                file: frame.file, adapter: frame.header.adapter, handle: asked.handle)
            // A connection of which the log shows nothing may be the controller's mistake.
            guard asked.connection > 0 || ended?.mayBeOpen == false else { return nil }
            let isLate = ended.map { asked.time.since($0.time) >= Self.longestCrossing } ?? false
            return asked.connection > 0 || !isLate ? .crossed : .ended
        // Sniff Mode and Exit Sniff Mode.
        case .commandDisallowed where [0x0803, 0x0804].contains(asked.opcode) && frame.link >= 0:
            let passed = link.modeChanged.map { asked.time.since($0) }
            return passed.map { $0 < Self.longestCrossing } == true ? .modeCrossed : nil
        case .commandDisallowed:
            let attempt = adapters[adapter].attempt
            let isScanning = adapters[adapter].scanningSince != nil
            switch Self.locked.first(where: { $0.opcodes.contains(asked.opcode) })?.by {
            case .acceptList where attempt?.isByAcceptList == true: return .acceptList
            case .scanning where isScanning: return .scanning
            case .active where attempt != nil || isScanning: return .active
            default: return nil
            }
        default: return nil
        }
    }
}
