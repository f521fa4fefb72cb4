import BluetoothCore
import CaptureFile
import PayloadFormat

// Connections that are asked for and never come about, and commands that the controller refuses.

extension Analyzer {
    /// The host asks for a connection; the address is nil where the filter accept list says to whom.
    mutating func startConnect(_ address: DeviceAddress?, _ adapter: Int) {
        frame.fold = .none
        frame.peer = address
        claimAttempts(adapter)
        adapters[adapter].startConnect(address, frame.place, frame.time)
        attemptCount &+= 1
    }

    /// What the host asked for is withdrawn, or ends with its adapter: it is told where a device kept silent.
    mutating func giveUpAttempt(_ adapter: Int) {
        guard let given = adapters[adapter].takeGivenUp(at: frame.time) else { return }
        let attempt = given.known(by: advertisers)
        // A log without events would not show the connection.
        guard attempt.waited >= ConnectAttempt.shortest,
            progress(ofFile: frame.file)?.shown.contains(.events) == true
        else { return }
        guard !attempt.isByAcceptList || attempt.advertisedAs != nil else {
            return note(byAcceptList: attempt)
        }
        reportGivenUp(0, attempt, adapter)
    }

    /// Reports an attempt that the host withdrew. It may ask again: only where the device is not connected to
    /// later has that failed.
    mutating func reportGivenUp(_ status: UInt8, _ attempt: ConnectAttempt, _ adapter: Int) {
        report(.hci(.connectionGivenUp(HCIStatus(rawValue: status), attempt)))
        if let problem = problems.last { adapters[adapter].givenUp.keep(sight(of: problem)) }
    }

    /// A problem of the frame as it counts where nothing works after it; the record has been counted where
    /// its analysis is over.
    private func sight(of problem: Problem, isCounted: Bool = false) -> Refusal.Sight {
        var problem = problem
        problem.file = frame.place.file
        return Refusal.Sight(
            problem: problem, place: frame.place, order: totals.records &+ (isCounted ? 0 : 1))
    }

    /// Notes that a frame was chosen that tells this problem: what chosen frames add up to names a refusal as
    /// a failure only where it is in one of them.
    mutating func chooseRefusal(_ problem: Problem) {
        guard problem.code == .commandFailed || problem.code == .connectionGivenUp else { return }
        let sight = sight(of: problem, isCounted: true)
        adapters[adapters.place(frame.file, frame.header.adapter)].choose(sight)
    }

    /// Remembers the longest wait for devices of the accept list, for a log without a connection.
    private mutating func note(byAcceptList attempt: ConnectAttempt) {
        if let longest = acceptListAttempt, longest.waited >= attempt.waited { return }
        acceptListAttempt = attempt
    }

    /// The attempt that an event of BR/EDR ends, where its command was seen.
    func classicAttempt(_ address: DeviceAddress) -> ConnectAttempt? {
        frame.request.map {
            ConnectAttempt(
                address, place: $0.place,
                time: CaptureTime(nanoseconds: frame.time.nanoseconds &- $0.latency), waited: $0.latency)
        }
    }

