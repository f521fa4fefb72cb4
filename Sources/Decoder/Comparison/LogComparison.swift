import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

/// Compares a log with good ones.
public struct LogComparison {
    private let goods: [LogDigest]
    private let bad: LogDigest
    /// By the number of each connection of the bad log, that of the first one with its device.
    private let firstWithDevice: [Int: Int]

    /// - Parameter goods: at least one.
    public init(goods: [LogDigest], bad: LogDigest) {
        self.goods = goods
        self.bad = bad
        var devices: [SessionDigest] = []
        var first: [Int: Int] = [:]
        for session in bad.sessions {
            let known = devices.first { $0.mayBeSameDevice(as: session) }
            if known == nil { devices.append(session) }
            first[session.connection] = (known ?? session).connection
        }
        firstWithDevice = first
    }

    /// Returns the differences, the likely cause first.
    public func differences() -> LogDifferences {
        let pairs = bad.sessions.compactMap { comparison(of: $0) }
        var found = failures(pairs)
        let told = Set(found.compactMap { $0.bad?.place })
        for pair in pairs {
            found += pair.differences().filter { difference in
                // A failure is reported once, by itself.
                guard let place = difference.bad?.place, difference.kind != .missing else { return true }
                return !told.contains(place)
            }
        }
        found = withMissingOnce(found) + unmatched(pairs)
        var differences = ordered(found)
        differences.strangers = strangers()
        let pauses = pairs.compactMap { $0.pauseOfUser() }
        let more = pauses.count - Self.mostNotes
        differences.pauses =
            pauses.prefix(Self.mostNotes)
            + (more > 0 ? ["the user paused in \(more.counting("more connection"))"] : [])
        if !found.contains(where: { $0.kind == .failure }) { differences.goodFailure = goodFailure() }
        differences.notes =
            gaps() + unread() + uncomparedValues(pairs)
            + pairs.compactMap { $0.note() }.prefix(Self.mostNotes)
        differences.extent = extent(pairs)
        let valued = Set(found.filter { $0.kind == .value }.compactMap { $0.bad?.place })
        differences.values = pairs.flatMap { $0.otherValues() }.filter { !valued.contains($0.place) }
        return differences
    }

    private func extent(_ pairs: [SessionComparison]) -> LogDifferences.Extent {
        let acts = pairs.flatMap { pair in
            Set(([pair.bad] + pair.goods).flatMap(\.acts).map(\.key.withoutStatus))
        }
        return LogDifferences.Extent(
            connections: bad.sessions.count, compared: pairs.count, acts: acts.count,
            kinds: Act.Kind.allCases.filter { kind in acts.contains { $0.kind == kind } })
    }

    /// Returns a note on each part that a log lacks or that can't be read, with the logs.
    private func gaps() -> [String] {
        var seen: Set<LogDigest.Gap> = []
        let all = (goods + [bad]).flatMap(\.everyGap).filter { seen.insert($0).inserted }
        return all.map { gap in
            let count = goods.count { $0.everyGap.contains(gap) }
            let good =
                goods.count == 1 ? "the good log" : count == goods.count ? "the good logs" : "a good log"
            let logs =
                !bad.everyGap.contains(gap)
                ? good
                : count == 0
                    ? "the bad log"
                    : count == goods.count
                        ? (count == 1 ? "both logs" : "all logs") : "\(good) and the bad one"
            return "\(gap.content) (\(gap.reason) in \(logs))"
        }
    }

    /// Returns differences with each missing act once for a device: in the session that came furthest.
    private func withMissingOnce(_ found: [Difference]) -> [Difference] {
        let counts = Dictionary(bad.sessions.map { ($0.connection, $0.acts.count) }) { first, _ in first }
        func key(_ difference: Difference) -> String? {
            guard difference.kind == .missing, let number = difference.bad?.connection else { return nil }
            return "\(firstWithDevice[number] ?? 0) \(difference.subject)"
        }
        var furthest: [String: Int] = [:]
        for difference in found {
            guard let key = key(difference), let number = difference.bad?.connection else { continue }
            let most = furthest[key].flatMap { counts[$0] } ?? -1
            if counts[number] ?? 0 > most { furthest[key] = number }
        }
        return found.filter { difference in
            key(difference).map { furthest[$0] == difference.bad?.connection } ?? true
        }
    }

