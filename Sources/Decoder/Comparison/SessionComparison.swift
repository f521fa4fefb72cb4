import Analysis
import CaptureFile
import PayloadFormat

/// Compares a session with the most similar session of each good log.
struct SessionComparison {
    let bad: SessionDigest
    /// The most similar session of each good log; there is at least one.
    let goods: [SessionDigest]
    /// All sessions of good logs with the device.
    let all: [SessionDigest]
    /// The logs of `goods`.
    let goodLogs: [LogDigest]
    let badLog: LogDigest
    /// The later sessions of the log that is judged with the same device.
    let later: [SessionDigest]

    private var good: SessionDigest { goods[0] }

    /// Whether all logs are complete, so that a missing act was not done.
    private var areWhole: Bool { (goodLogs + [badLog]).allSatisfy { $0.hasEvents && $0.hasData } }

    /// Returns all differences, in the order of the bad log.
    func differences() -> [Difference] {
        let found = database() + answers() + missing() + order() + lateSubscriptions() + values() + times()
        return found.enumerated()
            .sorted { ($0.element.position, $0.offset) < ($1.element.position, $1.offset) }.map(\.element)
    }

    // MARK: Sides

    func side(good act: Act, _ text: String? = nil) -> Difference.Side {
        Difference.Side(
            text ?? act.textWithValue, connection: good.connection, at: act.place, act.time, in: goodLogs[0],
            isFailed: !act.key.status.isEmpty)
    }

    func side(bad act: Act, _ text: String? = nil) -> Difference.Side {
        Difference.Side(
            text ?? act.textWithValue, connection: bad.connection, at: act.place, act.time, in: badLog)
    }

    /// Returns the side of a session's beginning in its log.
    private func side(_ text: String, _ session: SessionDigest, _ log: LogDigest) -> Difference.Side {
        Difference.Side(
            text, connection: session.connection, at: session.firstFrame, session.start, in: log)
    }

    /// Returns the counterpart, in the good session, of an act at a frame of the bad one: the same act with
    /// its result, else the act after the last one that both have.
    func counterpart(of place: FramePlace) -> Difference.Side {
        let before = bad.acts.filter { $0.place.bits <= place.bits }
        if let last = before.last, last.place == place,
            let same = good.acts.first(where: { $0.kind == last.kind && $0.key.what == last.key.what })
        {
            return side(good: same)
        }
        guard let common = before.last(where: { good.act($0.key) != nil }),
            let known = good.places[common.key]
        else { return side("connected", good, goodLogs[0]) }
        let next = known + 1
        return next < good.acts.count
            ? side(good: good.acts[next], "goes on: \(good.acts[next].textWithValue)")
            : side(good: good.acts[known])
    }

    // MARK: Acts

    /// Returns results, and acts, that no good session has.
    private func answers() -> [Difference] {
        bad.acts.compactMap { act in
            guard !all.contains(where: { $0.act(act.key) != nil }), !act.isHousekeeping,
                goodLogs.contains(where: { $0.canShow(act.kind) }), badLog.canShow(act.kind),
                !act.kind.needsLabel || !goods.contains(where: \.hasUnlabelled)
            else { return nil }
            let same = good.acts.first { $0.kind == act.kind && $0.key.what == act.key.what }
            let isInPassing =
                (act.kind.isInPassing || act.kind.isOfHosts) && act.key.status.isEmpty
                || act.kind == .disconnection && isOvercome
            return Difference(
                kind: same == nil ? .added : .answer, subject: act.key.what,
                good: same.map { side(good: $0) } ?? counterpart(of: act.place),
                bad: side(bad: act), position: act.place.frame, isWeak: isInPassing, isDecisive: !isInPassing)
        }
    }

    /// Whether it was never established, and a later connection with the same device was.
    private var isOvercome: Bool { bad.wasNotEstablished && later.contains { !$0.wasNotEstablished } }

    /// Returns the acts of all good sessions that neither the bad one nor a later one with the same device
    /// has, with any result.
    private func missing() -> [Difference] {
        let firstInBad = good.acts.firstIndex { bad.act($0.key) != nil } ?? 0
        var last: Act?
        var found: [Difference] = []
        for (index, act) in good.acts.enumerated() {
            if let common = bad.act(act.key) { last = common }
            guard act.key.status.isEmpty,
                !([bad] + later).contains(where: { $0.attempted.contains(act.key) }),
                goods.allSatisfy({ $0.act(act.key) != nil }), !bad.isCut, badLog.canShow(act.kind),
                !act.isHousekeeping, !act.kind.needsLabel || !bad.hasUnlabelled
            else { continue }
            // A log that begins in mid-connection does not show earlier acts.
            if bad.wasOpenAtStart, index < firstInBad { continue }
            let own = sideOfMissing(act, index, after: last)
            let isWeak = act.kind == .disconnection || act.kind == .pairing && isBonded
            found.append(
                Difference(
                    kind: .missing, subject: act.key.what, good: side(good: act),
                    bad: own, position: own.place?.frame ?? bad.firstFrame.frame,
                    isWeak: act.kind.isInPassing || isWeak || act.kind.isOfHosts && hasUsedAttributes,
                    isDecisive: isNeeded(act)))
        }
        return found
    }

