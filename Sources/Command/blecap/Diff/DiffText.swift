import Analysis
import BluetoothCore
import CommandLineKit
import Comparison
import PayloadFormat
import Rendering
import WireBytes

/// Differences in two columns: the good log and the bad one.
struct DiffText {
    /// The columns of a line.
    let width: Int
    /// Whether to show differences that may follow from the first one.
    let showsAll: Bool
    /// The options of the next command.
    let words: [String]

    /// Most differences shown before the first one, unless all are requested.
    private static let limit = 3
    /// Most good logs named, unless all are requested.
    private static let mostNamed = 8
    private static let indent = "  "
    private static let gap = "  "

    func put(
        _ found: LogDifferences, _ names: [DeviceAddress: String], goods: [String], bad: String,
        into out: inout TextBuffer
    ) {
        for sentence in found.warnings(names, goods: goods) {
            for line in Self.safe(sentence).wrapped(to: width, indent: 2) { out.put("\(line)\n") }
        }
        let named = showsAll ? goods[...] : goods.prefix(Self.mostNamed)
        for good in named { line("good: ", good, into: &out) }
        let unnamed = goods.count - named.count
        if unnamed > 0 { out.put("good: \(unnamed) more (--all names them)\n") }
        line("bad:  ", bad, into: &out)
        out.put(0x0A)
        if found.areAlike {
            for line in found.likeness.wrapped(to: width, indent: 2) { out.put("\(line)\n") }
        }
        for part in found.parts {
            let room = showsAll ? Int.max : part.name == "following" ? 0 : Self.limit
            let shown = part.differences.prefix(room)
            if !shown.isEmpty { out.put("\(part.title):\n") }
            for difference in shown { put(difference, goods, into: &out) }
            let folded = part.differences.count - shown.count
            if folded > 0 { out.put("\(part.title): \(folded) more (--all shows them)\n") }
        }
        put(values: found, into: &out)
        if let compared = found.extent.sentence {
            for line in "compared: \(compared)".wrapped(to: width, indent: 2) { out.put("\(line)\n") }
        }
        for note in found.notes {
            let text = Self.safe("not compared: \(note)")
            for line in text.wrapped(to: width, indent: 2) { out.put("\(line)\n") }
        }
        for pause in found.pauses {
            for line in Self.safe("note: \(pause)").wrapped(to: width, indent: 2) { out.put("\(line)\n") }
        }
        // Standard input can't be read again.
        guard let place = found.cause?.bad?.place, SystemCall.status(of: bad)?.isRegular == true else {
            return
        }
        let command = ["blecap", "annotate", "--frame", "\(place.frame)"] + words + [bad]
        out.put("next: \(command.map(Shell.quoted).joined(separator: " "))\n")
    }

    /// Appends the bytes that differ, a line each: good, then bad.
    private func put(values found: LogDifferences, into out: inout TextBuffer) {
        guard !found.values.isEmpty else { return }
        out.put("other values, good \u{2192} bad:\n")
        let shown = found.values.prefix(showsAll ? .max : Self.limit)
        for one in shown {
            let change = Self.safe(one.change(limit: showsAll ? .max : 2))
            for line in change.wrapped(to: width - 2, indent: 2) { out.put("\(Self.indent)\(line)\n") }
        }
        let folded = found.values.count - shown.count
        out.put(folded > 0 ? "\(Self.indent)and \(folded) more (--all shows them)\n\n" : "\n")
    }

    private func line(_ heading: String, _ name: String, into out: inout TextBuffer) {
        out.put(heading)
        out.escaped(name)
        out.put(0x0A)
    }

    private func put(_ difference: Difference, _ goods: [String], into out: inout TextBuffer) {
        for line in Self.safe(difference.heading).wrapped(to: width - 2, indent: 2) {
            out.put("\(Self.indent)\(line)\n")
        }
        let column = max(16, (width - 4) / 2)
        let left = Self.lines(
            difference.good?.heading("good", among: goods) ?? "good", difference.good, column)
        let right = Self.lines("bad", difference.bad, width - 4 - column)
        for index in 0..<max(left.count, right.count) {
            let start = index < left.count ? left[index] : ""
            let end = index < right.count ? right[index] : ""
            let pad = String(repeating: " ", count: max(0, column - start.columns))
            out.put(Self.indent + start)
            if !end.isEmpty { out.put(pad + Self.gap + end) }
            out.put(0x0A)
        }
        out.put(0x0A)
    }

    private static func lines(_ name: String, _ side: Difference.Side?, _ width: Int) -> [String] {
        guard let side else { return ["\(name): nothing"] }
        return broken(safe("\(name): \(side.whereabouts)"), width) + broken(safe(side.text), width)
    }

