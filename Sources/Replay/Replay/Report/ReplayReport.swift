import BluetoothCore
public import Runtime
import WireBytes

/// The result of a replay.
public struct ReplayReport: Sendable {
    public var verdict: ReplayVerdict
    /// The part of the host's behavior that was compared.
    public let tier: MatchingTier
    /// Divergences after the first, if the session continued.
    public var further: [Divergence] = []
    /// Uses of the wall clock, which keep a run from being repeatable.
    public var usedWallTime: [String] = []
    /// Parts of the log that were never reached.
    public var unplayed: [UnplayedPart]
    /// Parts of the log that were left out.
    public var leftOut: [Obstacle] = []
    /// The frames at which the host deviated as expected and a live model of the peer took over.
    public var departed: [Int]
    /// Parts that were made up, since the log lacks them.
    public var assumptions: [Obstacle]
    /// The result of each connection.
    public var results: [ConnectionResult]
    /// Number of values that the log provided in place of the application; nil if an application drove the
    /// host.
    public var given: Int?
    /// Tolerated differences.
    public var normalizations: NormalizationCounts
    /// Bytes of the host's PDUs that were not compared.
    public var masked: [VolatileMask]
    /// Number of steps of the host that matched the log.
    public var compared: Int
    /// Number of steps that the host had to perform, on all playable connections.
    public var required: Int
    /// Number of failed connection attempts that the host repeated, and of those in the log.
    public var attempts: (compared: Int, required: Int)
    /// Number of the attempts in the log that led to a connection, which was lost at once.
    var lostAttempts = 0
    /// Number of connections that were played, and of those that can be played.
    public var connections: (played: Int, playable: Int)
    /// The virtual time of the report.
    public var time: Instant
    private let describe: ReplayOptions.Describer?
    let databases: [Int: PeerDatabase]

    /// Other contents of the log that were not examined, such as other adapters.
    public var others: [String] = []

    /// Whether the host belongs to another program, whose callbacks are unknown.
    var isOutside = false
    /// Whether the user's program drove the host; divergences are then also described in its terms.
    public var isOfProgram = false
    /// Whether only a part of the log was judged.
    public var isPartial: Bool {
        if case .partlySame = verdict { return true }
        return false
    }

    /// The verdict in one or two words.
    public var word: String { verdict.word }

    init(_ controller: FakeController, _ options: ReplayOptions) {
        let model = controller.model
        let judge = controller.air.judge
        tier = options.tier
        unplayed = [UnplayedPart](controller)
        normalizations = judge.normalizations
        masked = judge.masksUsed
        compared = judge.compared
        attempts = (
            controller.repeatedAttempts,
            controller.attempts.count(where: \.isRequired)
                + model.connections.count { $0.isPlayable && $0.wasLostAtOnce }
        )
        lostAttempts = model.connections.count { $0.isPlayable && $0.wasLostAtOnce }
        time = controller.air.now
        describe = options.describe
        var databases: [Int: PeerDatabase] = [:]
        var steps: [Int: Int] = [:]
        for link in controller.links { steps[link.place] = link.required }
        var required = 0
        var playable = 0
        var played = 0
        for (place, connection) in model.connections.enumerated()
        where connection.isPlayable {
            playable += 1
            if controller.attempts[place].isPlayed { played += 1 }
            required += steps[place] ?? 0
            databases[connection.number] = connection.database
        }
        self.required = required
        connections = (played, playable)
        self.databases = databases
        assumptions = model.assumptions
        departed = judge.departed
        results = [ConnectionResult](controller)
        others = Self.others(model)
        let isEmpty = model.obstacles.contains { $0.kind == .nothingToCompare && $0.connection == 0 }
        if playable == 0 && attempts.required == 0 || isEmpty {
            verdict = .notReplayable(model.obstacles)
        } else if let first = judge.divergences.first {
            verdict = .diverged(first)
            further = Array(judge.divergences.dropFirst())
        } else if let stuck = judge.stuck {
            verdict = .stuck(stuck)
        } else if controller.isSettled, compared == 0, attempts.compared == 0, departed.isEmpty {
            verdict = .notReplayable(model.obstacles + [Obstacle(.nothingToCompare)])
        } else {
            verdict =
                controller.isSettled
                ? model.obstacles.isEmpty ? .same : .partlySame(model.obstacles) : .unfinished
        }
        if case .notReplayable = verdict { return }
        leftOut = model.obstacles
    }

