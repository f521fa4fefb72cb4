import BluetoothCore
import Runtime
import WireBytes

// Connection attempts and scans. The transcript has the host's commands; they are compared if they matter.

extension FakeController {
    /// Limit of tolerated attempts to a device beyond those in the log.
    private static let mostFurther = 3

    mutating func note(attempt text: String) {
        air.transcript.attempts.append(.init(time: air.now, text: text))
    }

    /// Ends an attempt that failed in the log.
    ///
    /// - Parameter isCompared: whether the host made the attempt too.
    mutating func attemptEnded(place: Int, isCompared: Bool) {
        attempts[place].isPlayed = true
        air.judge.lastProgress = air.now
        logCursor = max(logCursor, attempts[place].recorded.completed)
        guard attempts[place].isRequired else { return }
        unplayed -= 1
        attempts[place].closedAt = air.now
        if isCompared { repeatedAttempts += 1 }
        giveConnectTurns()
    }

    /// Lets the host wait for an absent device for as long as the recorded host did.
    mutating func waitInVain(place: Int) {
        let connection = attempts[place].recorded
        attempts[place].wasTried = true
        air.judge.lastProgress = air.now
        // If the log ended before the attempt did, nobody has to cancel it.
        guard connection.wasGivenUp else { return attemptEnded(place: place, isCompared: true) }
        air.schedule(.giveUpTurn(place), at: air.now.advanced(by: connection.connectDelay))
        let next = attempts[(place + 1)...].firstIndex { later in
            later.isOpen(to: connection.peer) && !later.recorded.isLeftOut && !later.isNeedless
        }
        // A host that keeps waiting takes the connection of the recorded host's next attempt.
        guard let next, let asked = connection.asked else { return }
        let one = attempts[next].recorded
        let until = one.status == .unknownConnectionIdentifier ? one.asked ?? one.completed : one.completed
        let time = air.now.advanced(by: max(.zero, asked.duration(to: until)))
        air.schedule(.connect(generation: initiating.generation, place: next), at: time)
        air.lastIndependent = max(air.lastIndependent, time)
    }

    /// Cancels the host's attempt.
    mutating func giveUp() {
        let place = initiating.place
        note(attempt: "connect no more")
        initiating = Initiating(generation: initiating.generation + 1, after: initiating.targets)
        initiating.isCancelled = true
        guard let place, attempts[place].isRequired, !attempts[place].isPlayed,
            attempts[place].recorded.wasGivenUp
        else { return }
        attemptEnded(place: place, isCompared: true)
    }

    /// Schedules another failure, for devices whose last attempt in the log failed.
    mutating func repeatFailure(_ targets: [DeviceAddress]) {
        let last = attempts.lastIndex { attempt in
            attempt.recorded.isCentral && targets.contains { $0.names(attempt.recorded.peer) }
        }
        guard let last, attempts[last].isRequired, !attempts[last].isInVain else { return }
        let time = air.now.advanced(by: attempts[last].recorded.connectDelay)
        air.schedule(.connect(generation: initiating.generation, place: last), at: time)
    }

    /// Counts attempts beyond those in the log; too many are a divergence.
    ///
    /// - Parameter place: the recorded attempt that the host has repeated; nil without one.
    mutating func countFurther(_ targets: [DeviceAddress], place: Int?) {
        for device in targets {
            // Not counted: a device that joins the attempt to another one before its own attempt in the log.
            let one = place.map { attempts[$0].recorded }
            let isAwaited = attempts.contains { $0.isOpen(to: device) && !$0.wasTried }
            guard one?.peer.names(device) == true || !isAwaited else { continue }
            air.judge.note(.furtherAttempt)
            furtherAttempts[device.value, default: 0] += 1
            guard furtherAttempts[device.value] == Self.mostFurther + 1 else { continue }
            let known = model.connections.filter { $0.isCentral && $0.peer.names(device) }
            record(
                .told(
                    .attempt, at: air.now, on: one?.number ?? 0, to: device,
                    frame: (one ?? known.last)?.frame ?? 0,
                    expected: known.count.counting("attempt") + " to connect to \(device)",
                    got: "\(Self.mostFurther + 1) attempts more than that",
                    callbacks: air.transcript.callbacks))
        }
    }

    /// Reports a divergence if the host continues a scan that the recorded host ended.
    mutating func checkScan() {
        guard let since = scanning.since, let window = model.advertising.windows.last, window.startIsKnown,
            let ended = window.end, links.allSatisfy({ $0.openedAt >= since }), !options.isLive
        else { return }
        let last = links.last?.connection
        guard ended < last?.end?.time ?? model.end, since <= links.first?.openedAt ?? ended else { return }
        record(
            .told(
                .scan, at: air.now, on: 0, to: last?.peer, frame: window.endFrame,
                expected: "the scan to end, as it did \(ReplayReport.seconds(ended)) s into the log",
                got: "a scan since \(ReplayReport.seconds(since)) s, through all of the session",
                callbacks: air.transcript.callbacks))
    }
}
