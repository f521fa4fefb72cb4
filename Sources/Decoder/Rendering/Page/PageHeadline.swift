import Analysis
import BluetoothCore
import CaptureFile
import LinkLayer
import PayloadFormat
import WireBytes

/// The top of a page: the device, the session's outcome in a sentence, and a card for each failure. The
/// card of the failure that matters most has the sentence as its title.
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
        var problem: Problem
        var text: Sentence
        /// The request and its attribute, with the number of occurrences, behind the reason of a refusal.
        var use = ""
        /// The nature of the incident, by which logs are grouped.
        var signature: IncidentSignature
        /// Number of occurrences.
        var count: Int
        /// The name of the device that caused it, and which side it is.
        var namedSide: (word: String, meaning: String)?
        var place: FramePlace
        /// The number of the connection; 0 without one.
        var connection: Int
        /// Sentences that explain the incident.
        var explanation: [Sentence] = []
        /// The consequences in the order of the log, with the word before each: requests that were left
        /// without an answer are from before.
        var consequences: [(word: String, place: FramePlace, text: Sentence)] = []
        /// Number of further consequences, which are not kept.
        var furtherConsequences = 0
        /// The names of both sides, for the page.
        var names: Names
        /// The same for all devices that the incident concerns.
        var allNames: Names
        /// The devices that the incident concerns; empty if it is not about connections.
        var devices: [Device] = []
        /// The connections on which it occurred.
        var sites: [PageOccurrences.Site] = []
        /// The index of the incident among the marks.
        var mark = 0

        /// Whether another card has the same refusal on the same connection, of another attribute.
        func isAlike(_ other: Card) -> Bool {
            sites.count == 1 && other.sites.count == 1 && connection == other.connection
                && signature.cause == other.signature.cause && signature.status != nil
                && signature.status == other.signature.status && problem.side == other.problem.side
                && explanation == other.explanation && consequences.isEmpty && other.consequences.isEmpty
        }
    }

    /// An incident on the page's timeline.
    struct Mark: Sendable {
        var kind: Card.Kind
        var text: String
        /// The connection of each occurrence; 0 without one.
        var connections: [Int]
        /// The frames of all occurrences.
        var places: [FramePlace]
        /// The frames of its consequences.
        var consequences: [FramePlace]
    }

    /// The device that the page is about; empty without one.
    private(set) var subject = ""
    /// The failure that matters most in words, or that nothing failed.
    private(set) var outcome: Sentence = ""
    /// Since when the other side is silent; empty if it is not.
    private(set) var silence: Sentence = ""
    /// Whether the outcome is a failure.
    private(set) var isFailure = false
    /// Whether a sniffer recorded the connection that the page is about.
    private(set) var isOnAir = false
    /// The connection's results and end, and the counts of other problems.
    private(set) var details: [Sentence] = []
    private(set) var cards: [Card] = []
    /// The index of the card that the outcome is of.
    private(set) var lead = 0
    /// The names of both sides in the headline.
    private(set) var names: Names
    /// Whether cards name their connections.
    let namesConnections: Bool
    /// The devices of the listed connections.
    private(set) var devices: [Int: Device] = [:]
    /// The end of the connection that the page is about, one of ``details``.
    private(set) var end: Sentence?
    /// All incidents, also those without a card.
    private(set) var marks: [Mark] = []
    /// Number of failures without a card.
    private(set) var further = 0

    /// Limits of the cards: of failures, and of each other kind.
    private static let failureLimit = 100
    private static let otherLimit = 8
    /// Largest number of connections whose numbers stand behind a profile.
    private static let connectionLimit = 5

    init(
        _ analyzer: borrowing Analyzer, _ damage: ReadingDamage,
        _ occurrences: PageOccurrences = PageOccurrences(), explains: Bool, namesFile: Bool
    ) {
        let totals = analyzer.shownTotals
        let links = analyzer.listedLinks
        let failures = Verdict.listed(analyzer, totals)
        let overcome = Verdict.overcome(totals)
        let warnings = Verdict.warnings(totals) + Verdict.pagedInVain(totals)
        let databases = totals.incidents.isEmpty ? [] : analyzer.databases
        namesConnections = analyzer.connectionCount > 1
        names = Names(nil, analyzer)
        for link in links { devices[link.number] = Device(link, analyzer) }
        for (kind, incidents, limit) in [
            (Card.Kind.failed, failures, Self.failureLimit), (.overcome, overcome, Self.otherLimit),
            (.warning, warnings, Self.otherLimit),
        ] {
            for (index, incident) in incidents.enumerated() {
                let places = occurrences.places(of: incident)
                let link = links.first { $0.number == incident.connection }
                let signature = IncidentSignature(incident, link, databases)
                var card = Self.card(kind, incident, signature, link, analyzer, explains: explains)
                name(attemptedOf: incident, links, analyzer, in: &card)
                add(occurrences.sites(places, of: incident), of: incident, to: &card)
                addConsequences(of: incident, occurrences, analyzer, to: &card)
                marks.append(
                    Mark(
                        kind: kind, text: card.allNames.text(card.text),
                        connections: places.map(\.connection), places: places.map(\.place),
                        consequences: incident.consequences.map(\.place)))
                guard index < limit else { continue }
                if kind == .failed { card.explanation += Self.pairing(of: incident, link, failures) }
                card.mark = marks.count - 1
                cards.append(card)
            }
        }
        further = max(0, failures.count - Self.failureLimit) + totals.unlistedFailures
        lead = Verdict.headlineFailure(failures.prefix(Self.failureLimit), links) ?? 0
        let first = failures.isEmpty ? nil : failures[lead]
        let main =
            first.map { first in links.first { $0.number == first.connection } }
            ?? Verdict.important(links, analyzer, totals).first
        names = namesOfHeadline(main, analyzer)
        nameSubject(main, first, analyzer, namesFile: namesFile)
        let attempts = Verdict.attempts(analyzer, namesFile: namesFile)
        tell(attempts + profiles(first == nil ? links : main.map { [$0] } ?? []))
        if let first {
            isFailure = true
            outcome = VerdictBody.words(first, analyzer)
            cards[lead].explanation += causes(ofFramesIn: outcome)
        } else {
            let calm = VerdictBody.sentenceWithoutFailures(analyzer, totals, isWhole: damage.isNone)
            outcome = "\(calm?.text ?? VerdictBody.waiting(analyzer))"
        }
        if let main, first != nil || analyzer.connectionCount == 1, let place = main.silentAfter {
            silence = "; \(Sentence.Part.peer) is silent after frame \(place)"
        }
        tell(counts(unlisted: totals.unlistedFailures))
        if let first, totals.unlistedFailures == 0 {
            describe(lastOf: failures, first, occurrences, links, analyzer)
        }
        let others = analyzer.connectionCount - (main == nil ? 0 : 1)
        if first != nil, others > 0 {
            tell([others.counting(main == nil ? "connection" : "other connection")])
        }
        tell(Self.reception(of: first == nil ? links : main.map { [$0] } ?? []))
    }

    private mutating func nameSubject(
        _ main: Link?, _ first: Incident?, _ analyzer: borrowing Analyzer, namesFile: Bool
    ) {
        if first == nil, analyzer.connectionCount > 1 {
            subject = analyzer.connectionCount.counting("connection")
        } else if let main {
            describe(main, namesFile: namesFile)
            if first != nil, cards[lead].devices.count > 1 { subject = Device.list(cards[lead].devices) }
        } else if let first, first.connection > 0 {
            // A log with very many connections does not keep all of them.
            subject = "connection \(first.connection)"
        }
    }

    private mutating func tell(_ facts: [String]) { details += facts.map { "\($0)" } }

    /// Returns the numbers of failures, of overcome problems and of warnings; a single failure needs none.
    private func counts(unlisted: Int) -> [String] {
        [
            counted(.failed, "failure", unlisted: unlisted, from: 2),
            counted(.overcome, "problem").map { "\($0) overcome" }, counted(.warning, "warning"),
        ].compactMap(\.self)
    }

    /// Returns the number of incidents of a kind, with that of the frames in which they occurred if it is
    /// another; nil if there are fewer of these than `least`.
    private func counted(_ kind: Card.Kind, _ noun: String, unlisted: Int = 0, from least: Int = 1) -> String?
    {
        let own = marks.filter { $0.kind == kind }
        let count = own.count + unlisted
        let places = own.reduce(unlisted) { $0 + $1.places.count }
        guard places >= least else { return nil }
        return count.counting(noun) + (places > count ? " in \(places) places" : "")
    }

    /// The share of the connections' events that a sniffer heard, if it missed some.
    private static func reception(of links: [Link]) -> [String] {
        let heard = links.reduce(0) { $0 + ($1.air?.events ?? 0) }
        let missed = links.reduce(0) { $0 + ($1.air?.missedEvents ?? 0) }
        guard missed > 0 else { return [] }
        return ["the sniffer heard \(heard) of \((heard + missed).counting("connection event"))"]
    }

    /// Names and titles of the profiles in use: the kind of device, where the log has no name. One that only
    /// some connections use has their numbers.
    private func profiles(_ links: [Link]) -> [String] {
        var found: [(text: String, connections: [Int])] = []
        for link in links {
            for use in link.uses where use.kind == .profile {
                let text = use.title.map { "\(use.name): \($0)" } ?? use.name
                if let known = found.firstIndex(where: { $0.text == text }) {
                    found[known].connections.append(link.number)
                } else if found.count < 2 {
                    found.append((text, [link.number]))
                }
            }
        }
        return found.map { text, connections in
            let noun = connections.count > 1 ? "connections" : "connection"
            let numbers =
                connections.count > Self.connectionLimit
                ? connections.count.counting("connection")
                : "\(noun) \(connections.map(String.init).joined(separator: ", "))"
            return String(escaped: text.utf8) + (connections.count < links.count ? " (\(numbers))" : "")
        }
    }

    private mutating func describe(_ link: Link, namesFile: Bool) {
        isOnAir = link.isOnAir
        subject = devices[link.number]?.name ?? ""
        if subject == link.handleText(onAir: "access address") { subject = "unknown device (\(subject))" }
        let central = link.central.map { "central \($0)" }
        tell([devices[link.number]?.address, central].compactMap(\.self))
        // The recorded side mostly is the central.
        if link.role == .peripheral {
            details.append("\(Sentence.Part.host) is the peripheral, \(Sentence.Part.peer) the central")
        }
        details += ConnectionSummary(link: link, namesFile: namesFile).outcome
        end = details.last
    }

    private mutating func describe(
        lastOf failures: [Incident], _ main: Incident, _ occurrences: PageOccurrences, _ links: [Link],
        _ analyzer: borrowing Analyzer
    ) {
        // Of a headline about the last one, the first.
        let last =
            lead > 0 ? failures.min { $0.order < $1.order } : Verdict.last(of: failures, links, from: 1)
        guard let last else { return }
        let (which, place) = lead > 0 ? ("first", last.place) : ("last", last.lastPlace)
        let sentences = [(main, main.place), (last, place)].map { incident, place in
            let problem = occurrences.problem(of: incident, at: place) ?? incident.problem
            return Verdict.sentence(problem, on: incident.connection, incident.label, analyzer)
        }
        let (device, first) = (devices[last.connection], devices[main.connection])
        let same: Sentence = "the same again\(device == first ? "" : device.map { " with \($0.name)" } ?? "")"
        let what = sentences[0] == sentences[1] ? same : sentences[1]
        details.append("the \(which) failure: \(what) (frame \(place))")
    }

    private static func card(
        _ kind: Card.Kind, _ incident: Incident, _ signature: IncidentSignature, _ link: Link?,
        _ analyzer: borrowing Analyzer, explains: Bool
    ) -> Card {
        let names = Names(link, analyzer)
        var card = Card(
            kind: kind, problem: incident.problem, text: VerdictBody.words(incident, analyzer),
            signature: signature,
            count: incident.count, namedSide: incident.problem.side.map(names.side), place: incident.place,
            connection: incident.connection, names: names, allNames: names)
        card.use = Verdict.requestText(of: incident, analyzer)
        let which = incident.count > 1 ? " of the first" : ""
        card.explanation = incident.problem.known.map { ["Known\(which): \($0)."] } ?? []
        if explains, let hint = incident.problem.hint {
            card.explanation.append("\("\(hint)".capitalizedFirst)")
        }
        for (word, consequence) in incident.wordedConsequences {
            let text = Verdict.sentence(consequence.problem, on: incident.connection, nil, analyzer)
            card.consequences.append((word, consequence.place, text))
        }
        card.furtherConsequences = incident.consequenceCount - incident.consequences.count
        return card
    }

    /// Returns the names of the leading failure's sides, else of the main connection's, and of all devices
    /// that were asked for.
    private func namesOfHeadline(_ main: Link?, _ analyzer: borrowing Analyzer) -> Names {
        let failed = cards.isEmpty || cards[lead].kind != .failed ? nil : cards[lead].allNames
        var names = failed ?? Names(main, analyzer)
        for card in cards { names.attempted.merge(card.names.attempted) { $1 } }
        return names
    }

    /// Adds the name of the device that an attempt to connect asked for, if the log has it.
    private func name(
        attemptedOf incident: Incident, _ links: [Link], _ analyzer: borrowing Analyzer, in card: inout Card
    ) {
        guard let peer = incident.problem.attempt?.peer else { return }
        let own = links.first { $0.address?.value == peer.value && devices[$0.number]?.address != nil }
        let advertised = Verdict.shownName(of: peer, analyzer).map { "\u{201C}\($0)\u{201D}" }
        guard let name = advertised ?? own.flatMap({ devices[$0.number]?.name }) else { return }
        card.names.attempted["\(peer)"] = "\(name) (\(peer))"
        card.allNames.attempted = card.names.attempted
    }

    /// Adds the connections on which an incident occurred, and the devices of these.
    private func add(_ sites: [PageOccurrences.Site], of incident: Incident, to card: inout Card) {
        guard incident.connection > 0 else { return }
        card.sites = sites
        for site in sites {
            guard let device = devices[site.connection], !card.devices.contains(device) else { continue }
            card.devices.append(device)
        }
        guard card.devices.count > 1 else { return }
        card.allNames.peer = Device.list(card.devices)
        card.namedSide = incident.problem.side.map(card.allNames.side)
    }
}

