import BluetoothCore
import Runtime
import VirtualController
import WireBytes

// The search for the step that the host's PDU matches, and the reports of mismatches.
//
// A step is consumed in one of three ways: `finish` counts it as compared (`match`, if one PDU is the whole
// step), `tolerate` counts a normalization, and `skip` gives it up after a divergence. With a live peer
// nothing is compared, so its steps are consumed as soon as they are given to the driver.

extension FakeLink {
    /// Returns the index of the client's due step that meets a condition; steps that may be missing are
    /// passed over.
    ///
    /// - Parameter configured: the configuration that the host writes. Adjacent writes of different
    ///   configurations may come in any order, but not two writes of the same one.
    func find(configured: UInt16? = nil, where condition: (HostStep) -> Bool) -> Int? {
        var place = cursor
        // The index of the last PDU of a long value that is partly read: a step may come before the rest of
        // the value only if it does so in the log.
        var endOfValue: Int?
        while place < script.steps.count {
            defer { place += 1 }
            let step = script.steps[place]
            guard !consumed[place], step.lane == .client else { continue }
            if condition(step) {
                guard let endOfValue else { return place }
                return step.pdus.first.map { $0 < endOfValue } == true ? place : nil
            }
            if step.isRequired, isBegun(step), let last = step.pdus.last {
                endOfValue = min(endOfValue ?? last, last)
                continue
            }
            let mayBePassed =
                configured != nil && step.isConfiguration && step.handle != configured || isBelowTier(step)
            if step.isRequired, !mayBePassed { return nil }
        }
        return nil
    }

    /// Records that the host performed a step, in one PDU or by ending the connection (`octets` is nil).
    mutating func match(step found: Int, _ octets: [UInt8]?, _ air: inout RecordedAir) {
        begin(step: found, octets, &air)
        finish(step: found, &air)
    }

    /// Counts a step as compared, once the host has performed all of it.
    mutating func finish(step found: Int, _ air: inout RecordedAir) {
        air.judge.compared += 1
        matched.insert(found)
        consume(step: found, at: air.now)
    }

    /// Consumes a step that the host need not perform, and counts the difference.
    mutating func tolerate(step: Int, as normalization: Normalization, _ air: inout RecordedAir) {
        air.judge.note(normalization)
        consume(step: step, at: air.now)
    }

    /// Assigns the host's last PDU to a step, and tolerates the steps that it passes over.
    mutating func begin(step found: Int, _ octets: [UInt8]?, _ air: inout RecordedAir) {
        let step = script.steps[found]
        if octets != nil { air.transcript.joinLast(to: step.frame) }
        air.judge.useMasks(of: step)
        if step.lane == .client {
            passOver(before: found, &air)
            let before = script.turns[found].eventsBefore
            if nextEvent < before { air.judge.note(.aheadOfPeer) }
        }
    }

    /// Whether the tier leaves it to the host whether and how it performs a step.
    private func isBelowTier(_ step: HostStep) -> Bool {
        tier == .application && (step.isRead || step.isConfiguration || step.lane == .confirmation)
    }

    /// Skips optional steps before this one.
    private mutating func passOver(before found: Int, _ air: inout RecordedAir) {
        var place = cursor
        while place < found {
            defer { place += 1 }
            let step = script.steps[place]
            guard !consumed[place], step.lane == .client else { continue }
            if let normalization = step.mayBeMissing ?? (isBelowTier(step) ? .belowTheTier : nil) {
                tolerate(step: place, as: normalization, &air)
            } else if !isBegun(step) {
                air.judge.note(.subscriptionOrder)
            }
        }
    }

    mutating func matchDisconnection(_ reason: HCIStatus, _ air: inout RecordedAir) {
        guard !isLive else { return }
        let found = find { $0.action == .disconnect(reason) }
        let isDue = connection.isCentral || firstRequired == found
        if let found, isDue { return match(step: found, nil, &air) }
        let isAfterLog = connection.end == nil && mayBeEnded
        // After a request without a response, the Attribute Protocol can't go on (Vol 3, Part F, 3.3.3). Some
        // hosts then end the link by themselves, which is an error for the application.
        if pendingRequest != nil, replies == 0, firstRequired == nil,
            !isAfterLog || requestedAt.duration(to: air.now) >= HostScript.transaction
        {
            endIsAskedFor = false
            return air.judge.note(.afterTimeout)
        }
        if isAfterLog { return air.judge.note(.afterTheLog) }
        // The encryption failed. In the log the peer then ended the link; this project's host does so itself.
        if failsToEncrypt, connection.end?.request == nil,
            reason == .authenticationFailure, firstRequired == nil
        {
            return air.judge.note(.encryption)
        }
        diverge(.different, nil, .attribute, &air, other: "disconnect, reason \(reason)")
    }