    /// Adds parts that were played but could not be judged.
    mutating func leaveOut(_ more: [Obstacle]) {
        guard !more.isEmpty else { return }
        leftOut += more
        for one in more {
            guard let place = results.firstIndex(where: { $0.number == one.connection }) else { continue }
            results[place].obstacles.append(one)
            if results[place].word == "same" { results[place].word = "partly same" }
        }
        switch verdict {
        case .same, .partlySame: verdict = .partlySame(leftOut)
        default: break
        }
    }

    private static func others(_ model: SessionModel) -> [String] {
        var lines = model.otherAdapters.map { other in
            "adapter \(other.adapter): \(other.connections.counting("connection")) of a central"
        }
        if model.unchosenConnections > 0 {
            lines.append("\(model.unchosenConnections.counting("connection")), not chosen")
        }
        if model.classicLinks > 0 { lines.append("BR/EDR: \(model.classicLinks.counting("connection"))") }
        return lines
    }

    // MARK: Text

    /// The report as text.
    public var text: String {
        var lines: [String]
        switch verdict {
        case .same, .partlySame: lines = sameness
        case .diverged(let divergence):
            lines = text(divergence)
            for (place, one) in further.enumerated() { lines += text(one, ordinal: place + 2) }
        case .stuck(let stuck): lines = text(stuck)
        case .notReplayable(let obstacles):
            lines = [isUncompared ? "NOT COMPARED" : "NOT REPLAYABLE"]
            lines += obstacles.map { "  reason    " + $0.text } + Self.advice(obstacles)
        case .unfinished: lines = ["UNFINISHED at \(Self.seconds(time)) s"]
        }
        if !usedWallTime.isEmpty { lines[0] += ", used wall time" }
        lines += usedWallTime.map { "  wall time " + $0 }
        lines += judgedLines
        for result in results {
            guard let departure = result.departure else { continue }
            lines.append("  departed  " + departure.text(connection: result.number, result.pdus))
        }
        for one in assumptions { lines.append("  made up   " + one.assumption) }
        lines += leftOut.map { "  left out  " + $0.text }
        if isPartial, !isUncompared { lines += Self.advice(leftOut) }
        lines += others.map { "  not read  " + $0 }
        for (one, count) in normalizations.applied {
            let times = count == 1 ? "once" : "\(count) times"
            lines.append("  tolerated \(times): \(one.sentence) (\(one.rawValue))")
        }
        lines += maskedLines
        return lines.joined(separator: "\n") + "\n"
    }

    /// Maximum number of masks that are listed individually.
    private static let mostMasks = 8

    /// Lines about bytes that were not compared; many of them are counted by reason.
    private var maskedLines: [String] {
        guard masked.count > Self.mostMasks else {
            return masked.map { mask in
                "  masked    frame \(mask.frame), bytes \(mask.range.lowerBound) to "
                    + "\(mask.range.upperBound - 1): \(mask.reason)"
            }
        }
        var reasons: [String] = []
        for mask in masked where !reasons.contains(mask.reason) { reasons.append(mask.reason) }
        return reasons.map { reason in "  masked    \(reason) \(masked.count { $0.reason == reason })" }
    }

