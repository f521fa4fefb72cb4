import BluetoothCore
import Runtime
import VirtualController
import WireBytes

// The search for the step that the host's PDU matches, and the reports of mismatches.

extension FakeController {
    /// Returns the index of the client's due step that meets a condition; steps that may be missing are
    /// passed over.
    ///
    /// - Parameter configured: the configuration that the host writes. Adjacent writes of different
    ///   configurations may come in any order, but not two writes of the same one.
    func find(
        link index: Int, configured: UInt16? = nil, where condition: (HostStep) -> Bool
    ) -> Int? {
        let link = links[index]
        var place = link.cursor
        // The index of the last PDU of a long value that is partly read: a step may come before the rest of
        // the value only if it does so in the log.
        var endOfValue: Int?
        while place < link.script.steps.count {
            defer { place += 1 }
            let step = link.script.steps[place]
            guard !link.isConsumed[place], step.lane == .client else { continue }
            if condition(step) {
                guard let endOfValue else { return place }
                return step.pdus.first.map { $0 < endOfValue } == true ? place : nil
            }
            if step.isRequired, link.isBegun(step), let last = step.pdus.last {
                endOfValue = min(endOfValue ?? last, last)
                continue
            }
            let mayBePassed =
                configured != nil && step.isConfiguration && step.handle != configured || isBelowTier(step)
            if step.isRequired, !mayBePassed { return nil }
        }
        return nil
    }

    /// Whether the host's PDU equals a step's PDU, except for masked bytes.
    func same(_ step: HostStep, _ octets: [UInt8]) -> Bool {
        guard let expected = step.octets, expected.count == octets.count else { return false }
        // In the application tier the host chooses between Write Request and Write Command.
        let start = options.tier == .application ? 1 : 0
        if expected[start...] == octets[start...] { return true }
        let masks = masks(of: step)
        guard !masks.isEmpty else { return false }
        for place in start..<expected.count where expected[place] != octets[place] {
            guard masks.contains(where: { $0.range.contains(place) }) else { return false }
        }
        return true
    }

    private func masks(of step: HostStep) -> [VolatileMask] {
        guard !options.masks.isEmpty, step.pdus.count <= 1 else { return [] }
        return options.masks.filter { $0.frame == step.frame }
    }

    /// Records that the host performed a step, in one PDU or by ending the connection (`octets` is nil).
    mutating func noteMatch(step found: Int, _ octets: [UInt8]?, link index: Int) {
        begin(step: found, octets, link: index)
        finish(step: found, link: index)
    }

    /// Records that the host finished a step.
    mutating func finish(step found: Int, link index: Int) {
        compared += 1
        links[index].isMatched.insert(found)
        links[index].consume(step: found, at: now)
    }

    /// Records that the host began a step.
    mutating func begin(step found: Int, _ octets: [UInt8]?, link index: Int) {
        let step = links[index].script.steps[found]
        if octets != nil { joinLast(to: step.frame) }
        for mask in masks(of: step) where !masksUsed.contains(mask) { masksUsed.append(mask) }
        if step.lane == .client {
            passOver(before: found, link: index)
            let before = links[index].script.turns[found].eventsBefore
            if links[index].nextEvent < before { normalizations.note(.aheadOfPeer) }
        }
    }

    /// Whether the tier leaves it to the host whether and how it performs a step.
    private func isBelowTier(_ step: HostStep) -> Bool {
        options.tier == .application && (step.isRead || step.isConfiguration || step.lane == .confirmation)
    }

    /// Skips optional steps before this one.
    private mutating func passOver(before found: Int, link index: Int) {
        var place = links[index].cursor
        while place < found {
            defer { place += 1 }
            let step = links[index].script.steps[place]
            guard !links[index].isConsumed[place], step.lane == .client else { continue }
            if let normalization = step.mayBeMissing ?? (isBelowTier(step) ? .belowTheTier : nil) {
                normalizations.note(normalization)
                links[index].consume(step: place, at: now)
            } else if !links[index].isBegun(step) {
                normalizations.note(.subscriptionOrder)
            }
        }
    }

