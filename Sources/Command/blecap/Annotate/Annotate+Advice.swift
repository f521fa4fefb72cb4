import Analysis
import CaptureFile
import CommandLineKit
import Rendering
import Replay
import WireBytes

// The end of the text: the commands to try next, ready to copy.

extension Annotate {
    /// Appends the next commands to try.
    ///
    /// - Parameter width: the maximum columns of a line; nil for whole lines.
    func advice(
        _ pass: borrowing AnalysisPass, hasFolded: Bool, width: Int?, _ out: inout TextBuffer
    ) {
        let width = width ?? .max
        guard pass.passed > 0 else { return }
        let uses = pass.analyzer.listedLinks.flatMap(\.uses)
        if !arguments.has(.keys), uses.contains(where: \.lacksKey) {
            Self.next("--keys FILE verifies the proofs and opens the secured messages", width, &out)
        } else if let unread = uses.compactMap(\.unread).first(where: { $0.needsKey }) {
            let id = Hex.text(unread.keyID ?? [])
            Self.next("--keys with a file that has key id \(id) opens the secured messages", width, &out)
        }
        let files = arguments.operands.filter { $0 != "-" }
        let kept =
            (arguments.has(.oneLog) ? ["--one-log"] : []) + GivenKnowledge.words(arguments)
            + FrameFilter.words(arguments)
        if files.count == arguments.operands.count, Explanation.count(pass.analyzer) > 0 {
            Self.next(
                ["blecap", "annotate", "--failure", "1"] + kept + files,
                "the frames that explain it; --frame N shows one in full", width, &out)
        }
        if let words = replayWords(pass) {
            Self.next(words, "plays the session to the real central stack", width, &out)
        }
        if files.count == arguments.operands.count, let first = files.first {
            Self.next(
                ["blecap", "report", "-o", Self.stem(first) + ".html"] + kept + files,
                "a page to look at, and to send on", width, &out)
            if let name = Self.nameOfAnnotated(first) {
                Self.next(
                    ["blecap", "annotate", "--format", "pcapng", "-o", name] + kept + files,
                    "in Wireshark: frame.comment", width, &out)
            }
        }
        if hasFolded { Self.next("--all shows what is folded here", width, &out) }
    }

    /// Indentation of continued lines.
    private static let margin = 6

    /// Appends advice in words.
    private static func next(_ text: String, _ width: Int, _ out: inout TextBuffer) {
        out.put("next: \(text)".wrapped(to: width, indent: margin).joined(separator: "\n") + "\n")
    }

    /// Appends a command, continued with backslashes so that it can be pasted into a shell, and its
    /// description: below it if the line would be too long.
    private static func next(_ words: [String], _ what: String, _ width: Int, _ out: inout TextBuffer) {
        var line = "next:"
        for (index, word) in words.map(Shell.quoted).enumerated() {
            let rest = index + 1 < words.count ? 2 : 0
            if index > 0, line.columns + 1 + word.columns > width - rest {
                out.put("\(line) \\\n")
                line = String(repeating: " ", count: margin - 1)
            }
            line += " \(word)"
        }
        out.put(line)
        if line.columns + what.columns + 4 <= width { return out.put("  (\(what))\n") }
        let below = String(repeating: " ", count: margin) + "(\(what))"
        out.put("\n" + below.wrapped(to: width, indent: margin).joined(separator: "\n") + "\n")
    }

    /// Longest log, in unpacked bytes, that is read again to see whether it can be replayed. That takes
    /// longer than the pass itself, in proportion to the bytes: half a second for the longest log of
    /// connections alone.
    private static let longestForReplay = 1 << 20

    /// The command that replays the log: nil if the log has no connection as central that can be replayed,
    /// and for several files, because `replay` would take each as its own session.
    private func replayWords(_ pass: borrowing AnalysisPass) -> [String]? {
        guard arguments.operands.count == 1, let path = arguments.operands.first, path != "-",
            pass.failures.isEmpty, let octets = pass.fileOctets,
            max(octets, pass.tally.totalOctets) <= Self.longestForReplay,
            mayBeReplayed(pass.analyzer.listedLinks, areAll: pass.analyzer.unlistedLinks == 0)
        else { return nil }
        guard var captures = try? CaptureSet(paths: [path]),
            let model = try? SessionModel(reading: &captures, knowledge: knowledge)
        else { return nil }
        var words = ["blecap", "replay"]
        switch LogReplay.prospect(model, knowledge.uqdk) {
        case .replayable: break
        case .needsKeys:
            // Another file of keys helps only if none was given.
            guard !arguments.has(.keys) else { return nil }
            words += ["--keys", "FILE"]
        case .notReplayable: return nil
        }
        return words + GivenKnowledge.words(arguments) + [path]
    }

    /// Whether a log with these connections might be replayable: it has one as central, and nothing known
    /// about its adapter's connections excludes replay. Most phone logs are excluded this way, without
    /// reading them again.
    ///
    /// - Parameter areAll: whether the connections are all that the log has.
    private func mayBeReplayed(_ links: [Link], areAll: Bool) -> Bool {
        let centrals = links.filter { $0.role == .central && $0.transport == .le }
        guard let first = centrals.first else { return false }
        let isOfFirst = { (link: Link) in link.file == first.file && link.adapter == first.adapter }
        // The adapter to replay is only known after reading.
        guard areAll, centrals.allSatisfy(isOfFirst) else { return true }
        return !links.contains { link in
            guard isOfFirst(link) else { return false }
            return link.transport == .le && (link.role == .peripheral || link.phases.encrypted != nil)
        }
    }

    /// The name for an annotated copy of a capture; nil for a capture that is such a copy.
    static func nameOfAnnotated(_ path: String) -> String? {
        let ending = ".annotated.pcapng"
        return path.hasSuffix(ending) ? nil : stem(path) + ending
    }

    /// A capture's name without its folder and its format's suffix.
    private static func stem(_ path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? "capture"
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex,
            CaptureWriter.Format.named(by: name, holding: .hci) != nil
        else { return name }
        return String(name[..<dot])
    }
}