    /// Lines about the judged part: in total, and for each connection.
    private var judgedLines: [String] {
        let connections = results.map { "            " + $0.text }
        if case .notReplayable = verdict { return connections }
        let pdus = account
        let callbacks = results.reduce(0) { $0 + $1.callbacks }
        var line = "  compared  \(pdus.judged) of \(pdus.recorded.counting("ATT PDU")): "
        line += "\(pdus.compared) of the host, \(pdus.played) of the peer"
        line += isOutside ? "; not what the application was told" : "; \(callbacks.counting("callback"))"
        var lines = [line] + connections
        if let given, given > 0 {
            let (were, them) = given == 1 ? ("it was", "it") : ("they were", "them")
            let source = "\(were) taken from the log, so nothing checks \(them)"
            lines.append("  from log  \(given.counting("value")) that an application chose: \(source)")
        }
        if attempts.required > 0 {
            lines.append("  attempts  \(attempts.compared) of \(attempts.required) \(attemptWords)")
        }
        if pdus.setUp > 0 {
            lines.append(
                "  set-up    \(pdus.setUp.counting("ATT PDU")) of discovery and MTU, answered from the "
                    + "database and not compared")
        }
        for result in results where result.isWhole && !result.pdus.missing.isEmpty {
            let ranges = UnplayedPart.ranges(result.pdus.missing)
            var text = ranges.prefix(Self.mostRanges).joined(separator: ", ")
            if ranges.count > Self.mostRanges { text += " …" }
            let count = result.pdus.missing.count
            lines.append(
                "  absent    \(count.counting("ATT PDU")) of connection \(result.number) that the replay "
                    + "did not have, so not compared: "
                    + (count == 1 ? "frame " : "frames ") + text)
        }
        if pdus.extra > 0 {
            lines.append(
                "  extra     \(pdus.extra.counting("ATT PDU")) of the host that the log does not have, "
                    + "not compared")
        }
        return lines
    }

    private static let mostRanges = 8

    /// The result of the PDUs of all connections that were played to their end.
    public var account: PDUAccount {
        results.filter(\.isWhole).reduce(PDUAccount()) { $0 + $1.pdus }
    }

    /// The frames up to which connections were judged on which the host deviated as expected.
    private var judgedPart: String {
        let parts = results.compactMap { result in
            result.departure.map { "connection \(result.number) judged up to frame \($0.frame)" }
        }
        return parts.isEmpty ? "" : ", " + parts.joined(separator: " and ")
    }

    /// Whether the host's requests, commands and values, and the answers to them, were not compared at all.
    public var isUncompared: Bool {
        switch verdict {
        case .same, .partlySame: account.judged == 0 && account.recorded > 0
        // With a connection's number it is about that connection only.
        case .notReplayable(let all): all.contains { $0.kind == .nothingToCompare && $0.connection == 0 }
        default: false
        }
    }

    /// The kind of attempts to connect, behind their number.
    private var attemptWords: String {
        switch lostAttempts {
        case 0: "to connect that led to nothing"
        case attempts.required: "to connect, lost before the host did anything more"
        default: "to connect that led to nothing or were lost before the host did anything more"
        }
    }

    /// The first line where the host did the same, and below it the reasons if nothing was compared.
    private var sameness: [String] {
        let steps = compared.counting("host step") + " over " + connections.played.counting("connection")
        let made = attempts.compared.counting("attempt") + " \(attemptWords)"
        let pdus = account
        guard isUncompared else {
            let part = "\(pdus.judged) of \(pdus.recorded.counting("ATT PDU")) compared, "
            return [
                "\(word.uppercased()): "
                    + (compared > 0
                        ? (pdus.recorded > 0 ? part : "") + steps + judgedPart + reservation : made)
            ]
        }
        let same = compared > 0 ? "\(steps), such as pairing and disconnecting" : made
        let reason =
            pdus.setUp == pdus.recorded
            ? "the log's ATT PDUs are all of discovery and MTU, which each host does in its own way"
            : pdus.setUp + pdus.missing.count >= pdus.recorded
                ? "the log's other ATT PDUs are of discovery and MTU, or the replay did not have them"
                : "the log's ATT PDUs are of discovery and MTU, or can't be played (left out)"
        return [
            "NOT COMPARED: none of \(pdus.recorded.counting("ATT PDU")); the same in \(same)",
            "  reason    \(reason)",
        ] + Self.advice(leftOut + [Obstacle(.nothingToCompare)])
    }

    /// Returns lines about how to replay more of this log, and how to record one that replays.
    private static func advice(_ obstacles: [Obstacle]) -> [String] {
        let lines =
            obstacles.compactMap { $0.kind.option.map { "  now       " + $0 } }
            + obstacles.compactMap { $0.kind.advice.map { "  next time " + $0 } }
        return lines.enumerated().filter { !lines[..<$0.offset].contains($0.element) }.map(\.element)
    }