    /// Compares a reset of the host's controller, which ends the link.
    mutating func matchReset(_ air: inout RecordedAir) {
        guard !isLive, !mayBeEnded else { return }
        diverge(
            .different, nil, .attribute, &air,
            other: "disconnect, reason \(HCIStatus.connectionTerminatedByLocalHost)")
    }

    mutating func diverge(
        _ kind: Divergence.Kind, _ octets: [UInt8]?, _ channel: L2CAPChannelID, _ air: inout RecordedAir,
        due: HostStep? = nil, other: String? = nil
    ) {
        guard !air.judge.hasVerdict else { return }
        let expected: HostStep? =
            switch channel {
            case .attribute: due ?? firstCompared.map { self.due(at: $0) }
            case .leSignalling: first(in: .signalling) { $0.isRequired }.map { script.steps[$0] }
            case .securityManager: dueSecurity.map { script.steps[$0] }
            default: nil
            }
        if departIfPermitted(octets, expected, &air) { return }
        if channel == .attribute, departIntoUnreadable(octets, &air) { return }
        if let expected, octets != nil { air.transcript.joinLast(to: expected.frame) }
        // The last entry is the host's own PDU.
        var before = air.transcript.last(9, of: connection.number)
        if octets != nil { before = before.dropLast() }
        let found = Divergence(
            kind: kind == .different && expected == nil ? .unexpected : kind, time: air.now,
            connection: connection.number, peer: connection.peer, expected: expected, got: octets,
            channel: channel, other: other,
            firstDifference: Self.firstDifference(expected?.octets, octets),
            nearest: nearest(octets, besides: expected), before: before.suffix(8),
            callbacks: air.transcript.callbacks, state: [stateLine])
        if air.judge.record(found) { continueSession(after: octets, expected, channel, &air) }
    }

    /// The index of the first required step that the tier compares, else of the first required step.
    private var firstCompared: Int? {
        guard let first = firstRequired else { return nil }
        return script.steps.indices[first...].first { place in
            let step = script.steps[place]
            return step.lane == script.steps[first].lane && step.isRequired && !consumed[place]
                && !isBelowTier(step)
        } ?? first
    }

    private static func firstDifference(_ expected: [UInt8]?, _ got: [UInt8]?) -> Int? {
        guard let expected, let got else { return nil }
        let common = zip(expected, got).prefix { $0 == $1 }.count
        return common == expected.count && common == got.count ? nil : common
    }

    /// Returns the step with the host's PDU that is nearest to the due step.
    private func nearest(_ octets: [UInt8]?, besides expected: HostStep?) -> Divergence.Nearest? {
        guard let octets else { return nil }
        let place = expected?.index ?? script.steps.count
        var best: HostStep?
        for step in script.steps where step.octets == octets && step.index != expected?.index {
            if let known = best, abs(known.index - place) <= abs(step.index - place) { continue }
            best = step
        }
        return best.map { Divergence.Nearest(frame: $0.frame, wasSeen: consumed[$0.index]) }
    }

    var next: HostStep? { frontier < script.steps.count ? due(at: frontier) : nil }

    /// Passes over the next step, which the host did not perform in time; returns false if it must.
    mutating func passOverNext(_ air: inout RecordedAir) -> Bool {
        guard let next else { return false }
        guard isBelowTier(next) else { return continueSession(without: next, &air) }
        tolerate(step: next.index, as: .belowTheTier, &air)
        air.judge.lastProgress = air.now
        advance(&air)
        return true
    }

    var stateLine: String {
        let number = connection.number
        var line = (number > 0 ? "connection \(number)" : "an attempt") + " to \(connection.peer) "
        line += isClosed ? "ended" : "open, ATT_MTU \(mtu)"
        if let pendingRequest, !isClosed {
            line += ", in flight: \(pendingRequest.name.map { "\($0)" } ?? "request")"
        }
        let seen = script.steps.count { $0.isRequired && consumed[$0.index] }
        return line + ", \(seen) of \(required) steps seen"
    }
}
