import BluetoothCore
import Runtime
import VirtualController
import WireBytes

/// The recorded side of the host's pending connection attempt.
struct Initiating: Sendable {
    /// The devices of the current or last attempt.
    var targets: [DeviceAddress] = []
    /// The index of the recorded attempt that corresponds to it; nil without one.
    var place: Int?
    var generation = 0
    /// Whether the host's last command cancelled the attempt.
    var isCancelled = false

    init(generation: Int = 0, after targets: [DeviceAddress] = []) {
        self.generation = generation
        self.targets = targets
    }
}

extension FakeController {
    mutating func startInitiating(_ command: LEExtendedCreateConnection) -> HCIStatus {
        let targets = targets(of: command)
        let isOpen = links.contains { link in
            !link.isClosed && targets.contains { $0.names(link.connection.peer) }
        }
        guard !isOpen || command.usesAcceptList else { return .connectionAlreadyExists }
        let before = initiating.targets
        initiating.targets = targets
        initiating.generation += 1
        note(attempt: "connect to " + targets.map { "\($0)" }.joined(separator: ", "))
        let place = nextAttempt(to: targets)
        initiating.place = place
        if place.map({ attempts[$0].wasTried }) ?? true {
            // A host that adds devices to its attempt makes no further attempt to the others.
            countFurther(targets == before ? targets : targets.filter { !before.contains($0) }, place: place)
        }
        guard let place else {
            repeatFailure(targets)
            return .success
        }
        let connection = attempts[place].recorded
        guard !attempts[place].isInVain else {
            waitInVain(place: place)
            return .success
        }
        let usual = air.now.advanced(by: connection.connectDelay)
        let time = air.placed(cause: air.now, delay: connection.connectDelay, converted: usual)
        air.schedule(.connect(generation: initiating.generation, place: place), at: time)
        // Only the first attempt is progress, so that endless cancelling is not.
        if !attempts[place].wasTried {
            attempts[place].wasTried = true
            air.judge.lastProgress = air.now
            air.lastIndependent = max(air.lastIndependent, time)
        }
        return .success
    }

    /// Returns the devices that an attempt of the host may reach.
    func targets(of command: LEExtendedCreateConnection) -> [DeviceAddress] {
        command.usesAcceptList ? air.core.acceptList : [command.peerAddress]
    }

    /// Returns the index of the next recorded attempt to one of these devices. Skips attempts that the
    /// recorded host cancelled and that this host need not repeat.
    private mutating func nextAttempt(to targets: [DeviceAddress]) -> Int? {
        for (place, attempt) in attempts.enumerated() where !attempt.recorded.isLeftOut {
            guard targets.contains(where: { attempt.isOpen(to: $0) }) else { continue }
            guard attempt.isNeedless else { return place }
            attempts[place].isPlayed = true
            air.judge.note(.attemptGivenUp)
        }
        return nil
    }

    /// Lets the host's pending attempt go as the recorded one at this index went.
    mutating func connect(generation: Int, place: Int) {
        guard generation == initiating.generation, let command = air.core.initiating else { return }
        let connection = attempts[place].recorded
        guard !attempts[place].isPlayed || connection.status != .success else { return }
        for earlier in 0..<place where attempts[earlier].isRequired {
            guard attempts[earlier].isOpen(to: connection.peer) else { continue }
            // The host kept waiting where the recorded host tried again.
            air.judge.note(.attemptGivenUp)
            attemptEnded(place: earlier, isCompared: false)
        }
        if attempts[place].isInVain {
            initiating.place = place
            return waitInVain(place: place)
        }
        air.core.initiating = nil
        guard connection.status == .success else {
            note(attempt: "not connected: \(connection.status)")
            if !attempts[place].isPlayed {
                attemptEnded(place: place, isCompared: attempts[place].isRequired)
            }
            return air.sendEvent(
                LEConnectionComplete(
                    status: connection.status, peerAddressType: connection.peer.isRandom ? 1 : 0,
                    peerAddress: connection.peer))
        }
        note(attempt: "connected to \(connection.peer)")
        open(place: place, isOwnRandom: command.ownAddressType & 1 == 1)
    }

    /// Lets the next recorded central connect after the recorded delay, if the host advertises.
    mutating func scheduleCentral() {
        let set = air.core.advertising
        guard set.isEnabled, set.isConnectable, let place = awaited.first else { return }
        let connection = attempts[place].recorded
        let usual = air.now.advanced(by: connection.connectDelay)
        let time = air.placed(cause: air.now, delay: connection.connectDelay, converted: usual)
        air.schedule(.accept(generation: set.generation, place: place, usual: usual), at: time)
    }