    /// The controller refused a command: what that would have begun has not.
    ///
    /// - Parameters:
    ///   - command: the command, where the event that ends it would be another.
    ///   - stops: whether it stops something; nil where the log does not tell.
    mutating func refused(
        _ opcode: HCIOpcode, _ status: UInt8, _ command: AdapterTable.RunningCommand? = nil, stops: Bool?
    ) {
        let adapter = adapters.place(frame.file, frame.header.adapter)
        let status = HCIStatus(rawValue: status)
        var problem = Problem(.hci(.commandFailed(opcode, status, nil)))
        switch opcode.rawValue {
        case LECreateConnection.opcode.rawValue, LEExtendedCreateConnection.opcode.rawValue,
            LEExtendedCreateConnectionV2.opcode.rawValue:
            let (attempt, isUnderWay) = adapters[adapter].takeRefused(frame.request?.place)
            problem = Problem(.hci(.commandFailed(opcode, status, attempt)))
            // With another attempt under way, how that ends is what counts; to a device that is connected
            // nothing failed.
            if !isUnderWay, !isConnected(problem, status, .le, adapter) {
                adapters[adapter].refusedConnects.keep(sight(of: problem))
            }
        case HCICreateConnection.opcode.rawValue:
            guard let command else { break }
            let peer = DeviceAddress(command.key, .public)
            let attempt = ConnectAttempt(
                peer, place: command.frame, time: command.time,
                waited: frame.time.nanoseconds &- command.time.nanoseconds)
            problem = Problem(.hci(.commandFailed(opcode, status, attempt)))
            // To a device that is connected, or asked for already, nothing failed.
            if command.before == nil, !isConnected(problem, status, .brEDR, adapter) {
                adapters[adapter].refusedClassicConnects.keep(sight(of: problem))
            }
        case LESetScanEnable.opcode.rawValue, LESetExtendedScanEnable.opcode.rawValue:
            let wasScanning = adapters[adapter].takeBackScan()
            if adapters[adapter].scanIsAsked, !wasScanning, adapters[adapter].refusedScan == nil {
                adapters[adapter].refusedScan = Refusal(sight(of: problem))
            }
        case 0x2006, 0x200A, 0x2036, 0x2039, 0x207F:
            if stops == false { adapters[adapter].refusedToAdvertise(opcode, status, sight(of: problem)) }
        default:
            if let side = refusedChange(opcode, status.rawValue) {
                problem = Problem(.hci(.commandFailed(opcode, status, nil)), by: side)
            }
        }
        // What does not run can't be stopped: hosts make sure.
        if stops == true, status == .commandDisallowed || status == .unknownConnectionIdentifier {
            problem = Problem(.hci(.stopRefused(opcode, status)))
        }
        problems.append(problem)
    }

    /// Whether a connection to the device of a refused attempt is open on an adapter: one of LE and one of
    /// BR/EDR are two.
    private func isConnected(
        _ problem: Problem, _ status: HCIStatus, _ transport: Link.Transport, _ adapter: Int
    ) -> Bool {
        guard problem.attempt?.peer != nil else { return false }
        var refusal = Refusal(sight(of: problem))
        // Which of those that were open before the log began are to the device the controller says.
        let exists = status == .connectionAlreadyExists
        for link in links
        where link.isFollowed && link.isOpen && (link.transport == transport || link.transport == .unknown) {
            guard AdapterTable.key(link.file, link.adapter) == adapters[adapter].key else { continue }
            guard let address = link.address else {
                if exists { return true }
                continue
            }
            let known = PeerTable.Key(peers[link.peer].address ?? address)
            if refusal.isOf(PeerTable.Key(address), knownAs: known, peers) { return true }
        }
        return false
    }

    /// The controller took a command: an earlier refusal of its kind kept nothing from working.
    mutating func accepted(_ opcode: HCIOpcode, stops: Bool?) {
        switch opcode.rawValue {
        case LECreateConnection.opcode.rawValue, LEExtendedCreateConnection.opcode.rawValue,
            LEExtendedCreateConnectionV2.opcode.rawValue:
            let adapter = adapters.place(frame.file, frame.header.adapter)
            // Of two that were asked for at once the second may still be refused.
            if let before = adapters[adapter].attemptBefore, before.place != frame.request?.place {
                adapters[adapter].attemptBefore = nil
            }
            adapters[adapter].refusedConnects = []
        case HCICreateConnection.opcode.rawValue:
            let adapter = adapters.place(frame.file, frame.header.adapter)
            adapters[adapter].refusedClassicConnects = []
        case LESetScanEnable.opcode.rawValue, LESetExtendedScanEnable.opcode.rawValue:
            let adapter = adapters.place(frame.file, frame.header.adapter)
            if adapters[adapter].scanIsAsked { adapters[adapter].refusedScan = nil }
        case 0x2006, 0x2036, 0x207F:
            adapters[adapters.place(frame.file, frame.header.adapter)].tookParameters(opcode)
        case 0x200A, 0x2039:
            if stops != true { adapters[adapters.place(frame.file, frame.header.adapter)].noteAdvertised() }
        default: break
        }
    }