    mutating func matchDisconnection(_ reason: HCIStatus, link index: Int) {
        guard !links[index].isLive else { return }
        let found = find(link: index) { $0.action == .disconnect(reason) }
        let isDue = links[index].connection.isCentral || links[index].firstRequired == found
        if let found, isDue { return noteMatch(step: found, nil, link: index) }
        let isAfterLog = links[index].connection.end == nil && links[index].mayBeEnded
        // An unanswered request ends the transactions of a host, and some hosts then disconnect.
        if links[index].pendingRequest != nil, links[index].replies == 0, links[index].firstRequired == nil,
            !isAfterLog || links[index].requestedAt.duration(to: now) >= HostScript.transaction
        {
            links[index].isEndedByHost = false
            return normalizations.note(.afterTimeout)
        }
        if isAfterLog { return normalizations.note(.afterTheLog) }
        // In the log, the peer ended the link after the same failure.
        if links[index].failsToEncrypt, links[index].connection.end?.request == nil,
            reason == .authenticationFailure, links[index].firstRequired == nil
        {
            return normalizations.note(.encryption)
        }
        diverge(.different, nil, .attribute, link: index, other: "disconnect, reason \(reason)")
    }

    mutating func diverge(
        _ kind: Divergence.Kind, _ octets: [UInt8]?, _ channel: L2CAPChannelID, link index: Int,
        due: HostStep? = nil, other: String? = nil
    ) {
        guard divergence == nil, stuck == nil else { return }
        let link = links[index]
        let expected: HostStep? =
            switch channel {
            case .attribute: due ?? firstCompared(link).map { link.due(at: $0) }
            case .leSignalling:
                link.first(in: .signalling) { $0.isRequired }.map { link.script.steps[$0] }
            case .securityManager: link.dueSecurity.map { link.script.steps[$0] }
            default: nil
            }
        if departIfPermitted(octets, expected, link: index) { return }
        if channel == .attribute, departIntoClosed(octets, link: index) { return }
        if let expected, octets != nil { joinLast(to: expected.frame) }
        // The last entry is the host's own PDU.
        var before = transcript.last(9, of: link.connection.number)
        if octets != nil { before = before.dropLast() }
        let found = Divergence(
            kind: kind == .different && expected == nil ? .unexpected : kind, time: now,
            connection: link.connection.number, peer: link.connection.peer, expected: expected, got: octets,
            channel: channel, other: other,
            firstDifference: Self.firstDifference(expected?.octets, octets),
            nearest: nearest(octets, link, besides: expected), before: before.suffix(8),
            callbacks: transcript.callbacks, state: state)
        if record(found) { continueSession(after: octets, expected, channel, link: index) }
    }

    /// Returns the index of the first required step that the tier compares, else of the first required step.
    private func firstCompared(_ link: FakeLink) -> Int? {
        guard let first = link.firstRequired else { return nil }
        return link.script.steps.indices[first...].first { place in
            let step = link.script.steps[place]
            return step.lane == link.script.steps[first].lane && step.isRequired && !link.isConsumed[place]
                && !isBelowTier(step)
        } ?? first
    }

    private static func firstDifference(_ expected: [UInt8]?, _ got: [UInt8]?) -> Int? {
        guard let expected, let got else { return nil }
        let common = zip(expected, got).prefix { $0 == $1 }.count
        return common == expected.count && common == got.count ? nil : common
    }

    /// Returns the step with the host's PDU that is nearest to the due step.
    private func nearest(
        _ octets: [UInt8]?, _ link: FakeLink, besides expected: HostStep?
    ) -> Divergence.Nearest? {
        guard let octets else { return nil }
        let place = expected?.index ?? link.script.steps.count
        var best: HostStep?
        for step in link.script.steps where step.octets == octets && step.index != expected?.index {
            if let known = best, abs(known.index - place) <= abs(step.index - place) { continue }
            best = step
        }
        return best.map { Divergence.Nearest(frame: $0.frame, wasSeen: link.isConsumed[$0.index]) }
    }