extension String {
    /// The text with a capital letter, if it begins with an ordinary word: not an address, or a code's name.
    var titled: String {
        let word = prefix { $0 != " " }
        guard let first, word.allSatisfy({ $0.isLetter && $0.isLowercase }) else { return self }
        return first.uppercased() + dropFirst()
    }

    /// The text with a capital letter and a full stop.
    fileprivate var capitalizedFirst: String {
        guard let first else { return self }
        return first.uppercased() + dropFirst() + (hasSuffix(".") ? "" : ".")
    }
}

// The headline and the cards as HTML, and the incidents as data for the page's script.

extension PageHeadline {
    /// Number of cards of failures that are unfolded at first.
    private static let opened = 4

    /// Appends the heading and the cards.
    ///
    /// - Parameter notes: sentences about the log, shown below the first card because they limit its answer.
    func put(notes: [String], into out: inout TextBuffer) {
        var failed = cards.filter { $0.kind == .failed }
        if isFailure, !failed.isEmpty {
            let first = failed.remove(at: lead)
            begin(first, isFirst: true, into: &out)
            heading(first, into: &out)
            reasons(first, into: &out)
            out.put("<div id=\"answers\"></div>\n")
            end(first, into: &out)
        } else {
            out.put("<div class=\"calm\">\n")
            heading(nil, into: &out)
            out.put("<div id=\"answers\"></div>\n</div>\n")
        }
        Self.put(notes, into: &out)
        out.put("<div id=\"phases\"></div>\n")
        let others = Self.grouped(failed[...])
        put(others.prefix(Self.opened - 1), into: &out)
        let folded = others.dropFirst(Self.opened - 1)
        if !folded.isEmpty || further > 0 {
            let count = folded.reduce(further) { $0 + $1.count }
            out.put("<details class=\"more\"><summary>\(count.counting("more failure"))</summary>\n")
            put(folded, into: &out)
            if further > 0 { out.put("<p>\(further.counting("failure")) not listed</p>\n") }
            out.put("</details>\n")
        }
        for kind in [Card.Kind.overcome, .warning] {
            let cards = cards.filter { $0.kind == kind }
            guard !cards.isEmpty else { continue }
            let isOpen = kind == .overcome ? cards.count <= 2 : !isFailure
            let count = marks.count { $0.kind == kind }
            out.put("<details class=\"more\"\(isOpen ? " open" : "")><summary>")
            out.put(counted(kind, kind == .overcome ? "problem" : "warning") ?? "")
            out.put(
                kind == .overcome
                    ? " overcome: what failed first succeeded later"
                    : ": worth knowing, but no connection is known to have failed because of "
                        + (count == 1 ? "it" : "them"))
            out.put("</summary>\n")
            put(Self.grouped(cards[...])[...], into: &out)
            if count > cards.count { out.put("<p>\(count - cards.count) more not listed</p>\n") }
            out.put("</details>\n")
        }
    }