    /// Ends the analysis of the adapters: what still waits is listed, and a refusal or a withdrawal after
    /// which nothing worked is a failure.
    mutating func finishAdapters() {
        var refusals: [Refusal] = []
        for place in adapters.all.indices {
            guard let last = progress(ofFile: Int(adapters[place].key >> 16))?.time else { continue }
            if let open = adapters[place].openAttempt(at: last) {
                let attempt = open.known(by: advertisers)
                if attempt.advertisedAs != nil, attempt.waited >= ConnectAttempt.shortest {
                    refusals.append(Refusal(neverAnswered(attempt, place)))
                } else if attempt.isByAcceptList {
                    note(byAcceptList: attempt)
                }
            }
            let before = openRequests.count
            openRequests += adapters[place].openRequests(at: last)
            selection?.keep(openRequests[before...])
            adapters[place].stopScan(at: CaptureTime(nanoseconds: last))
            scanTime = max(scanTime, adapters[place].scanned)
            refusals += adapters[place].refusedConnects + adapters[place].refusedClassicConnects
            refusals += [adapters[place].refusedScan, adapters[place].refusedAdvertising].compactMap { $0 }
            refusals += adapters[place].givenUp
            for asked in adapters[place].takeOverdue() { countOverdue(asked, end: last) }
        }
        // A device may be heard by its own kind of address only after it was asked for by another.
        for index in refusals.indices { refusals[index].update(by: advertisers) }
        for sight in refusals.map(\.first).sorted(by: { $0.order < $1.order }) {
            totals.raise(sight.problem, sight.place, order: sight.order)
        }
        for sight in refusals.compactMap(\.chosen).sorted(by: { $0.order < $1.order }) {
            selection?.totals.raise(sight.problem, sight.place, order: sight.order)
        }
        openRequests.sort { $0.place.bits < $1.place.bits }
    }

    /// In a log of a session over LE, pages of devices that no connection is with are no failure of that.
    mutating func setAsidePages() {
        guard finished.contains(where: { $0.transport == .le && $0.counts.attPDUs > 0 }) else { return }
        let met = finished.flatMap { [$0.address, $0.identity] }.compactMap { $0?.value }
        totals.setAsidePages(besides: Set(met))
        selection?.totals.setAsidePages(besides: Set(met))
    }

    /// An attempt that nobody can answer, as the log ends; it is listed as a failure, and not as open.
    private mutating func neverAnswered(_ attempt: ConnectAttempt, _ adapter: Int) -> Refusal.Sight {
        var attempt = attempt
        attempt.isOpen = true
        adapters[adapter].attempt = nil
        var problem = Problem(.hci(.connectionGivenUp(HCIStatus(rawValue: 0), attempt)))
        problem.file = attempt.place.file
        return Refusal.Sight(problem: problem, place: attempt.place, order: totals.records)
    }

    /// Counts, at the log's end, a command without an answer that other packets overtook.
    private mutating func countOverdue(_ asked: AdapterTable.PendingCommand, end: Int64) {
        let problem = Problem(
            .hci(
                .commandUnanswered(
                    HCIOpcode(rawValue: asked.opcode), asked.frame, waited: end &- asked.time.nanoseconds)))
        totals.order = asked.order
        totals.count(problem, at: asked.frame, link: asked.connection, speaksProtocol: false)
        selection?.count(problem, of: asked)
    }

    /// Reports the commands without an answer that have waited for too long, as their controller starts anew
    /// or goes.
    mutating func endCommands(_ adapter: Int) {
        for _ in adapters[adapter].pending { checkCommands(adapter) }
    }

    /// Reports the oldest command without an answer where it has waited for too long.
    mutating func checkCommands(_ adapter: Int) {
        if let problem = adapters[adapter].takeUnanswered(at: frame.time) { report(.hci(problem)) }
    }
}