    /// A reservation for the first line, if most of the compared values came from the log, or most of the
    /// responses were made up.
    private var reservation: String {
        let whole = results.filter(\.isWhole)
        let values = max(whole.reduce(0) { $0 + $1.chosenValues }, given ?? 0)
        let answers = account.madeUp + account.played
        var parts: [String] = []
        let pdus = account
        if pdus.recorded == 0, leftOut.contains(where: { $0.kind == .closed }) {
            parts.append("no ATT PDU compared: they are encrypted on the air")
        }
        if let given, given * 2 > values {
            parts.append("\(given) of \(values.counting("value")) taken from the log")
        }
        if account.madeUp * 2 > answers {
            parts.append("\(account.madeUp) of \(answers.counting("answer")) made up")
        }
        return parts.isEmpty ? "" : ", but " + parts.joined(separator: " and ")
    }

    private func text(_ divergence: Divergence, ordinal: Int = 1) -> [String] {
        if let told = divergence.told { return text(divergence, told, ordinal: ordinal) }
        let head = head("DIVERGED #\(ordinal)", divergence, frame: divergence.expected?.frame)
        let expected = divergence.expected.map { line(of: $0, on: divergence.connection) } ?? "nothing more"
        let got =
            divergence.got.map {
                line($0, divergence.channel, .host, on: divergence.connection, frame: 0, at: divergence.time)
            } ?? divergence.other ?? "nothing"
        var lines = [head] + words(divergence) + ["  expected  " + expected, "  got       " + got]
        if divergence.expected != nil, let caret = Self.caret(expected, got) {
            lines.append("            " + caret)
        }
        if let nearest = divergence.nearest {
            let place = nearest.wasSeen ? "already played" : "still to come"
            lines.append("  same as   frame \(nearest.frame) (\(place))")
        }
        return lines + tail(divergence.before, divergence.callbacks, divergence.state)
    }

    private func text(_ divergence: Divergence, _ told: Divergence.Told, ordinal: Int) -> [String] {
        let head = head("DIVERGED #\(ordinal)", divergence, frame: told.frame > 0 ? told.frame : nil)
        let subject = divergence.kind == .application ? "for the application: " : ""
        // With `--continue`, one line about strict matching is enough.
        let words = divergence.kind == .packet && ordinal > 1 ? [] : words(divergence)
        return [head] + words + [
            "  expected  " + subject + (told.expected ?? "nothing"),
            "  got       " + (told.got ?? "nothing"),
        ] + tail(divergence.before, divergence.callbacks, divergence.state)
    }

    private func head(_ word: String, at time: Instant, _ frame: Int?, on connection: Int) -> String {
        "\(word) at \(Self.seconds(time)) s" + (frame.map { ", frame \($0)" } ?? "") + ", tier \(tier)"
            + (connection > 0 ? ", connection \(connection)" : "")
    }

    private func head(_ word: String, _ divergence: Divergence, frame: Int?) -> String {
        head(word, at: divergence.time, frame, on: divergence.connection)
            + (divergence.kind == .different ? "" : ", \(divergence.kind.rawValue)")
    }

    private func text(_ stuck: Stuck) -> [String] {
        let head = head("STUCK", at: stuck.time, stuck.expected?.frame, on: stuck.connection)
        let waits: String
        if stuck.isUnconnected {
            let isCentral = results.first { $0.number == stuck.connection }?.isCentral ?? true
            waits =
                stuck.waitsOn
                ? "the host to give up its attempt to connect to \(stuck.peer)"
                : isCentral ? "the host to connect to \(stuck.peer)" : "the host to advertise"
        } else if let expected = stuck.expected {
            waits = line(of: expected, on: stuck.connection)
        } else {
            waits = "the rest of what the peer does"
        }
        var lines = [head] + words(stuck) + ["  waits for " + waits]
        for (place, line) in stuck.search.enumerated() {
            lines.append((place == 0 ? "  heard     " : "            ") + line)
        }
        return lines + tail(stuck.before, stuck.callbacks, stuck.state)
    }