    /// Appends the sentence, and below it the facts of the session. An answer says how it ended.
    private func heading(_ first: Card?, into out: inout TextBuffer) {
        out.put("<h1>")
        let hasSubject = !subject.isEmpty && !names.text(outcome).contains(subject)
        if hasSubject {
            out.put("<span class=\"subject\">")
            out.put(html: subject.titled)
            out.put("</span>: ")
        }
        out.put("<span class=\"\(isFailure ? "bad" : "calm")\">")
        // The failing frame stands out, not those that the words name.
        names.put(outcome, isTitle: !hasSubject, links: "named", into: &out)
        out.put("</span>")
        if let first { put(first.place, into: &out) }
        names.put(silence, links: "named", into: &out)
        out.put("</h1>\n")
        let facts = details.filter { $0 != end }
        guard first != nil || !facts.isEmpty else { return }
        out.put("<p class=\"lede\">")
        if let first {
            put(sideOf: first, into: &out)
            let hasConnection = first.connection > 0 && namesConnections
            if hasConnection { put(connection: first.connection, after: "connection ", into: &out) }
            if !facts.isEmpty, hasConnection { out.put(" \u{B7} ") }
        }
        names.put(facts.joined(separator: " \u{B7} "), into: &out)
        out.put("</p>\n")
    }

