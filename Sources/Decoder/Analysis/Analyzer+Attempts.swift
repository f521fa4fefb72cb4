import BluetoothCore
import CaptureFile
import WireBytes

// Connections that are asked for and never come about, and commands that the controller refuses.

extension Analyzer {
    /// The host asks for a connection; the address is nil where the filter accept list says to whom.
    mutating func startConnect(_ address: DeviceAddress?, _ adapter: Int) {
        frame.fold = .none
        frame.peer = address
        var attempt = ConnectAttempt(
            address ?? adapters[adapter].acceptList.only, place: frame.place, time: frame.time)
        attempt.isByAcceptList = address == nil
        adapters[adapter].scanShown = 0
        adapters[adapter].scanBefore = adapters[adapter].scan
        adapters[adapter].attemptBefore = adapters[adapter].attempt
        adapters[adapter].attempt = attempt
        attemptCount &+= 1
    }

    /// What the host asked for is withdrawn, or ends with its adapter: it is told where a device kept silent.
    mutating func giveUpAttempt(_ adapter: Int) {
        guard var attempt = adapters[adapter].attempt else { return }
        adapters[adapter].attempt = nil
        let end = attempt.withdrawn ?? frame.time
        attempt.waited = end.nanoseconds &- attempt.time.nanoseconds
        guard attempt.waited >= ConnectAttempt.shortest else { return }
        guard !attempt.isByAcceptList else { return note(byAcceptList: attempt) }
        reportGivenUp(0, attempt, adapter)
    }

    /// Reports an attempt that the host withdrew. It may ask again: only where the device is not connected to
    /// later has that failed.
    mutating func reportGivenUp(_ status: UInt8, _ attempt: ConnectAttempt, _ adapter: Int) {
        reportAttempt(.connectionGivenUp, status, attempt)
        guard let problem = problems.last, adapters[adapter].givenUp.count < AdapterTable.givenUpLimit,
            !adapters[adapter].givenUp.contains(where: { problem.repeats($0.first.problem) })
        else { return }
        adapters[adapter].givenUp.append(Refusal(sight(of: problem)))
    }

    /// A problem of the frame as it counts where nothing works after it.
    private func sight(of problem: Problem) -> Refusal.Sight {
        Refusal.Sight(problem: problem, place: frame.place, order: totals.records)
    }

    /// The host is connected to a device, which may be known by an identity: an attempt to it that was
    /// withdrawn before kept nothing from working.
    mutating func forgetGivenUp(_ address: DeviceAddress, _ identity: DeviceAddress?, _ adapter: Int) {
        let device = PeerTable.Key(address)
        let known = PeerTable.Key(identity ?? address)
        for index in adapters[adapter].givenUp.indices.reversed()
        where adapters[adapter].givenUp[index].isOf(device, knownAs: known, peers) {
            adapters[adapter].givenUp.remove(at: index)
        }
    }

    /// A device has connected to the host, which was refused to connect to it: what was asked for is there.
    mutating func forgetRefused(_ address: DeviceAddress, _ identity: DeviceAddress?, _ adapter: Int) {
        // Of one that the accept list says it is not known.
        guard adapters[adapter].refusedConnect?.first.problem.attempt?.peer != nil else { return }
        let known = PeerTable.Key(identity ?? address)
        if adapters[adapter].refusedConnect?.isOf(PeerTable.Key(address), knownAs: known, peers) == true {
            adapters[adapter].refusedConnect = nil
        }
    }

    /// Notes that a frame was chosen that tells this problem: what chosen frames add up to names a refusal as
    /// a failure only where it is in one of them.
    mutating func chooseRefusal(_ problem: Problem) {
        guard problem.code == .commandFailed || problem.code == .connectionGivenUp else { return }
        let sight = sight(of: problem)
        adapters[adapters.place(frame.file, frame.header.adapter)].choose(sight)
    }