    private static let mostNotes = 3

    /// Returns the note that secured messages could not be read, so that their content was not compared.
    private func unread() -> [String] {
        let counts = [goods.reduce(0) { $0 + $1.unread }, bad.unread]
        guard counts.contains(where: { $0 > 0 }) else { return [] }
        let messages = (counts[0] + counts[1]).counting("secured message")
        let logs = "\(counts[0]) of good logs, \(counts[1]) of the bad one"
        return ["\(messages) could not be read: \(logs) (--keys)"]
    }

    /// Returns the note on the acts with more values, or longer ones, than were kept.
    private func uncomparedValues(_ pairs: [SessionComparison]) -> [String] {
        var seen: Set<String> = []
        let acts = pairs.flatMap { $0.withUncomparedValues() }.filter { seen.insert($0).inserted }
        guard !acts.isEmpty else { return [] }
        let more = acts.count > Self.mostNotes ? " and \(acts.count - Self.mostNotes) more" : ""
        let limits = "after the first \(Act.mostOctets), or of more than \(Act.longestOctets) bytes"
        return ["values \(limits): " + acts.prefix(Self.mostNotes).joined(separator: ", ") + more]
    }

    /// Returns the devices of the logs unless an address shows one in both.
    private func strangers() -> LogDifferences.Strangers? {
        let others = goods.flatMap(\.sessions)
        guard !others.isEmpty, !bad.sessions.isEmpty,
            !bad.sessions.contains(where: { one in others.contains { one.isSameDevice(as: $0) } })
        else { return nil }
        /// Those that may be a device of the other side.
        func unknown(_ sessions: [SessionDigest], beside theirs: [SessionDigest]) -> [SessionDigest] {
            sessions.filter { one in
                !one.hasLastingAddress && !theirs.allSatisfy { one.isOtherDevice(than: $0) }
            }
        }
        let unknownGood = unknown(others, beside: bad.sessions)
        let unknownBad = unknown(bad.sessions, beside: others)
        let (isGoodUnknown, isBadUnknown) =
            (unknownGood.count == others.count, unknownBad.count == bad.sessions.count)
        func devices(_ sessions: [SessionDigest]) -> [DeviceAddress?] {
            sessions.reduce(into: []) { if !$0.contains($1.device) { $0.append($1.device) } }
        }
        return LogDifferences.Strangers(
            good: devices(others), bad: devices(bad.sessions),
            areAlike: bad.sessions.contains { one in
                !one.database.isEmpty && others.contains { $0.database == one.database }
            },
            areOthers: !isGoodUnknown && !isBadUnknown,
            unknownGood: goods.count == 1 ? unknownGood.map(\.connection) : [],
            unknownBad: unknownBad.map(\.connection),
            isGoodUnknown: isGoodUnknown, isBadUnknown: isBadUnknown)
    }

    // MARK: Failures

    /// Returns the failures in the bad log that no good one has, the likely cause first.
    private func failures(_ pairs: [SessionComparison]) -> [Difference] {
        let known = goods.reduce(into: Set<String>()) { $0.formUnion($1.incidents) }
        return bad.failures.filter { !known.contains($0.key) }.map { incident in
            let pair =
                pairs.first { $0.bad.connection == incident.connection }
                ?? pairs.first {
                    incident.sought == nil && $0.bad.lastFrame.bits >= incident.place.bits
                }
            let good = pair?.counterpart(of: incident.place) ?? connection(with: incident.sought)
            return Difference(
                kind: .failure, subject: incident.code, code: incident.code, side: incident.side,
                isOfBoth: good?.isFailed == true || goods.contains { !$0.failures.isEmpty },
                isDecisiveFailure: incident.isDecisive, good: good,
                bad: Difference.Side(
                    incident.text, connection: incident.connection, at: incident.place, incident.time,
                    in: bad),
                position: incident.place.frame, isWeak: false)
        }
    }