    /// Returns the bad side of an act that only the good session has, with the last common act before it.
    ///
    /// The log ends before the act if it goes on for no more time than passed before the act in the good
    /// session, and has no act in that time.
    private func sideOfMissing(_ act: Act, _ index: Int, after last: Act?) -> Difference.Side {
        var side =
            last.map { self.side(bad: $0, "not done; last before it: \($0.text)") }
            ?? self.side("not done", bad, badLog)
        guard bad.isOpenAtEnd, !good.acts[index...].contains(where: { bad.act($0.key) != nil }) else {
            return side
        }
        let (place, end) = badLog.end
        let start = last?.time ?? bad.start
        let rest = end.nanoseconds &- start.nanoseconds
        let wait = act.time.nanoseconds &- (last.flatMap { good.act($0.key) }?.time ?? good.start).nanoseconds
        if rest <= wait, bad.acts.allSatisfy({ $0.time <= start }) {
            side.text = "not done; the bad log ends at frame \(place.frame), before this"
            (side.place, side.time) = (place, end.nanoseconds &- badLog.start.nanoseconds)
        } else {
            side.text += "; the log ends at frame \(place.frame), \(TextDuration.text(rest)) later"
        }
        return side
    }

    /// Whether a session that lacks this act differs by that alone. One good log does not show which reads
    /// and writes an application must do. The controllers' agreements, the length of PDUs and the places of
    /// attributes are up to the host as long as everything works.
    private func isNeeded(_ act: Act) -> Bool {
        if act.kind.isOfHosts { return !hasUsedAttributes }
        if act.kind == .pairing, isBonded { return false }
        if act.kind == .parameters || act.kind == .signalling { return goods.count > 1 }
        return !act.kind.isInPassing || goods.count > 1
            || !bad.acts.contains { $0.kind == act.kind && $0.key.status.isEmpty }
    }

    /// Whether the bad session was encrypted with the keys of an earlier pairing.
    private var isBonded: Bool {
        bad.acts.contains { $0.kind == .encryption } && !bad.acts.contains { $0.kind == .pairing }
    }

    private var hasUsedAttributes: Bool {
        bad.acts.contains { $0.kind.needsLabel || $0.kind == .message } || bad.hasUnlabelled
    }

    /// Returns pairs of successive acts that are in the opposite order in each good session.
    private func order() -> [Difference] {
        guard areWhole else { return [] }
        let common = bad.acts.filter { act in
            act.hasOrder && goods.allSatisfy { $0.act(act.key) != nil }
        }
        return zip(common, common.dropFirst()).compactMap { first, second in
            comes(second, before: first) ? turned(first, second) : nil
        }
    }

    /// Whether an act precedes another one in each good session.
    private func comes(_ one: Act, before other: Act) -> Bool {
        goods.allSatisfy { session in
            guard let first = session.places[one.key], let second = session.places[other.key] else {
                return false
            }
            return first < second
        }
    }

    /// Returns the difference of two acts that are in this order here, and not in the good session.
    private func turned(_ first: Act, _ second: Act) -> Difference? {
        guard let before = good.act(second.key) else { return nil }
        return Difference(
            kind: .order, subject: second.key.what,
            good: side(good: before, "\(second.text), then \(first.text)"),
            bad: side(bad: first, "\(first.text), then \(second.text)"), position: first.place.frame,
            isWeak: false)
    }

    /// Returns subscriptions that precede the first write of an attribute in each good session, and follow it
    /// here.
    private func lateSubscriptions() -> [Difference] {
        guard areWhole else { return [] }
        let common = bad.acts.filter { act in
            !act.isHousekeeping && act.key.status.isEmpty && goods.allSatisfy { $0.act(act.key) != nil }
        }
        return common.filter { $0.kind == .subscription }.compactMap { late in
            let write = common.first { act in
                act.kind == .write && act.place.bits < late.place.bits && comes(late, before: act)
            }
            return write.flatMap { turned($0, late) }
        }
    }

    // MARK: Values, attributes and times

