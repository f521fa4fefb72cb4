import Analysis
import CaptureFile
import Crypto
import PayloadFormat
import WireBytes

/// The text of a page: its head, the content that is readable without a script, and the packed blocks.
struct PageText {
    private let title: String
    /// The facts shown beside the log's name: time, duration, number of records, format.
    private let facts: [String]
    private let headline: PageHeadline
    /// The first lines of text output.
    var verdict = ""
    /// The output of `info`.
    var report = ""
    /// Sentences about the logs.
    var notes: [String] = []
    /// The sentence about omitted frames; nil if no frame is omitted.
    var omission: String?

    init(title: String, facts: [String], headline: PageHeadline) {
        self.title = title
        self.facts = facts
        self.headline = headline
    }

    /// Limit of the report's length on a page, in bytes.
    private static let longestReport = 200_000

    /// The page's script: the files of `page/`, concatenated in the order of their names.
    static let script = [
        PackageResources.data_js, PackageResources.detail_js, PackageResources.export_js,
        PackageResources.figures_js, PackageResources.filters_js, PackageResources.find_js,
        PackageResources.heard_js, PackageResources.lanes_js, PackageResources.links_js,
        PackageResources.list_js, PackageResources.main_js, PackageResources.overview_js,
        PackageResources.pcapng_js, PackageResources.phases_js, PackageResources.procedures_js,
        PackageResources.sequence_js, PackageResources.silence_js, PackageResources.ticks_js,
        PackageResources.timeline_js, PackageResources.words_js, PackageResources.zoom_js,
    ].map(text).joined()
    /// The page's style.
    static let style = [PackageResources.page_css, PackageResources.widths_css].map(text).joined()