    /// Returns lines about the preceding PDUs and callbacks in the order of time, and about the state.
    private func tail(
        _ before: [TraceEntry], _ callbacks: [Transcript.Callback], _ state: [String]
    ) -> [String] {
        let told = callbacks.drop { $0.time < before.first?.time ?? .zero }.suffix(8)
        var moments = before.map { entry in
            let frame = entry.frame > 0 ? "  (frame \(entry.frame))" : ""
            let text = line(
                entry.octets, entry.channel, entry.side, on: entry.connection, frame: entry.frame,
                at: entry.time)
            return (time: entry.time, text: (entry.side == .host ? "host  " : "peer  ") + text + frame)
        }
        for one in told {
            let place = moments.firstIndex { $0.time > one.time } ?? moments.count
            moments.insert((one.time, "app   " + one.text), at: place)
        }
        var lines: [String] = []
        for (place, moment) in moments.enumerated() {
            lines.append(
                (place == 0 ? "  before    " : "            ")
                    + "\(Self.seconds(moment.time)) s \(moment.text)")
        }
        for (place, line) in state.enumerated() {
            lines.append((place == 0 ? "  state     " : "            ") + line)
        }
        return lines
    }

    private func line(of step: HostStep, on connection: Int) -> String {
        switch step.action {
        case .disconnect(let reason): return "disconnect, reason \(reason)"
        case .encrypt:
            let isCentral = results.first { $0.number == connection }?.isCentral ?? true
            let command = isCentral ? "LE Enable Encryption" : "LE Long Term Key Request Reply"
            return "HCI \(command), with the key of the bond or of the pairing"
        default: break
        }
        return line(
            step.octets ?? [], step.channel, .host, on: connection, frame: step.frame, at: step.time)
    }

    private func line(
        _ octets: [UInt8], _ channel: L2CAPChannelID, _ side: RecordedPDU.Side, on connection: Int,
        frame: Int, at time: Instant
    ) -> String {
        var text = PDUText.text(octets, channel, label: label(octets, channel, on: connection))
        let entry = TraceEntry(
            time: time, connection: connection, side: side, channel: channel, octets: octets, frame: frame)
        if let more = describe?(entry) { text += "  " + more }
        return text
    }

    /// Returns the name of the attribute in a PDU.
    private func label(_ octets: [UInt8], _ channel: L2CAPChannelID, on connection: Int) -> String? {
        guard channel == .attribute, let handle = octets.attributeHandle else { return nil }
        return databases[connection]?.name(of: handle)
    }

    /// Returns marks below the first difference between two lines: one, or two for the digits of a byte.
    private static func caret(_ expected: String, _ got: String) -> String? {
        let common = zip(expected, got).prefix { $0 == $1 }.count
        guard common < max(expected.count, got.count) else { return nil }
        let differing = zip(expected, got).dropFirst(common).prefix { $0 != $1 }.count
        return String(repeating: " ", count: common)
            + String(repeating: "^", count: min(max(1, differing), 2))
    }

    static func seconds(_ time: Instant) -> String {
        let milliseconds = time.nanoseconds / 1_000_000
        let rest = String(abs(milliseconds % 1000))
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }

    /// The frame that the verdict is about; nil if there is no single frame.
    public var frame: Int? {
        let frames: [Int?] =
            switch verdict {
            case .diverged(let divergence):
                [divergence.told?.frame, divergence.expected?.frame, divergence.nearest?.frame]
                    + divergence.before.reversed().map(\.frame)
            case .stuck(let stuck): [stuck.expected?.frame] + stuck.before.reversed().map(\.frame)
            case .partlySame(let obstacles), .notReplayable(let obstacles): obstacles.map(\.frame)
            case .same, .unfinished: []
            }
        return frames.compactMap(\.self).first { $0 > 0 }
    }

    /// The number of the connection that diverged or is stuck; nil without one.
    var failedConnection: Int? {
        switch verdict {
        case .diverged(let divergence): divergence.connection
        case .stuck(let stuck): stuck.connection
        default: nil
        }
    }

    /// Judges the callbacks about cars that the application got.
    mutating func judge(_ reports: [UQDKReport]) {
        for report in reports where report.isTrue && report.got != nil {
            guard let place = results.firstIndex(where: { $0.number == report.connection }) else { continue }
            results[place].callbacks += 1
        }
        switch verdict {
        case .same, .partlySame: break
        default: return
        }
        guard let wrong = reports.first(where: { !$0.isTrue }) else { return }
        let place = results.firstIndex { $0.number == wrong.connection }
        if let place { results[place].word = "diverged" }
        verdict = .diverged(
            .told(
                .application, at: time, on: wrong.connection, to: place.map { results[$0].peer },
                frame: wrong.frame, expected: wrong.expected, got: wrong.got))
    }
}