    /// Lets the next recorded central connect, once the host advertises the recorded data.
    ///
    /// - Parameter usual: the time with the recorded delay. If the host does not advertise the recorded data
    ///   earlier, the central waits until then.
    mutating func accept(generation: Int, place: Int, usual: Instant) {
        let set = air.core.advertising
        guard set.isEnabled, generation == set.generation, awaited.first == place else { return }
        let connection = attempts[place].recorded
        if air.now < usual, !isAdvertised(connection) {
            return air.schedule(.accept(generation: generation, place: place, usual: usual), at: usual)
        }
        awaited.removeFirst()
        compareAdvertising(connection)
        air.core.stopAdvertising(set: 0)
        open(place: place, isOwnRandom: set.parameters.ownAddressType & 1 == 1)
    }

    private func isAdvertised(_ connection: RecordedConnection) -> Bool {
        guard let expected = connection.advertising else { return true }
        let got = air.core.advertising
        return (expected.data, expected.scanResponse) == (got.data.octets, got.scanResponse.octets)
    }

    /// Compares the host's advertising data with the data that the recorded central found.
    private mutating func compareAdvertising(_ connection: RecordedConnection) {
        guard let expected = connection.advertising, !isAdvertised(connection), !air.judge.hasVerdict
        else { return }
        let got = RecordedConnection.Advertising(
            data: air.core.advertising.data.octets, scanResponse: air.core.advertising.scanResponse.octets)
        record(
            .told(
                .packet, at: air.now, on: connection.number, to: connection.peer, frame: expected.frame,
                expected: expected.text, got: got.text, callbacks: air.transcript.callbacks))
    }

    /// Opens the link of a recorded connection, and reports it to the host.
    private mutating func open(place: Int, isOwnRandom: Bool) {
        let connection = attempts[place].recorded
        attempts[place].isPlayed = true
        air.judge.lastProgress = air.now
        logCursor = max(logCursor, connection.completed)
        let handle = air.core.newHandle { [links] handle in
            links.contains { !$0.isClosed && $0.handle == handle }
        }
        unplayed -= 1
        air.undone += 1
        var link = FakeLink(
            model, place: place, index: links.count, handle: handle, options.tier, at: air.now)
        let own = isOwnRandom ? air.core.randomAddress : model.controller.address
        if let own { link.host = own }
        link.live = options.livePeers[connection.number]
        // The device keeps its state from earlier links.
        let before = links.last { $0.connection.peer == connection.peer && $0.isLive }?.live
        if options.isLive {
            if let before { link.live = before.connectedAgain(link.live) }
            link.goLive(&air.judge)
        } else if let before {
            link.live?.remember(before)
        }
        air.outputs.append(.connecting(RecordedPast(connection)))
        air.sendEvent(
            LEConnectionComplete(
                connectionHandle: handle, role: connection.isCentral ? 0 : 1,
                peerAddressType: connection.peer.isRandom ? 1 : 0, peerAddress: connection.peer,
                connectionInterval: connection.intervalUnits, peripheralLatency: connection.latency,
                supervisionTimeout: connection.supervisionTimeoutUnits))
        // A host with a bond reports the link when it is encrypted.
        if connection.isCentral {
            link.expect(.connected, &air, frame: connection.frame, isOptional: connection.bond != nil)
        }
        link.advance(&air)
        links.append(link)
    }

    /// Schedules the turns of connection attempts whose earlier events have all happened.
    mutating func giveConnectTurns() {
        while nextConnectTurn < attempts.count {
            let place = nextConnectTurn
            let connection = attempts[place].recorded
            if attempts[place].isExpected {
                let begin = connection.asked ?? connection.completed
                // Connections begin in order, so later ones wait for these ends too.
                while endsPassed < ends.count, ends[endsPassed].time <= begin {
                    let end = ends[endsPassed]
                    if end.place < place {
                        guard let closed = attempts[end.place].closedAt else { return }
                        latestEnd = (end.time, closed)
                    }
                    endsPassed += 1
                }
                let time =
                    latestEnd.map { $0.replayed.advanced(by: max(.zero, $0.recorded.duration(to: begin))) }
                    ?? begin
                air.schedule(.connectTurn(place), at: time)
            }
            nextConnectTurn += 1
        }
    }
}

extension LEExtendedCreateConnection {
    fileprivate var usesAcceptList: Bool { initiatorFilterPolicy == 1 }
}

extension RecordedConnection.Advertising {
    fileprivate var text: String {
        "advertising data \(Hex.text(data)), scan response \(Hex.text(scanResponse))"
    }
}