    // MARK: Cards

    /// Returns the cards, those of one refusal on one connection together.
    private static func grouped(_ cards: ArraySlice<Card>) -> [[Card]] {
        cards.reduce(into: []) { groups, card in
            if let index = groups.firstIndex(where: { $0[0].isAlike(card) }) {
                groups[index].append(card)
            } else {
                groups.append([card])
            }
        }
    }

    private func put(_ groups: ArraySlice<[Card]>, into out: inout TextBuffer) {
        for group in groups {
            let card = group[0]
            begin(card, isFirst: false, into: &out)
            put(devicesOf: card, into: &out)
            out.put("<h2>")
            card.allNames.put(card.text, isTitle: true, links: "named", into: &out)
            put(sideOf: card, into: &out)
            put(card.place, into: &out)
            out.put("</h2>\n")
            reasons(card, into: &out)
            end(card, alike: group.dropFirst(), into: &out)
        }
    }

    private func begin(_ card: Card, isFirst: Bool, into out: inout TextBuffer) {
        out.put("<article class=\"card \(card.kind.rawValue)\(isFirst ? " first" : "")\" ")
        out.put("data-frame=\"\(card.place.text(from: 0))\" data-incident=\"\(card.mark)\">\n")
    }

    /// Appends the explanation and the consequences.
    private func reasons(_ card: Card, into out: inout TextBuffer) {
        for sentence in card.explanation {
            out.put("<p class=\"why\">")
            card.names.put(sentence, into: &out)
            out.put("</p>\n")
        }
        put(card.consequences, of: card.place, further: card.furtherConsequences, card.names, into: &out)
    }

    /// Appends room for the frames that explain it, and the other cards of its group.
    private func end(_ card: Card, alike: ArraySlice<Card> = [], into out: inout TextBuffer) {
        out.put("<div class=\"evidence\"></div>\n")
        put(sitesOf: card, into: &out)
        put(alike, into: &out)
        out.put("</article>\n")
    }

    private func put(sideOf card: Card, into out: inout TextBuffer) {
        guard let side = card.namedSide else { return }
        out.put(" <span class=\"side\" title=\"")
        out.put(html: side.meaning)
        out.put("\">")
        out.put(html: side.word)
        out.put("</span>")
    }

    func put(_ place: FramePlace, into out: inout TextBuffer) {
        let name = place.text(from: 0)
        out.put(" <a href=\"#frame=\(name)\">frame \(name)</a>")
    }
}