    /// The words in lines, with words longer than a line broken, so that a column never exceeds its width.
    private static func broken(_ text: String, _ width: Int) -> [String] {
        text.wrapped(to: width).flatMap { line in
            var pieces = [line]
            while let last = pieces.last, last.columns > width {
                let (head, rest) = last.divided(at: width)
                pieces.removeLast()
                pieces += [head, rest]
            }
            return pieces
        }
    }

    /// Text with names that a device may have chosen, made safe for a terminal.
    fileprivate static func safe(_ text: String) -> String {
        var out = TextBuffer(capacity: 256)
        out.visible(text)
        return out.text
    }
}

/// Differences as NDJSON: one object each, and a summary object.
enum DiffLines {
    static func put(
        _ found: LogDifferences, _ names: [DeviceAddress: String], goods: [String], bad: String,
        into out: inout TextBuffer
    ) {
        for part in found.parts {
            for difference in part.differences { put(difference, part.name, goods, into: &out) }
        }
        out.line("diff")
        out.member("alike", found.areAlike && found.isWhole)
        out.member("good_logs", goods)
        out.member("bad_log", bad)
        out.object("compared")
        out.member("connections", found.extent.compared)
        out.member("of_connections", found.extent.connections)
        out.member("steps", found.extent.acts)
        out.endObject()
        if !found.notes.isEmpty { out.member("not_compared", found.notes) }
        let warnings = found.warnings(names, goods: goods)
        if !found.pauses.isEmpty { out.member("pauses", found.pauses) }
        if !warnings.isEmpty { out.member("warnings", warnings) }
        out.member("differences", found.parts.reduce(0) { $0 + $1.differences.count })
        if !found.values.isEmpty {
            out.array("other_values")
            for one in found.values {
                out.element()
                out.member("subject", one.subject)
                put("good", one.good, into: &out)
                put("bad", one.bad, into: &out)
                out.endObject()
            }
            out.endArray()
        }
        out.put("}\n")
    }

    private static func put(
        _ difference: Difference, _ part: String, _ goods: [String], into out: inout TextBuffer
    ) {
        out.line("difference")
        out.member("part", part)
        out.member("what", difference.kind.rawValue)
        out.member("subject", difference.subject)
        out.member("code", difference.code)
        put("good", difference.good, log: difference.good?.file(among: goods), into: &out)
        put("bad", difference.bad, into: &out)
        out.put("}\n")
    }

    private static func put(_ name: StaticText, _ side: OtherValues.Side, into out: inout TextBuffer) {
        out.object(name)
        out.member("complete", side.isWhole)
        out.array("values")
        for value in side.values {
            out.element()
            out.member("value", value.hex)
            out.member("frame", value.place.frame)
            out.endObject()
        }
        out.endArray()
        out.endObject()
    }

    private static func put(
        _ name: StaticText, _ side: Difference.Side?, log: String? = nil, into out: inout TextBuffer
    ) {
        guard let side else { return out.null(name) }
        out.object(name)
        out.member("text", side.text)
        out.member("log", log)
        if side.connection > 0 { out.member("connection", side.connection) }
        out.member("frame", side.place?.frame)
        out.member("time_us", side.time.map { $0 / 1000 })
        out.member("end_frame", side.end?.place.frame)
        out.member("end_time_us", side.end.map { $0.time / 1000 })
        out.endObject()
    }
}

extension Difference {
    /// The kind of difference, as a heading.
    var heading: String {
        switch kind {
        case .failure:
            (isOfBoth ? "failed in the bad log; a good log failed otherwise" : "failed only in the bad log")
                + (side.isEmpty ? "" : "  [\(side)]")
        case .connection: "only the \(good == nil ? "bad" : "good") log has a connection with \(subject)"
        case .database: "other attributes"
        case .answer: "another outcome: \(subject)"
        case .missing: "not done: \(subject)"
        case .added: "done in no good log: \(subject)"
        case .order: "another order"
        case .value: "another value: \(subject)"
        case .time: "slower: \(subject)"
        }
    }
}

extension OtherValues {
    /// Returns the change from the good log to the bad one.
    ///
    /// - Parameter limit: the most values that are named of each.
    func change(limit: Int) -> String {
        "\(subject): \(good.text(limit: limit)) \u{2192} \(bad.text(limit: limit))"
    }
}

extension OtherValues.Side {
    /// Returns the first values with their frames, and the number of the others.
    fileprivate func text(limit: Int) -> String {
        if values.isEmpty { return isWhole ? "no other value" : "not compared" }
        let shown = values.prefix(limit).map { "\($0.text) (frame \($0.place.frame))" }
            .joined(separator: ", ")
        let least = isWhole ? "" : "at least "
        return values.count > limit ? "\(shown) and \(least)\(values.count - limit) more" : least + shown
    }
}