    /// Returns differing values that are fixed by their meaning, or that several good sessions agree on.
    private func values() -> [Difference] {
        bad.acts.flatMap { act in
            let others = goods.compactMap { $0.act(act.key) }
            let logs = goodLogs + [badLog]
            guard others.count == goods.count,
                act.kind.isOfEvents ? logs.allSatisfy({ $0.canShow(act.kind) }) : areWhole
            else { return [Difference]() }
            return act.values.compactMap { value in
                guard !act.changing.contains(value.name),
                    value.isSteady || value.isLength || goods.count > 1,
                    !others.contains(where: { $0.changing.contains(value.name) })
                else { return nil }
                let theirs = others.compactMap { other in other.values.first { $0.name == value.name } }
                guard theirs.count == goods.count, let one = theirs.first,
                    theirs.allSatisfy({ $0.text == one.text }), one.text != value.text,
                    !all.contains(where: { $0.act(act.key)?.values.contains(value) == true })
                else { return nil }
                return Difference(
                    kind: .value, subject: "\(value.name) of \(act.key.what)",
                    good: side(good: others[0], "\(act.key.what): \(value.name) \(one.text)"),
                    bad: side(bad: act, "\(act.key.what): \(value.name) \(value.text)"),
                    position: act.place.frame, isWeak: !value.isSteady)
            }
        }
    }

    /// Returns what was written, read or notified on both sides with other bytes. Writes come first, since
    /// they are what the host decides.
    func otherValues() -> [OtherValues] { valued().compactMap(otherValues) }

    /// Returns the acts of which not all values could be compared.
    func withUncomparedValues() -> [String] {
        valued().filter { act in
            let theirs = goods.compactMap { $0.act(act.key) }
            return theirs.count == goods.count && (theirs + [act]).contains(where: \.hasMoreOctets)
                && !theirs.contains { $0.hasSameOctets(as: act) }
        }.map(\.key.what)
    }

    private func valued() -> [Act] {
        [Act.Kind.write, .read, .notification].flatMap { kind in
            bad.acts.filter { $0.kind == kind && $0.key.status.isEmpty && !$0.isHousekeeping }
        }
    }

    /// Returns the values that every good session has and this one lacks, and the reverse. An act with more
    /// values than were kept does not show which ones it lacks.
    private func otherValues(of act: Act) -> OtherValues? {
        let theirs = goods.compactMap { $0.act(act.key) }
        guard theirs.count == goods.count, let known = theirs.first,
            act.hasOctets, theirs.allSatisfy(\.hasOctets)
        else { return nil }
        let isKnown = !theirs.contains(where: \.hasMoreOctets)
        let gone = known.octets.filter { value in
            !act.hasMoreOctets && !act.has(value) && theirs.allSatisfy { $0.has(value) }
        }
        let new = act.octets.filter { value in isKnown && !theirs.contains { $0.has(value) } }
        guard !gone.isEmpty || !new.isEmpty else { return nil }
        let isWhole = isKnown && !act.hasMoreOctets
        return OtherValues(
            subject: act.key.what, good: OtherValues.Side(values: gone, isWhole: isWhole),
            bad: OtherValues.Side(values: new, isWhole: isWhole), place: act.place)
    }

    /// Returns attributes that the device had in all good logs and has not here, or the reverse. If one of
    /// the logs does not show the attributes, there is no result.
    private func database() -> [Difference] {
        guard areWhole, !bad.database.isEmpty, goods.allSatisfy({ !$0.database.isEmpty }) else { return [] }
        let lost = good.database.filter { line in
            !bad.database.contains(line) && goods.allSatisfy { $0.database.contains(line) }
                && bad.hasLookedFor(line) && !isUnseen(line)
        }
        let new = bad.database.filter { line in
            !goods.contains { $0.database.contains(line) }
                && goods.allSatisfy { $0.hasLookedFor(line) } && !isUnseen(line)
        }
        guard !lost.isEmpty || !new.isEmpty else { return [] }
        let found = bad.acts.first { $0.kind == .discovery }
        let known = good.acts.first { $0.kind == .discovery }
        let (theirs, own) = (Self.list(lost), Self.list(new))
        return [
            Difference(
                kind: .database, subject: "the device's attributes",
                good: known.map { side(good: $0, theirs) } ?? side(theirs, good, goodLogs[0]),
                bad: found.map { side(bad: $0, own) } ?? side(own, bad, badLog),
                position: (found?.place ?? bad.firstFrame).frame, isWeak: false)
        ]
    }

    /// Whether an attribute is in a service of the system that one of the hosts did not look for.
    private func isUnseen(_ line: String) -> Bool {
        AttributeText.housekeeping.contains { service in
            line.hasPrefix(service) && (goods + [bad]).contains { !$0.database.contains(service) }
        }
    }

    private static func list(_ lines: [String]) -> String {
        guard !lines.isEmpty else { return "no such attributes" }
        let more = lines.count > 3 ? "; and \(lines.count - 3) more" : ""
        return lines.prefix(3).joined(separator: "; ") + more
    }

