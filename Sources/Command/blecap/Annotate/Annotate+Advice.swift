import Analysis
import CaptureFile
import CommandLineKit
import Rendering
import Replay
import WireBytes

// The end of the text: the commands to try next, ready to copy.

extension Annotate {
    /// Appends the next commands to try.
    func advice(_ pass: borrowing AnalysisPass, hasFolded: Bool, _ out: inout TextBuffer) {
        guard pass.passed > 0 else { return }
        let uses = pass.analyzer.listedLinks.flatMap(\.uses)
        if !arguments.has(.keys), uses.contains(where: \.lacksKey) {
            out.put("next: --keys FILE verifies the proofs and opens the secured messages\n")
        } else if let unread = uses.compactMap(\.unread).first(where: { $0.needsKey }) {
            let id = unread.keyID ?? []
            out.put("next: --keys with a file that has key id ")
            out.hexOctets(id.borrowedOctets)
            out.put(" opens the secured messages\n")
        }
        let files = arguments.operands.filter { $0 != "-" }
        if files.count == arguments.operands.count, Explanation.count(pass.analyzer) > 0 {
            let options = (arguments.has(.oneLog) ? ["--one-log"] : []) + knowledgeWords
            next(
                ["blecap", "annotate", "--failure", "1"] + options + files,
                "the frames that explain it; --frame N shows one in full", &out)
        }
        if let words = replayWords(pass) {
            next(words, "plays the session to the real central stack", &out)
        }
        if files.count == arguments.operands.count, let name = files.first.flatMap(Self.nameOfAnnotated) {
            let kept =
                (arguments.has(.oneLog) ? ["--one-log"] : []) + knowledgeWords
                + FrameFilter.words(arguments)
            next(
                ["blecap", "annotate", "--format", "pcapng", "-o", name] + kept + files,
                "in Wireshark: frame.comment", &out)
        }
        if hasFolded { out.put("next: --all shows what is folded here\n") }
    }

    /// Appends a command, whole on its line, and what it does: below it where the line would be too long.
    private func next(_ words: [String], _ what: String, _ out: inout TextBuffer) {
        let line = "next: " + words.map(Shell.quoted).joined(separator: " ")
        out.put(line)
        out.put(line.count + what.count > 96 ? "\n      (\(what))\n" : "  (\(what))\n")
    }

    /// Bytes of the longest log, unpacked, that is looked through once more, to see whether it can be
    /// replayed. That takes longer than the pass itself, in proportion to the bytes: half a second for the
    /// longest log of connections alone.
    private static let longestForReplay = 1 << 20

    /// The command that replays the log: nil if it has no connection as central that can be replayed, and
    /// for several files, each of which `replay` would take as a session of its own.
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
        return words + knowledgeWords + [path]
    }

    /// Whether a log with these connections has one as central, and none of its adapter's is known already to
    /// keep it from being replayed: most logs of phones need not be read once more for that.
    ///
    /// - Parameter areAll: whether the connections are all that the log has.
    private func mayBeReplayed(_ links: [Link], areAll: Bool) -> Bool {
        let centrals = links.filter { $0.role == .central && $0.transport == .le }
        guard let first = centrals.first else { return false }
        let isOfFirst = { (link: Link) in link.file == first.file && link.adapter == first.adapter }
        // Which of several adapters would be replayed is found out only by reading.
        guard areAll, centrals.allSatisfy(isOfFirst) else { return true }
        return !links.contains { link in
            guard isOfFirst(link) else { return false }
            return link.transport == .le && (link.role == .peripheral || link.phases.encrypted != nil)
        }
    }

    /// The options that say what is known, as they were given.
    private var knowledgeWords: [String] {
        var words: [String] = []
        for option in [OptionRow.keys, .dialect, .profile, .gatt] {
            for value in arguments.values(option) { words += ["--\(option.long)", value] }
        }
        if arguments.has(.insecureKeys) { words.append("--insecure-keys") }
        return words
    }

    /// The name for an annotated copy of a capture: its name without the suffix of its format; nil
    /// for a capture that is such a copy.
    static func nameOfAnnotated(_ path: String) -> String? {
        let name = path.split(separator: "/").last.map(String.init) ?? "capture"
        let ending = ".annotated.pcapng"
        if name.hasSuffix(ending) { return nil }
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex,
            CaptureWriter.Format.named(by: name, monitor: false) != nil
        else { return name + ending }
        return name[..<dot] + ending
    }
}