    /// Returns a file without its indentation, blank lines and comments, each of which has lines of its own.
    static func text(_ file: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(file.count)
        for line in file.split(separator: 0x0A) {
            let line = line.drop { $0 == 0x20 }
            let isBlock = line.starts(with: "/*".utf8) && line.suffix(2).elementsEqual("*/".utf8)
            if line.isEmpty || isBlock || line.starts(with: "//".utf8) { continue }
            text.append(0x0A)
            text += line
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The content security policy, which allows only the page's own script and style.
    static var policy: String {
        "default-src 'none'; script-src '\(digest(script))'; style-src '\(digest(style))'; "
            + "base-uri 'none'; form-action 'none'"
    }

    private static func digest(_ text: String) -> String {
        // If hashing fails, the policy allows nothing.
        let hash = (try? SHA256.hash(of: Array(text.utf8))) ?? []
        return "sha256-" + String(decoding: Base64.text(of: hash), as: UTF8.self)
    }

    func put(blocks: [(name: String, text: [UInt8])], into out: inout TextBuffer) {
        out.put("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        out.put("<meta http-equiv=\"Content-Security-Policy\" content=\"\(Self.policy)\">\n")
        out.put("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        out.put("<meta name=\"color-scheme\" content=\"light dark\">\n<title>")
        out.put(html: title)
        out.put(" \u{2013} blecap report</title>\n<style>")
        out.put(Self.style)
        out.put("</style>\n</head>\n<body>\n")
        out.put("<nav class=\"keys\" id=\"keys\" aria-label=\"Parts of the page\"></nav>\n")
        out.put("<header>\n<p class=\"log\"><b>")
        out.put(html: title)
        out.put("</b>")
        for (index, fact) in facts.enumerated() {
            out.put(index == 0 ? " <span>" : " \u{B7} <span>")
            out.put(html: fact)
            out.put("</span>")
        }
        out.put("</p>\n</header>\n<main>\n")
        out.put("<section aria-label=\"Verdict\">\n")
        headline.put(notes: notes, into: &out)
        if let omission {
            out.put("<p id=\"omitted\" role=\"note\">")
            out.put(html: omission)
            out.put("</p>\n")
        }
        out.put("</section>\n<div id=\"app\">\n")
        out.put("<noscript><p>The frames are shown by the page's script, which is off.</p></noscript>\n")
        out.put("</div>\n<details>\n<summary>The verdict as text</summary>\n")
        out.put("<pre id=\"verdict\" tabindex=\"0\">")
        out.put(html: verdict)
        out.put(
            "</pre>\n</details>\n<details>\n<summary>Full report</summary>\n"
                + "<pre id=\"report\" tabindex=\"0\">")
        out.put(html: String(decoding: report.utf8.prefix(Self.longestReport), as: UTF8.self))
        if report.utf8.count > Self.longestReport { out.put("\n\u{2026}") }
        out.put("</pre>\n</details>\n</main>\n")
        // Before the blocks, so that keys work while they are read.
        out.put("<script>")
        out.put(Self.script)
        out.put("</script>\n")
        for block in blocks {
            out.put("<script type=\"application/octet-stream\" id=\"\(block.name)\">")
            out.put(block.text)
            out.put("</script>\n")
        }
        out.put("</body>\n</html>\n")
    }
}

extension TextBuffer {
    /// Appends untrusted text as HTML; also safe within quotes.
    mutating func put(html text: String) {
        for octet in text.utf8 {
            switch octet {
            case 0x26: put("&amp;")
            case 0x3C: put("&lt;")
            case 0x3E: put("&gt;")
            case 0x22: put("&quot;")
            case 0x27: put("&#39;")
            default: put(octet)
            }
        }
    }
}

// The parts of cards that name connections.

extension PageHeadline {
    /// Number of notes that are not folded.
    private static let noteLimit = 3

    /// Appends sentences about the log.
    static func put(_ notes: [String], into out: inout TextBuffer) {
        guard !notes.isEmpty else { return }
        out.put("<div class=\"notes\">\n")
        for (index, note) in notes.enumerated() {
            if index == noteLimit {
                out.put("<details class=\"more\"><summary>")
                out.put("\((notes.count - noteLimit).counting("more note")) on the log</summary>\n")
            }
            out.put("<p class=\"note\" role=\"note\">")
            out.put(html: note)
            out.put("</p>\n")
        }
        out.put(notes.count > noteLimit ? "</details>\n</div>\n" : "</div>\n")
    }

    /// Number of connections that a card lists.
    private static let siteLimit = 12

    /// Appends a link to a connection.
    func put(connection: Int, after word: String, into out: inout TextBuffer) {
        out.put("\(word)<a href=\"#connection=\(connection)\">\(connection)</a>")
    }

    /// Appends the devices and connections that a card concerns, as far as the log has several of them. A
    /// name that the card's title has is left out.
    func put(devicesOf card: Card, into out: inout TextBuffer) {
        guard namesConnections, card.connection > 0 else { return }
        let title = card.allNames.text(card.text)
        let isOnlyDevice = Set(devices.values).count == 1
        var parts = card.devices.prefix(isOnlyDevice ? 0 : Self.siteLimit).map { device in
            let name = title.contains(device.name) ? nil : device.name
            return [name, device.address].compactMap(\.self).joined(separator: " ")
        }.filter { !$0.isEmpty }
        if card.devices.count > Self.siteLimit {
            parts.append("\((card.devices.count - Self.siteLimit).counting("other device"))")
        }
        out.put("<p class=\"who\">")
        out.put(html: parts.joined(separator: " \u{B7} "))
        if !parts.isEmpty { out.put(" \u{B7} ") }
        for (index, site) in card.sites.prefix(Self.siteLimit).enumerated() {
            let noun = card.sites.count > 1 ? "connections " : "connection "
            put(connection: site.connection, after: index == 0 ? noun : ", ", into: &out)
        }
        out.put(card.sites.count > Self.siteLimit ? " and others</p>\n" : "</p>\n")
    }

    /// Appends the other connections on which a card's incident occurred, each with room for its frames.
    func put(sitesOf card: Card, into out: inout TextBuffer) {
        let others = card.sites.dropFirst()
        guard !others.isEmpty else { return }
        out.put("<div class=\"sites\">\n")
        for site in others.prefix(Self.siteLimit) {
            let device = devices[site.connection]
            let parts = [
                [device?.name, device?.address].compactMap(\.self).joined(separator: " "),
                "connection \(site.connection)", "frame \(site.place.text(from: 0))",
                site.count > 1 ? site.count.counting("time") : "",
            ]
            out.put("<details class=\"site\" data-frame=\"\(site.place.text(from: 0))\"><summary>also ")
            out.put(html: parts.filter { !$0.isEmpty }.joined(separator: " \u{B7} "))
            out.put("</summary>\n")
            if card.kind == .failed, let known = site.known {
                var names = card.names
                if card.devices.count > 1 { names.peer = "the device" }
                out.put("<p>")
                names.put("Known: \(known).", into: &out)
                out.put("</p>\n")
            }
            put(
                site.consequences, of: site.place, further: site.furtherConsequences, card.names, into: &out)
            out.put("<div class=\"evidence\"></div>\n</details>\n")
        }
        let more = others.count - Self.siteLimit
        if more > 0 { out.put("<p>and \(more.counting("other connection"))</p>\n") }
        out.put("</div>\n")
    }

    /// Appends the consequences of an occurrence, with links to their frames.
    func put(
        _ consequences: [(word: String, place: FramePlace, text: Sentence)], of place: FramePlace,
        further: Int, _ names: Names, into out: inout TextBuffer
    ) {
        for consequence in consequences {
            out.put("<p>\(consequence.word)")
            if consequence.place != place { put(consequence.place, into: &out) }
            out.put(" ")
            names.put(consequence.text, into: &out)
            out.put("</p>\n")
        }
        if further > 0 { out.put("<p>and \(further.counting("more consequence"))</p>\n") }
    }

    /// Number of consequences that each further connection of a card lists.
    private static let consequenceLimit = 4

    /// Adds to the further connections of a card what followed from its incident there.
    func addConsequences(
        of incident: Incident, _ occurrences: PageOccurrences, _ analyzer: borrowing Analyzer,
        to card: inout Card
    ) {
        let incidents = analyzer.shownTotals.incidents
        for index in card.sites.indices.dropFirst() {
            let site = card.sites[index]
            let own = incidents.first {
                $0.connection == site.connection && $0.place == site.place
                    && $0.problem.repeats(incident.problem)
            }
            var all: [(word: String, place: FramePlace, problem: Problem)]
            if let own {
                all = own.wordedConsequences.map { ($0, $1.place, $1.problem) }
            } else {
                all = occurrences.consequences(of: incident, at: site, incidents)
                    .map { ($0.problem.endsWithLink ? "before:" : "then", $0.place, $0.problem) }
            }
            let count = max(all.count, own?.consequenceCount ?? 0)
            all = Array(all.prefix(Self.consequenceLimit))
            card.sites[index].furtherConsequences = count - all.count
            card.sites[index].consequences = all.map { word, place, problem in
                (word, place, Verdict.sentence(problem, on: site.connection, nil, analyzer))
            }
        }
    }

    /// Returns the explanations of the other failures whose frames a sentence names, if they are not its own.
    func causes(ofFramesIn sentence: Sentence) -> [Sentence] {
        let named = sentence.parts.compactMap { if case .frame(let place) = $0 { place } else { nil } }
        let others = cards.indices.filter { $0 != lead && cards[$0].kind == .failed }
            .filter { other in named.contains { marks[cards[other].mark].places.contains($0) } }
        let own = cards.indices.filter { $0 == lead }.flatMap { cards[$0].explanation }
        return others.flatMap { other in
            cards[other].explanation.filter { !$0.begins(with: "Known") && !own.contains($0) }
                .map { "Frame \(cards[other].place): \($0)" }
        }
    }

    /// Appends cards that say the same as another one of other attributes, each with room for its frames.
    func put(_ alike: ArraySlice<Card>, into out: inout TextBuffer) {
        guard !alike.isEmpty else { return }
        out.put("<div class=\"sites\">\n")
        for other in alike {
            let frame = other.place.text(from: 0)
            out.put("<details class=\"site\" data-frame=\"\(frame)\" data-incident=\"\(other.mark)\">")
            out.put("<summary>also")
            out.put(html: other.use)
            out.put(" \u{B7} frame \(frame)</summary>\n<div class=\"evidence\"></div>\n</details>\n")
        }
        out.put("</div>\n")
    }

    /// Returns a sentence that links a failed pairing and a refusal before it, for lack of security, that
    /// asked for pairing.
    static func pairing(of incident: Incident, _ link: Link?, _ failures: [Incident]) -> [Sentence] {
        guard let began = link?.phases.pairingStarted?.nanoseconds else { return [] }
        let own = failures.filter { $0.connection == incident.connection }
        func isPairing(_ one: Incident) -> Bool { one.problem.code.rawValue.hasPrefix("pairing") }
        func asks(_ one: Incident) -> Bool { one.problem.asksForSecurity && one.lastTime <= began }
        if asks(incident), let pairing = own.first(where: isPairing) {
            return ["Such a refusal asks for pairing, which followed and failed: frame \(pairing.place)."]
        }
        guard isPairing(incident), let first = own.filter(asks).min(by: { $0.order < $1.order }) else {
            return []
        }
        return ["A refused request had asked for pairing: frame \(first.place)."]
    }
}

extension Incident.Consequence {
    /// The order in the log of what it is about: of the request, if that is known; in several files, by file.
    var order: UInt64 { (problem.related.first ?? place).bits }
}
