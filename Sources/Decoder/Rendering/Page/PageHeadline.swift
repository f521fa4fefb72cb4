import Analysis
import CaptureFile
import PayloadFormat
import WireBytes

/// The top of a page: the device, the session's outcome in a sentence, and a card for each failure.
///
/// All of it comes from the verdict. If the verdict names no cause, the sentence says how far the connection
/// came and how it ended.
struct PageHeadline: Sendable {
    /// A failure, an overcome problem or a warning.
    struct Card: Sendable {
        enum Kind: String, Sendable {
            case failed
            case overcome
            case warning
        }

        var kind: Kind
        var text: String
        /// The nature of the incident, by which logs are grouped.
        var signature: IncidentSignature
        /// Number of occurrences.
        var count: Int
        /// The side that caused it, in one word: for a digital key phone or car, else as in the verdict.
        var side: String?
        /// The same side as the page shows it, by the device's name if it has one, and the meaning of that
        /// word.
        var namedSide: (word: String, meaning: String)?
        var place: FramePlace
        /// The number of the connection; 0 without one.
        var connection: Int
        /// Sentences that explain the incident.
        var explanation: [String] = []
        /// The frames and texts of the consequences.
        var consequences: [(place: FramePlace, text: String)] = []
        /// The names of both sides, for the page.
        var names: Names
    }

    /// The device that the page is about; empty without one.
    private(set) var subject = ""
    /// The first failure in words, or that nothing failed.
    private(set) var outcome = ""
    /// Whether the outcome is a failure.
    private(set) var isFailure = false
    /// The connection's results and end, and the counts of other problems.
    private(set) var details: [String] = []
    private(set) var cards: [Card] = []
    private var names: Names
    /// Number of failures without a card.
    private(set) var further = 0

    /// Limits of the cards: of failures, and of each other kind.
    private static let failureLimit = 100
    private static let otherLimit = 8

    init(
        _ analyzer: borrowing Analyzer, _ damage: ReadingDamage, explains: Bool, namesFile: Bool
    ) {
        let totals = analyzer.selection?.totals ?? analyzer.totals
        let links = analyzer.listedLinks
        let failures = Verdict.listed(links, totals)
        let overcome = Verdict.overcome(totals)
        let warnings = Verdict.warnings(totals) + Verdict.pagedInVain(totals)
        let databases = totals.incidents.isEmpty ? [] : analyzer.databases
        for (kind, incidents, limit) in [
            (Card.Kind.failed, failures, Self.failureLimit), (.overcome, overcome, Self.otherLimit),
            (.warning, warnings, Self.otherLimit),
        ] {
            for incident in incidents.prefix(limit) {
                let link = links.first { $0.number == incident.connection }
                let signature = IncidentSignature(incident, link, databases)
                cards.append(Self.card(kind, incident, signature, link, analyzer, explains: explains))
            }
        }
        further = max(0, failures.count - Self.failureLimit) + totals.unlistedFailures
        let first = failures.first
        let main =
            first.map { first in links.first { $0.number == first.connection } }
            ?? Verdict.important(links, totals).first
        names = Names(main, analyzer)
        if first == nil, analyzer.connectionCount > 1 {
            subject = analyzer.connectionCount.counting("connection")
        } else if let main {
            describe(main, analyzer, namesFile: namesFile)
        } else if let first, first.connection > 0 {
            // A log with very many connections does not keep all of them.
            subject = "connection \(first.connection)"
        }
        details += Self.profiles(links)
        if let first {
            isFailure = true
            outcome = VerdictBody.words(first, analyzer)
            let count = failures.count + totals.unlistedFailures
            if count > 1 { details.append(count.counting("failure")) }
        } else {
            let isWhole = damage.isNone
            outcome =
                VerdictBody.calm(analyzer, totals, isWhole: isWhole)?.text ?? "requests wait for an answer"
        }
        if !overcome.isEmpty { details.append("\(overcome.count.counting("problem")) overcome") }
        if !warnings.isEmpty { details.append(warnings.count.counting("warning")) }
        let others = analyzer.connectionCount - (main == nil ? 0 : 1)
        if first != nil, others > 0 { details.append(others.counting("other connection")) }
    }