    /// Returns the first failure of a good log that the bad one lacks.
    private func goodFailure() -> Difference.Side? {
        for log in goods {
            guard let failure = log.failures.first(where: { !bad.incidents.contains($0.key) }) else {
                continue
            }
            return Difference.Side(
                failure.text, connection: failure.connection, at: failure.place, failure.time, in: log)
        }
        return nil
    }

    private func connection(with device: DeviceAddress?) -> Difference.Side? {
        let sessions = goods[0].sessions
        let same = sessions.first { $0.device != nil && $0.device == device }
        let only = Set(sessions.map(\.deviceText)).count == 1 ? sessions.first : nil
        return (same ?? only).map { side($0, goods[0]) }
    }

    /// Puts the cause first: the first failure, else the earliest difference that is not weak, else the
    /// earliest decisive one.
    private func ordered(_ found: [Difference]) -> LogDifferences {
        let inOrder = found.enumerated()
            .sorted { ($0.element.position, $0.offset) < ($1.element.position, $1.offset) }.map(\.offset)
        let failure = found.firstIndex { $0.kind == .failure }
        let first = failure ?? inOrder.first { !found[$0].isWeak } ?? inOrder.first { found[$0].isDecisive }
        guard let first else { return LogDifferences(cause: nil, before: [], following: []) }
        let rest = inOrder.filter { $0 != first }.map { found[$0] }
        // Weak differences are not listed before the cause.
        let position = found[first].position
        let isBefore = { (other: Difference) in other.position < position && !other.isWeak }
        return LogDifferences(
            cause: found[first], before: rest.filter(isBefore), following: rest.filter { !isBefore($0) })
    }

    // MARK: Alignment

    /// Returns a session together with the sessions of good logs with the same device.
    private func comparison(of session: SessionDigest) -> SessionComparison? {
        var nearest: [SessionDigest] = []
        var all: [SessionDigest] = []
        var logs: [LogDigest] = []
        for log in goods {
            let found = candidates(for: session, in: log)
            // A connection that never came about does not show which steps are needed.
            let established = session.wasNotEstablished ? [] : found.filter { !$0.wasNotEstablished }
            let candidates = established.isEmpty ? found : established
            all += candidates
            let best = candidates.max { likeness($0, session) < likeness($1, session) }
            guard let best else { continue }
            nearest.append(best)
            logs.append(log)
        }
        guard !nearest.isEmpty else { return nil }
        let later = bad.sessions.filter {
            $0.connection > session.connection
                && firstWithDevice[$0.connection] == firstWithDevice[session.connection]
        }
        return SessionComparison(
            bad: session, goods: nearest, all: all, goodLogs: logs, badLog: bad, later: later)
    }

    /// Returns the sessions of a log with a session's device: found by its identity, else by its attributes,
    /// else by position among the devices that only one of the logs has.
    private func candidates(for session: SessionDigest, in log: LogDigest) -> [SessionDigest] {
        let same = log.sessions.filter { $0.isSameDevice(as: session) }
        if !same.isEmpty { return same }
        // Another device that is in both logs is not this one, however alike they are.
        let alike = log.sessions.filter { other in
            other.isAlikeByDatabase(session)
                && !(other.isOtherDevice(than: session)
                    && bad.sessions.contains { $0.isSameDevice(as: other) })
        }
        if !alike.isEmpty { return alike }
        let own = bad.sessions.filter { other in !log.sessions.contains { $0.isSameDevice(as: other) } }
        let others = log.sessions.filter { other in !bad.sessions.contains { $0.isSameDevice(as: other) } }
        // A device with other attributes is another device.
        guard let index = own.firstIndex(where: { $0.connection == session.connection }),
            index < others.count, session.database.isEmpty || others[index].database.isEmpty
        else { return [] }
        return [others[index]]
    }