    /// Records that the host did not perform its next step in time.
    ///
    /// - Returns: whether the session continues without that step.
    mutating func noteStuck() -> Bool {
        guard divergence == nil, stuck == nil else { return false }
        guard !isComplete else {
            isOver = true
            return false
        }
        if let index = links.firstIndex(where: { !$0.isDone }) {
            let link = links[index]
            let next = link.frontier < link.script.steps.count ? link.due(at: link.frontier) : nil
            if let next, isBelowTier(next) {
                normalizations.note(.belowTheTier)
                links[index].consume(step: next.index, at: now)
                lastProgress = now
                advanceLink(link: index)
                return true
            }
            if let next, continueSession(without: next, link: index) { return true }
            stuck = Stuck(
                time: now, connection: link.connection.number, peer: link.connection.peer, expected: next,
                isUnconnected: false, before: transcript.last(8, of: link.connection.number),
                callbacks: transcript.callbacks, state: state)
            return false
        }
        for (place, connection) in model.connections.enumerated()
        where (Self.isPlayable(connection) || isRequiredAttempt[place]) && !isPlayed[place] {
            stuck = Stuck(
                time: now, connection: connection.number, peer: connection.peer, expected: nil,
                isUnconnected: true, waitsOn: core.initiating != nil && initiating.place == place,
                search: connection.isCentral ? search(for: connection.peer) : [],
                before: [],
                callbacks: transcript.callbacks.suffix(8), state: state)
            return false
        }
        return false
    }

    /// Limit of the devices listed in a report.
    private static let mostHeard = 4

    /// Returns the advertisements that a host without a connection received, and the devices that it tried to
    /// reach.
    private func search(for peer: DeviceAddress) -> [String] {
        var lines: [String] = []
        let held = model.advertising.reports.count { $0.address == peer }
        let given = heard.map { (address: $0.key, count: $0.value) }
            .sorted { ($1.count, $0.address.value) < ($0.count, $1.address.value) }
        if scanning.generation == 0 {
            lines.append("nothing: the host never scanned")
        } else {
            let of = given.prefix(Self.mostHeard).map { "\($0.address) (\($0.count))" }
            let more = given.count > of.count ? " and \(given.count - of.count) more" : ""
            lines.append(of.isEmpty ? "nothing" : "advertisements of " + of.joined(separator: ", ") + more)
        }
        if heard[peer] == nil {
            lines.append(
                held == 0
                    ? "the log holds no advertisement of \(peer)"
                    : "of \(peer) the log holds \(held.counting("advertisement")), none was given to the host"
            )
        }
        if let command = core.initiating {
            let devices = command.initiatorFilterPolicy == 1 ? core.acceptList : [command.peerAddress]
            lines.append("the host waits to connect to " + devices.map { "\($0)" }.joined(separator: ", "))
        } else {
            lines.append("the host asks for no connection" + (core.scanning.isEnabled ? ", and scans" : ""))
        }
        return lines
    }

    /// The state of the connections, one line each.
    var state: [String] {
        let buffers =
            buffersGivenBack > 0 && links.contains { !$0.isClosed }
            ? ["buffers: all \(buffersGivenBack.counting("packet")) of the host given back"] : []
        return links.map { link in
            let number = link.connection.number
            var line = (number > 0 ? "connection \(number)" : "an attempt") + " to \(link.connection.peer) "
            line += link.isClosed ? "ended" : "open, ATT_MTU \(link.mtu)"
            if let pending = link.pendingRequest, !link.isClosed {
                line += ", in flight: \(pending.name.map { "\($0)" } ?? "request")"
            }
            let seen = link.script.steps.count { $0.isRequired && link.isConsumed[$0.index] }
            return line + ", \(seen) of \(link.required) steps seen"
        } + buffers + (options.stateLines?() ?? [])
    }
}