extension Difference.Side {
    /// Returns the heading of a good side: with the file, if there are several.
    func heading(_ name: String, among goods: [String]) -> String {
        file(among: goods).map { "\(name) (\(Self.shortName($0, among: goods)))" } ?? name
    }

    /// The file of the good side, unless it is the only one.
    func file(among goods: [String]) -> String? { goods == [log] ? nil : log }

    /// Returns the shortest end of a path, in whole components, that no other path has.
    static func shortName(_ path: String, among all: [String]) -> String {
        let parts = path.split(separator: "/")
        // A log of several files has the names of all.
        let files = Set(all.flatMap { $0.split(separator: " + ") }.map(String.init))
        let others = files.subtracting([path]).map { $0.split(separator: "/") }
        let count = (1...max(1, parts.count)).first { count in
            !others.contains { $0.suffix(count) == parts.suffix(count) }
        }
        return count.map { parts.suffix($0).joined(separator: "/") } ?? path
    }
}

extension LogDifferences {
    /// The reasons to doubt the comparison, a sentence each.
    func warnings(_ names: [DeviceAddress: String], goods: [String]) -> [String] {
        let order = goodFailure.flatMap { side -> String? in
            guard let place = side.place else { return nil }
            let good = side.heading("GOOD", among: goods)
            return "\(good) failed at frame \(place.frame) where BAD did not: are the logs swapped?"
        }
        return [strangers?.sentence(names), order].compactMap(\.self)
    }
}

extension LogDifferences.Strangers {
    /// The sentence that says so, with the devices' names where the logs have them.
    func sentence(_ names: [DeviceAddress: String]) -> String {
        func list(_ all: [DeviceAddress?]) -> String {
            // A clause of its own says that the others are unknown.
            let known = all.filter { $0 != nil }
            let devices = known.isEmpty ? all : known
            let shown = devices.prefix(Self.limit).map { device in
                guard let device else { return "a device whose address the log lacks" }
                return "\(device)" + (names[device].map { " \"\($0)\"" } ?? "")
            }
            let more = devices.count - shown.count
            return shown.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
        }
        if isGoodUnknown, isBadUnknown {
            return "the devices may differ: the devices of both logs are unknown"
                + (areAlike ? "; their attributes are the same" : "")
        }
        let unknown = [
            Self.unknown(unknownGood, isAll: isGoodUnknown, "good"),
            Self.unknown(unknownBad, isAll: isBadUnknown, "bad"),
        ].compactMap(\.self).joined(separator: ", and ")
        if areOthers {
            return "different devices\(areAlike ? " with the same attributes" : ""): "
                + "good \(list(good)), bad \(list(bad))" + (unknown.isEmpty ? "" : "; \(unknown)")
        }
        let attributes = areAlike ? "; their attributes are the same" : ""
        return "the devices may differ: \(unknown)\(attributes)"
    }

    /// Returns the clause that the devices of connections are unknown; nil without such connections.
    private static func unknown(_ connections: [Int], isAll: Bool, _ log: String) -> String? {
        if isAll { return "the device of the \(log) log is unknown" }
        guard !connections.isEmpty else { return nil }
        let numbers = connections.prefix(limit).map(String.init).joined(separator: ", ")
        let more = connections.count > limit ? " and \(connections.count - limit) more" : ""
        let word = connections.count == 1 ? "the device of connection" : "the devices of connections"
        return "\(word) \(numbers)\(more) of the \(log) log \(connections.count == 1 ? "is" : "are") unknown"
    }

    /// Largest number of devices named of each side.
    private static let limit = 3
}

extension LogDifferences {
    /// The differences by part, each with its heading. Only a failure that is known to have kept the session
    /// from its purpose is called a cause.
    var parts: [(name: String, title: String, differences: [Difference])] {
        guard let cause else { return [] }
        return [
            ("cause", cause.isDecisiveFailure ? "likely cause" : "first difference", [cause]),
            ("before", "before it", before), ("following", "behind it", following),
        ].filter { !$0.2.isEmpty }
    }

    /// Whether something was compared, and nothing was left out.
    var isWhole: Bool { notes.isEmpty && extent.acts > 0 && extent.compared == extent.connections }

    /// The result where no difference was found.
    var likeness: String {
        if extent.connections == 0 { return "nothing was compared: no log has a connection" }
        if extent.acts == 0 {
            return "nothing was compared: no step on a connection can be read in any log"
        }
        return isWhole ? "alike" : "no difference in what could be compared"
    }
}

extension LogDifferences.Extent {
    /// The compared connections and steps; nil if nothing was compared.
    var sentence: String? {
        guard acts > 0 else { return nil }
        let names = kinds.map { $0 == .mtu ? "MTU" : $0.rawValue }.joined(separator: ", ")
        return "\(compared) of \(connections.counting("connection")) of the bad log, "
            + "\(acts.counting("different step")) (\(names))"
    }
}