    /// Remembers the longest wait for devices of the accept list, for a log without a connection.
    private mutating func note(byAcceptList attempt: ConnectAttempt) {
        if let longest = acceptListAttempt, longest.waited >= attempt.waited { return }
        acceptListAttempt = attempt
    }

    /// Reports what became of an attempt.
    mutating func reportAttempt(_ code: Problem.Code, _ status: UInt8, _ attempt: ConnectAttempt?) {
        var problem = Problem(code, Int64(status))
        problem.attempt = attempt
        problem.file = frame.place.file
        problems.append(problem)
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
    /// - Parameter command: the command, where the event that ends it would be another.
    mutating func refused(
        _ opcode: HCIOpcode, _ status: UInt8, _ command: AdapterTable.RunningCommand? = nil
    ) {
        let adapter = adapters.place(frame.file, frame.header.adapter)
        var problem = Problem(.commandFailed, Int64(status), Int64(opcode.rawValue))
        problem.file = frame.place.file
        switch opcode.rawValue {
        case LECreateConnection.opcode.rawValue, LEExtendedCreateConnection.opcode.rawValue,
            LEExtendedCreateConnectionV2.opcode.rawValue:
            let before = adapters[adapter].attemptBefore
            problem.attempt = adapters[adapter].attempt
            adapters[adapter].attempt = before
            adapters[adapter].attemptBefore = nil
            // With another attempt under way, how that ends is what counts.
            if before == nil, adapters[adapter].refusedConnect == nil {
                adapters[adapter].refusedConnect = Refusal(sight(of: problem))
            }
        case HCICreateConnection.opcode.rawValue:
            guard let command else { break }
            let peer = DeviceAddress(command.key, .public)
            problem.attempt = ConnectAttempt(
                peer, place: command.frame, time: command.time,
                waited: frame.time.nanoseconds &- command.time.nanoseconds)
            // To a device that is connected, or asked for already, nothing failed.
            if command.before == nil, !isConnected(peer, adapter),
                adapters[adapter].refusedClassicConnect == nil
            {
                adapters[adapter].refusedClassicConnect = Refusal(sight(of: problem))
            }
        case LESetScanEnable.opcode.rawValue, LESetExtendedScanEnable.opcode.rawValue:
            let wasScanning = adapters[adapter].takeBackScan()
            if adapters[adapter].scanIsAsked, !wasScanning, adapters[adapter].refusedScan == nil {
                adapters[adapter].refusedScan = Refusal(sight(of: problem))
            }
        default: break
        }
        problems.append(problem)
    }

    /// Whether a connection of BR/EDR to a device is open on an adapter: one of LE is another.
    private func isConnected(_ peer: DeviceAddress, _ adapter: Int) -> Bool {
        links.contains {
            $0.isFollowed && $0.isOpen && $0.transport == .brEDR && $0.address?.value == peer.value
                && AdapterTable.key($0.file, $0.adapter) == adapters[adapter].key
        }
    }

    /// The controller took a command: an earlier refusal of its kind kept nothing from working.
    mutating func accepted(_ opcode: HCIOpcode) {
        switch opcode.rawValue {
        case LECreateConnection.opcode.rawValue, LEExtendedCreateConnection.opcode.rawValue,
            LEExtendedCreateConnectionV2.opcode.rawValue:
            let adapter = adapters.place(frame.file, frame.header.adapter)
            adapters[adapter].attemptBefore = nil
            adapters[adapter].refusedConnect = nil
        case HCICreateConnection.opcode.rawValue:
            let adapter = adapters.place(frame.file, frame.header.adapter)
            adapters[adapter].refusedClassicConnect = nil
        case LESetScanEnable.opcode.rawValue, LESetExtendedScanEnable.opcode.rawValue:
            let adapter = adapters.place(frame.file, frame.header.adapter)
            if adapters[adapter].scanIsAsked { adapters[adapter].refusedScan = nil }
        default: break
        }
    }

    /// Ends the analysis of the adapters: what still waits is listed, and a refusal or a withdrawal after
    /// which nothing worked is a failure.
    mutating func finishAdapters() {
        var refusals: [Refusal] = []
        for place in adapters.all.indices {
            guard let last = progress(ofFile: Int(adapters[place].key >> 16))?.time else { continue }
            let before = openRequests.count
            finishAttempts(place, at: last)
            finishCommands(place, at: last)
            selection?.keep(openRequests[before...])
            adapters[place].stopScan(at: CaptureTime(nanoseconds: last))
            scanTime = max(scanTime, adapters[place].scanned)
            refusals += [
                adapters[place].refusedConnect, adapters[place].refusedClassicConnect,
                adapters[place].refusedScan,
            ].compactMap { $0 }
            refusals += adapters[place].givenUp
        }
        for sight in refusals.map(\.first).sorted(by: { $0.order < $1.order }) {
            totals.raise(sight.problem, sight.place)
        }
        for sight in refusals.compactMap(\.chosen).sorted(by: { $0.order < $1.order }) {
            selection?.totals.raise(sight.problem, sight.place)
        }
        openRequests.sort { $0.place.bits < $1.place.bits }
    }

    private mutating func finishAttempts(_ place: Int, at last: Int64) {
        let loss = adapters[place].loss
        if var attempt = adapters[place].attempt, !loss.concerns(attempt.place, attempt.time) {
            attempt.waited = last &- attempt.time.nanoseconds
            if attempt.isByAcceptList {
                attempt.isOpen = true
                note(byAcceptList: attempt)
            } else {
                openRequests.append(OpenRequest(attempt))
            }
        }
        for asked in adapters[place].running
        where asked.opcode == HCICreateConnection.opcode.rawValue && !loss.concerns(asked.frame, asked.time) {
            openRequests.append(
                OpenRequest(
                    ConnectAttempt(
                        DeviceAddress(asked.key, .public), place: asked.frame, time: asked.time,
                        waited: last &- asked.time.nanoseconds)))
        }
    }

    /// Commands that the controller never answered, of an adapter that answers.
    private mutating func finishCommands(_ place: Int, at last: Int64) {
        guard adapters[place].answers > 0 else { return }
        let loss = adapters[place].loss
        for asked in adapters[place].pending {
            let waited = last &- asked.time.nanoseconds
            guard waited >= AdapterTable.longestAnswer, asked.expectsAnswer,
                !loss.concerns(asked.frame, asked.time)
            else { continue }
            let opcode = HCIOpcode(rawValue: asked.opcode)
            openRequests.append(
                OpenRequest(
                    place: asked.frame, name: opcode.name.map { "\($0)" } ?? "a command", waited: waited))
        }
    }

    /// Reports the commands without an answer that have waited for too long, as their controller starts anew
    /// or goes.
    mutating func endCommands(_ adapter: Int) {
        for _ in adapters[adapter].pending { checkCommands(adapter) }
    }

    /// Reports the oldest command without an answer where it has waited for too long: a controller answers
    /// in the order in which it was asked, or it is dead.
    mutating func checkCommands(_ adapter: Int) {
        guard let oldest = adapters[adapter].pending.first, adapters[adapter].answers > 0 else { return }
        let waited = frame.time.nanoseconds &- oldest.time.nanoseconds
        guard waited >= AdapterTable.longestAnswer else { return }
        adapters[adapter].pending.removeFirst()
        guard oldest.expectsAnswer, !adapters[adapter].loss.concerns(oldest.frame, oldest.time) else {
            return
        }
        let name = HCIOpcode(rawValue: oldest.opcode).name.map { "\($0)" }
        report(.commandUnanswered, at: oldest.frame, waited, text: name)
    }
}

extension OpenRequest {
    /// A connection that had not come about.
    fileprivate init(_ attempt: ConnectAttempt) {
        self.init(
            place: attempt.place, name: attempt.peer.map { "connect to \($0)" } ?? "a connect",
            waited: attempt.waited)
        isConnect = true
    }
}