    /// Names and titles of the profiles in use: the kind of device, where the log has no name.
    private static func profiles(_ links: [Link]) -> [String] {
        var found: [String] = []
        for use in links.flatMap(\.uses) where use.kind == .profile {
            let text = use.title.map { "\(use.name): \($0)" } ?? use.name
            if !found.contains(text), found.count < 2 { found.append(text) }
        }
        return found.map { String(escaped: $0.utf8) }
    }

    private mutating func describe(_ link: Link, _ analyzer: borrowing Analyzer, namesFile: Bool) {
        let name = Verdict.shownName(of: link, analyzer).map { "\u{201C}\($0)\u{201D}" }
        let address = link.address.map { "\($0)" }
        subject = name ?? address ?? link.number(called: "access address")
        if name != nil, let address { details.append(address) }
        details += ConnectionSummary(link: link, namesFile: namesFile).outcome
    }

    private static func card(
        _ kind: Card.Kind, _ incident: Incident, _ signature: IncidentSignature, _ link: Link?,
        _ analyzer: borrowing Analyzer, explains: Bool
    ) -> Card {
        let names = Names(link, analyzer)
        var card = Card(
            kind: kind, text: VerdictBody.words(incident, analyzer), signature: signature,
            count: incident.count, side: incident.problem.side.map { word($0.rawValue, link) },
            namedSide: incident.problem.side.map { names.side($0.rawValue) }, place: incident.place,
            connection: incident.connection, names: names)
        if kind == .failed {
            card.explanation = [incident.problem.circumstances.map { "Known: \($0)." }].compactMap { $0 }
            if explains, let hint = incident.problem.hint {
                card.explanation.append("\(hint)".capitalizedFirst)
            }
        }
        card.consequences = incident.consequences.map { consequence in
            (
                consequence.place,
                Verdict.sentence(consequence.problem, on: incident.connection, nil, analyzer)
            )
        }
        return card
    }

    /// Returns one word for a side: for a digital key phone or car, else mostly as the verdict names it.
    private static func word(_ side: String, _ link: Link?) -> String {
        guard let link, side == "host" || side == "peer" else { return side }
        let isCentral = (side == "host") == (link.role == .central)
        if link.session != nil { return isCentral ? "phone" : "car" }
        // For a central, host or peer says more than its role.
        return link.role == .unknown || isCentral ? side : "device"
    }

    /// Both sides of a connection as readers know them: phone and car, or the name that the device gave.
    struct Names: Sendable {
        var host = "this phone or computer"
        var peer = "the other side"
        /// Whether a sniffer recorded both: the host then stands for the central.
        private var isOnAir = false

        init(_ link: Link?, _ analyzer: borrowing Analyzer) {
            guard let link else { return }
            let isCentral = link.role != .peripheral
            if link.session != nil {
                (host, peer) = isCentral ? ("the phone", "the car") : ("the car", "the phone")
                return
            }
            if !isCentral { host = "this device" }
            isOnAir = link.air != nil
            if isOnAir { (host, peer) = ("the central", "the peripheral") }
            if link.role == .central { peer = "the device" }
            if let name = Verdict.shownName(of: link, analyzer) { peer = "\u{201C}\(name)\u{201D}" }
        }

        /// Returns a sentence of the verdict in which these names replace "the host" and "the peer".
        func replacingSides(in text: String) -> String {
            text.replacing("the host", with: host).replacing("the peer", with: peer)
        }

        /// Returns the word for a side of the verdict, and its meaning.
        func side(_ side: String) -> (word: String, meaning: String) {
            switch side {
            case "host":
                (
                    Self.bare(host),
                    isOnAir ? "the side that asked for the connection" : "the side whose log this is"
                )
            case "peer": (Self.bare(peer), "the other side of the connection")
            case "controller": ("Bluetooth chip", "the controller of the side whose log this is")
            case "link": ("radio link", "the connection between both: neither side alone")
            default: (side, "the \(side) caused it, or did not answer")
            }
        }

