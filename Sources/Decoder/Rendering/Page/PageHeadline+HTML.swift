import PayloadFormat
import WireBytes

// The headline and the cards as HTML, and the incidents as data for the page's script.

extension PageHeadline {
    /// Number of failures that are unfolded at first, of connections that a card lists, and of frames of one
    /// incident that the timeline marks.
    private static let opened = 4
    private static let siteLimit = 12
    private static let markLimit = 1000

    /// Appends the heading and the cards.
    func put(into out: inout TextBuffer) {
        let failed = cards.filter { $0.kind == .failed }
        if isFailure, let first = failed.first {
            begin(first, isFirst: true, into: &out)
            heading(first, into: &out)
            out.put("<div id=\"answers\"></div>\n")
            end(first, into: &out)
        } else {
            out.put("<div class=\"calm\">\n")
            heading(nil, into: &out)
            out.put("<div id=\"answers\"></div>\n</div>\n")
        }
        out.put("<div id=\"phases\"></div>\n")
        put(failed.dropFirst().prefix(Self.opened - 1), into: &out)
        let folded = failed.dropFirst(Self.opened)
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
            let count = marks.count { $0.kind == kind }
            out.put("<details class=\"more\"\(isOpen ? " open" : "")><summary>")
            out.put(count.counting(kind == .overcome ? "problem" : "warning"))
            if kind == .overcome { out.put(" overcome: what failed first succeeded later") }
            out.put("</summary>\n")
            put(cards[...], into: &out)
            if count > cards.count { out.put("<p>\(count - cards.count) more not listed</p>\n") }
            out.put("</details>\n")
        }
    }

    /// Appends the sentence, and below it the facts of the session. An answer says how it ended.
    private func heading(_ first: Card?, into out: inout TextBuffer) {
        out.put("<h1>")
        let sentence = names.replacingSides(in: outcome)
        if !subject.isEmpty, !sentence.contains(subject) {
            out.put("<span class=\"subject\">")
            out.put(html: subject)
            out.put("</span>: ")
        }
        out.put("<span class=\"\(isFailure ? "bad" : "calm")\">")
        out.put(html: sentence)
        out.put("</span></h1>\n")
        let facts = details.filter { $0 != end }
        guard first != nil || !facts.isEmpty else { return }
        out.put("<p class=\"lede\">")
        if let first {
            put(sideOf: first, into: &out)
            put(first.place, into: &out)
            if first.connection > 0, namesConnections { out.put(" \u{B7} connection \(first.connection)") }
            if !facts.isEmpty { out.put(" \u{B7} ") }
        }
        out.put(html: names.replacingSides(in: facts.joined(separator: " \u{B7} ")))
        out.put("</p>\n")
    }

    // MARK: Cards

    private func put(_ cards: ArraySlice<Card>, into out: inout TextBuffer) {
        for card in cards {
            begin(card, isFirst: false, into: &out)
            put(devicesOf: card, into: &out)
            out.put("<h2>")
            out.put(html: card.allNames.replacingSides(in: card.text))
            put(sideOf: card, into: &out)
            put(card.place, into: &out)
            out.put("</h2>\n")
            end(card, into: &out)
        }
    }

    private func begin(_ card: Card, isFirst: Bool, into out: inout TextBuffer) {
        out.put("<article class=\"card \(card.kind.rawValue)\(isFirst ? " first" : "")\" ")
        out.put("data-frame=\"\(card.place.text(from: 0))\">\n")
    }

    /// Appends the explanation, the consequences, and room for the frames that explain it.
    private func end(_ card: Card, into out: inout TextBuffer) {
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
        out.put("<div class=\"evidence\"></div>\n")
        put(sitesOf: card, into: &out)
        out.put("</article>\n")
    }

    /// Appends the devices and connections that a card concerns, as far as the log has several of them. A
    /// name that the card's title has is left out.
    private func put(devicesOf card: Card, into out: inout TextBuffer) {
        guard namesConnections, card.connection > 0 else { return }
        let title = card.allNames.replacingSides(in: card.text)
        let isOnlyDevice = Set(devices.values).count == 1
        var parts = card.devices.prefix(isOnlyDevice ? 0 : Self.siteLimit).map { device in
            let name = title.contains(device.name) ? nil : device.name
            return [name, device.address].compactMap(\.self).joined(separator: " ")
        }.filter { !$0.isEmpty }
        if card.devices.count > Self.siteLimit {
            parts.append("\((card.devices.count - Self.siteLimit).counting("other device"))")
        }
        let numbers = card.sites.prefix(Self.siteLimit).map { "\($0.connection)" }.joined(separator: ", ")
        let more = card.sites.count > Self.siteLimit ? " and others" : ""
        parts.append((card.sites.count > 1 ? "connections " : "connection ") + numbers + more)
        out.put("<p class=\"who\">")
        out.put(html: parts.joined(separator: " \u{B7} "))
        out.put("</p>\n")
    }

    /// Appends the other connections on which a card's incident occurred, each with room for its frames.
    private func put(sitesOf card: Card, into out: inout TextBuffer) {
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
            out.put("</summary>\n<div class=\"evidence\"></div>\n</details>\n")
        }
        let more = others.count - Self.siteLimit
        if more > 0 { out.put("<p>and \(more.counting("other connection"))</p>\n") }
        out.put("</div>\n")
    }

    private func put(sideOf card: Card, into out: inout TextBuffer) {
        guard let side = card.namedSide else { return }
        out.put(" <span class=\"side\" title=\"")
        out.put(html: side.meaning)
        out.put("\">")
        out.put(html: side.word)
        out.put("</span>")
    }

    private func put(_ place: FramePlace, into out: inout TextBuffer) {
        let name = place.text(from: 0)
        out.put(" <a href=\"#frame=\(name)\">frame \(name)</a>")
    }

    // MARK: Data

    /// Appends all incidents as data: kind, text, connections, frames of the occurrences, and frames of the
    /// consequences.
    func putIncidents(into out: inout TextBuffer) {
        out.array("incidents")
        for mark in marks {
            out.separator()
            out.put("[")
            out.jsonString(mark.kind.rawValue)
            out.put(",")
            out.jsonString(mark.text)
            out.put(",[")
            out.put(mark.connections.map(String.init).joined(separator: ","))
            for places in [mark.places.prefix(Self.markLimit), mark.consequences[...]] {
                out.put("],[")
                out.put(places.map { "\"\($0.text(from: 0))\"" }.joined(separator: ","))
            }
            out.put("]]")
        }
        out.endArray()
    }
}