    /// Returns how much two sessions have in common; of equal ones, the one with the closer number is more
    /// similar.
    private func likeness(_ one: SessionDigest, _ other: SessionDigest) -> Int {
        let common = one.acts.count { other.act($0.key) != nil }
        let apart = abs(one.connection - other.connection)
        return 1000 * (2 * common - one.acts.count) - min(apart, 999)
    }

    /// Returns the devices that only one side has connections with. Beside others, a connection whose device
    /// the log does not show may be with any of them.
    private func unmatched(_ pairs: [SessionComparison]) -> [Difference] {
        let matched = Set(pairs.map(\.bad.connection))
        func isTelling(_ session: SessionDigest) -> Bool { session.device != nil || pairs.isEmpty }
        var found = bad.sessions.filter { !matched.contains($0.connection) && isTelling($0) }.map { session in
            Difference(
                kind: .connection, subject: session.deviceText, good: nil, bad: side(session, bad),
                position: session.firstFrame.frame, isWeak: !pairs.isEmpty)
        }
        let known = Set(pairs.flatMap(\.all).map(\.deviceText))
        var told: Set<String> = []
        for session in goods[0].sessions
        where isTelling(session) && !known.contains(session.deviceText)
            && told.insert(session.deviceText).inserted
        {
            let isInAll = goods.allSatisfy { log in
                log.sessions.contains { $0.deviceText == session.deviceText || $0.isAlikeByDatabase(session) }
            }
            guard isInAll else { continue }
            found.append(
                Difference(
                    kind: .connection, subject: session.deviceText, good: side(session, goods[0]), bad: nil,
                    position: 0, isWeak: !pairs.isEmpty))
        }
        return found
    }

    private func side(_ session: SessionDigest, _ log: LogDigest) -> Difference.Side {
        Difference.Side(
            "connection with \(session.deviceText)", connection: session.connection, at: session.firstFrame,
            session.start, in: log)
    }
}

extension SessionDigest {
    var deviceText: String { device.map { "\($0)" } ?? name.map { "\"\($0)\"" } ?? "an unknown device" }

    func isSameDevice(as other: SessionDigest) -> Bool { device != nil && device == other.device }

    /// Whether it is the same device, or looks like it and has no lasting address that tells them apart.
    func mayBeSameDevice(as other: SessionDigest) -> Bool {
        if isSameDevice(as: other) { return true }
        let areKnown = [device, other.device].allSatisfy { $0.map { !$0.isResolvablePrivate } ?? false }
        return !areKnown && isAlikeByDatabase(other)
    }

    var hasLastingAddress: Bool {
        device.map { !$0.isResolvablePrivate && !$0.isNonResolvablePrivate } ?? false
    }

    /// Whether it is certainly another device: by its lasting address, or without one by its attributes or
    /// its name.
    func isOtherDevice(than other: SessionDigest) -> Bool {
        guard !isSameDevice(as: other) else { return false }
        if hasLastingAddress && other.hasLastingAddress { return true }
        if !database.isEmpty, !other.database.isEmpty { return !isAlikeByDatabase(other) }
        // A name may be cut in advertising.
        guard let name, let theirs = other.name else { return false }
        return !name.hasPrefix(theirs) && !theirs.hasPrefix(name)
    }

    /// Whether the devices have most of their attributes in common.
    func isAlikeByDatabase(_ other: SessionDigest) -> Bool {
        guard !database.isEmpty, !other.database.isEmpty else { return false }
        let common = Set(database).intersection(other.database).count
        return 2 * common >= max(database.count, other.database.count)
    }
}
