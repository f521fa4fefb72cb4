public import Analysis
import BluetoothCore
public import CaptureFile
public import WireBytes

/// What is told of one log in one line, where several are judged apart.
public struct LogLine: Sendable {
    /// The verdict on a log, in a word.
    public enum Verdict: String, Sendable, CaseIterable {
        case failed, warning, ok, unreadable
    }

    public private(set) var verdict: Verdict
    /// The code of the first failure, of the first warning where nothing failed, or of why the file can't be
    /// read; nil where all is well.
    public private(set) var cause: String?
    /// The device's address and the name that it advertised; nil where no connection is known.
    private var device: [UInt8]?
    /// How the connection ended; nil of a file that was not read.
    private var outcome: StaticText?
    /// What failed, and where.
    private var failure: [UInt8] = []

    /// The most columns of a line.
    public static let width = 100
    /// The most columns of a file's name, and of a device's.
    private static let (nameWidth, deviceWidth) = (20, 8)

    /// The line about a log that `analyzer` went through to its end; where it chose frames, about those.
    public init(_ files: [CaptureInfo], _ analyzer: borrowing Analyzer, _ damage: ReadingDamage) {
        let totals = analyzer.selection?.totals ?? analyzer.totals
        let links = analyzer.listedLinks
        let wrong = Rendering.Verdict.failures(links, totals).first ?? totals.wrong.first
        let important = Rendering.Verdict.important(links, totals).first
        let link = links.first { $0.number == wrong?.connection } ?? important
        verdict = wrong.map { $0.severity >= .error ? .failed : .warning } ?? .ok
        outcome = link?.outcome ?? "no connection"
        device = link.flatMap { Self.device($0, Rendering.Verdict.name(of: $0, analyzer)) }
        if let error = damage.errors.first, verdict != .failed {
            verdict = files.isEmpty ? .unreadable : .warning
            if files.isEmpty { outcome = nil }
            cause = error.cause.code
            failure = Array(error.reason.utf8)
        } else if let wrong {
            cause = wrong.problem.name ?? wrong.problem.code.rawValue
            var out = TextBuffer(capacity: 256)
            out.put("frame ")
            Rendering.Verdict.put(wrong.place, files.count > 1, into: &out)
            out.put(" ")
            out.escaped(cause ?? "")
            out.put(": ")
            out.put(wrong.problem.sentence)
            failure = out.copied(from: 0)
        }
    }

    private static func device(_ link: Link, _ name: [UInt8]?) -> [UInt8]? {
        guard let address = link.address ?? link.identity else { return nil }
        var out = TextBuffer(capacity: 64)
        out.put(address)
        guard let name else { return out.copied(from: 0) }
        var shown = TextBuffer(capacity: 64)
        shown.escaped(name.borrowedOctets)
        out.put(" \"")
        out.put(prefix(shown.copied(from: 0), deviceWidth))
        out.put("\"")
        return out.copied(from: 0)
    }

    /// Appends the line about the log that is called by this name.
    public func put(_ name: String, into out: inout TextBuffer) {
        let start = out.count
        out.put(verdict.rawValue)
        out.pad(from: start, to: 8)
        let nameStart = out.count
        var shown = TextBuffer(capacity: 64)
        shown.escaped(name)
        out.put(Self.suffix(shown.copied(from: 0), Self.nameWidth))
        let columns = StepList.columns(out.copied(from: nameStart))
        out.fill(0x20, count: max(0, Self.nameWidth - columns))
        if let device {
            out.put("  ")
            out.put(device)
        }
        if let outcome {
            out.put("  ")
            out.put(outcome)
        }
        if !failure.isEmpty {
            out.put("  ")
            out.put(failure)
        }
        let line = Self.prefix(out.copied(from: start), Self.width)
        out.truncate(to: start)
        out.put(line)
        out.put(0x0A)
    }

    /// The first columns of a text, with a sign where something is left out.
    private static func prefix(_ text: [UInt8], _ columns: Int) -> [UInt8] {
        let characters = String(decoding: text, as: UTF8.self).unicodeScalars
        guard characters.count > columns else { return text }
        return Array((String(String.UnicodeScalarView(characters.prefix(columns - 1))) + "\u{2026}").utf8)
    }

    /// The last columns of a text, with a sign where something is left out.
    private static func suffix(_ text: [UInt8], _ columns: Int) -> [UInt8] {
        let characters = String(decoding: text, as: UTF8.self).unicodeScalars
        guard characters.count > columns else { return text }
        return Array(("\u{2026}" + String(String.UnicodeScalarView(characters.suffix(columns - 1)))).utf8)
    }
}

extension Link {
    /// How it ended, in two or three words.
    fileprivate var outcome: StaticText {
        if let reason = endReason {
            switch reason {
            case 0x08, 0x22: return "link lost"
            case 0x13, 0x14, 0x15: return "ended by peer"
            case 0x16: return "ended by host"
            default: return "ended by error"
            }
        }
        if let endedWith {
            switch endedWith {
            case .reset: return "ended by reset"
            case .closed, .removed: return "adapter gone"
            }
        }
        if !endIsRecorded { return "end not in log" }
        if isOpen, phases.logEnded != nil { return "open at the end" }
        if wasGivenUp { return "not followed" }
        let isMissing = transport == .brEDR || phases.connected != nil || wasOpenAtStart
        return isMissing ? "end missing" : "not established"
    }
}