        private static func bare(_ name: String) -> String {
            for article in ["the ", "this "] where name.hasPrefix(article) {
                return String(name.dropFirst(article.count))
            }
            return name
        }
    }

    // MARK: HTML

    /// Appends the heading and the cards.
    func put(into out: inout TextBuffer) {
        out.put("<h1>")
        let sentence = names.replacingSides(in: outcome)
        if !subject.isEmpty, !sentence.hasPrefix(subject) {
            out.put("<span class=\"subject\">")
            out.put(html: subject)
            out.put("</span>: ")
        }
        out.put("<span class=\"\(isFailure ? "bad" : "calm")\">")
        out.put(html: sentence)
        out.put("</span></h1>\n")
        if !details.isEmpty {
            out.put("<p class=\"lede\">")
            out.put(html: names.replacingSides(in: details.joined(separator: " \u{B7} ")))
            out.put("</p>\n")
        }
        out.put("<div id=\"answers\"></div>\n<div id=\"phases\"></div>\n")
        put(cards.filter { $0.kind == .failed }.prefix(Self.opened), into: &out)
        let folded = cards.filter { $0.kind == .failed }.dropFirst(Self.opened)
        if !folded.isEmpty || further > 0 {
            out.put("<details class=\"more\"><summary>\((folded.count + further).counting("more failure"))")
            out.put("</summary>\n")
            put(folded, into: &out)
            if further > 0 { out.put("<p>\(further.counting("failure")) not listed</p>\n") }
            out.put("</details>\n")
        }
        for kind in [Card.Kind.overcome, .warning] {
            let cards = cards.filter { $0.kind == kind }
            guard !cards.isEmpty else { continue }
            let isOpen = kind == .overcome ? cards.count <= 2 : !isFailure
            out.put("<details class=\"more\"\(isOpen ? " open" : "")><summary>")
            let count =
                kind == .overcome
                ? cards.count.counting("problem") + " overcome: what failed first succeeded later"
                : cards.count.counting("warning")
            out.put("\(count)</summary>\n")
            put(cards[...], into: &out)
            out.put("</details>\n")
        }
    }

    /// Number of failures that are unfolded at first.
    private static let opened = 4

    private func put(_ cards: ArraySlice<Card>, into out: inout TextBuffer) {
        for card in cards {
            out.put(
                "<article class=\"card \(card.kind.rawValue)\" "
                    + "data-frame=\"\(card.place.text(from: 0))\">\n<h2>"
            )
            out.put(html: card.names.replacingSides(in: card.text))
            if let side = card.namedSide {
                out.put(" <span class=\"side\" title=\"")
                out.put(html: side.meaning)
                out.put("\">")
                out.put(html: side.word)
                out.put("</span>")
            }
            put(card.place, into: &out)
            out.put("</h2>\n")
            for sentence in card.explanation {
                out.put("<p>")
                out.put(html: card.names.replacingSides(in: sentence))
                out.put("</p>\n")
            }
            for consequence in card.consequences {
                out.put("<p>then")
                put(consequence.place, into: &out)
                out.put(" ")
                out.put(html: card.names.replacingSides(in: consequence.text))
                out.put("</p>\n")
            }
            out.put("<div class=\"evidence\"></div>\n</article>\n")
        }
    }

    private func put(_ place: FramePlace, into out: inout TextBuffer) {
        let name = place.text(from: 0)
        out.put(" <a href=\"#frame=\(name)\">frame \(name)</a>")
    }
}

extension String {
    /// The text with a capital letter and a full stop.
    fileprivate var capitalizedFirst: String {
        guard let first else { return self }
        return first.uppercased() + dropFirst() + (hasSuffix(".") ? "" : ".")
    }
}