    /// Whether something took more than three times as long as in the slowest good session, and a second
    /// longer.
    private static func isSlow(_ duration: Int64, beside slowest: Int64) -> Bool {
        duration / 3 > slowest && duration &- slowest > 1_000_000_000
    }

    /// Returns phases that were slow or, if none was, the longest time without data.
    private func times() -> [Difference] {
        guard areWhole else { return [] }
        let slow = bad.phases.compactMap { phase -> Difference? in
            let theirs = goods.compactMap { session in session.phases.first { $0.name == phase.name } }
            guard theirs.count == goods.count,
                let slowest = theirs.max(by: { $0.duration < $1.duration }),
                Self.isSlow(phase.duration, beside: slowest.duration)
            else { return nil }
            let act = bad.acts.last { $0.time <= phase.start }
            let known = good.acts.last { $0.time <= theirs[0].start }
            let text = "\(phase.name) took \(TextDuration.text(phase.duration))"
            let theirText = "\(phase.name) took at most \(TextDuration.text(slowest.duration))"
            return Difference(
                kind: .time, subject: phase.name,
                good: known.map { side(good: $0, theirText) } ?? side(theirText, good, goodLogs[0]),
                bad: act.map { side(bad: $0, text) } ?? side(text, bad, badLog),
                position: (act?.place ?? bad.firstFrame).frame, isWeak: true)
        }
        return slow.isEmpty ? pause() : slow
    }

    /// The longest pause of all good sessions, with the number of its session.
    private var longestOfGoods: (index: Int, pause: SessionDigest.Pause) {
        let all = goods.enumerated().map { index, session in (index, session.pauses.longest) }
        return all.max { $0.1.duration < $1.1.duration } ?? (0, SessionDigest.Pause())
    }

    private func pause() -> [Difference] {
        let (index, longest) = longestOfGoods
        let pause = longestOfBad(isUsers: false)
        guard Self.isSlow(pause.duration, beside: longest.duration) else { return [] }
        let most = TextDuration.text(max(longest.duration, SessionDigest.leastPause))
        return [
            Difference(
                kind: .time, subject: "pause before \(pause.next)",
                good: side(
                    longest, of: goods[index], goodLogs[index], "no pause of more than \(most)"),
                bad: side(pause, of: bad, badLog, pause.text), position: pause.start.frame,
                isWeak: true)
        ]
    }

    /// Returns the side of a pause; without a frame if there was no pause.
    private func side(
        _ pause: SessionDigest.Pause, of session: SessionDigest, _ log: LogDigest, _ text: String
    ) -> Difference.Side {
        let isKnown = pause.duration > 0
        var side = Difference.Side(
            text, connection: session.connection, at: isKnown ? pause.start : nil,
            isKnown ? pause.time : nil, in: log)
        if let time = side.time { side.end = (pause.end, time &+ pause.duration) }
        return side
    }

    /// Returns the bad session's longest pause that was the user's, or that was not.
    ///
    /// A pause before the host acts is not the user's if a good session had a value after the write before
    /// it, or if a phase, such as encryption, was under way.
    private func longestOfBad(isUsers: Bool) -> SessionDigest.Pause {
        func isUsersPause(_ pause: SessionDigest.Pause) -> Bool {
            let (start, end) = (pause.time.nanoseconds, pause.time.nanoseconds &+ pause.duration)
            return !bad.phases.contains {
                $0.start.nanoseconds < end && $0.start.nanoseconds &+ $0.duration > start
            } && !goods.contains { $0.writesWithValue.contains(pause.openWrite ?? "") }
        }
        let pauses = [bad.pauses.beforeHost, bad.pauses.afterWrite].filter { isUsersPause($0) == isUsers }
        let all = pauses + (isUsers ? [] : [bad.pauses.others])
        return all.max { $0.duration < $1.duration } ?? SessionDigest.Pause()
    }

    /// Returns the sentence that the user paused longer than in the good sessions; nil if that is not so.
    func pauseOfUser() -> String? {
        let pause = longestOfBad(isUsers: true)
        guard areWhole, Self.isSlow(pause.duration, beside: longestOfGoods.pause.duration) else { return nil }
        let side = side(pause, of: bad, badLog, pause.text)
        return "\(side.whereabouts): \(pause.text); no ATT request was open"
    }

    /// Returns a line about attributes that the good sessions know and this one did not look for; nil if
    /// it looked for all.
    func note() -> String? {
        guard areWhole, !bad.database.isEmpty else { return nil }
        let lines = good.database.filter { line in
            !bad.database.contains(line) && goods.allSatisfy { $0.database.contains(line) }
                && !bad.hasLookedFor(line)
                && !AttributeText.housekeeping.contains { line.hasPrefix($0) }
        }
        return lines.isEmpty ? nil : "connection \(bad.connection) did not look for \(Self.list(lines))"
    }
}
