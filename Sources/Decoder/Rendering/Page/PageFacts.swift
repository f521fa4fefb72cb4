import Analysis
import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

/// The frames and connections of problems. An incident keeps only its first frame, but a page names each
/// device that a failure concerns, and marks every occurrence.
struct PageOccurrences {
    /// A connection on which an incident occurred.
    struct Site {
        /// The number of the connection; 0 if absent.
        var connection: Int
        /// The first occurrence there.
        var place: FramePlace
        var count: Int
        /// The known circumstances of the problem there.
        var known: Sentence?
        /// The consequences there, and the number of further ones; those on the incident's own connection are
        /// the incident's.
        var consequences: [(word: String, place: FramePlace, text: Sentence)] = []
        var furtherConsequences = 0
    }

    private var found: [(problem: Problem, connection: Int, place: FramePlace)] = []

    /// Most occurrences that are kept. Later ones are counted by their incidents only.
    private static let limit = 20_000

    /// Adds the problems of the analyzer's last frame.
    mutating func take(_ analyzer: borrowing Analyzer) {
        guard !analyzer.problems.isEmpty else { return }
        let link = analyzer.frame.link
        let own = link >= 0 ? analyzer.links[link].number : 0
        let place = analyzer.frame.place
        for problem in analyzer.problems where problem.severity > .note && found.count < Self.limit {
            found.append(
                (
                    problem, problem.connection == 0 ? own : problem.connection,
                    problem.reportedAt ?? place
                ))
        }
    }

    /// Returns the occurrences of an incident, in the order of the log.
    func places(of incident: Incident) -> [(connection: Int, place: FramePlace)] {
        // Only the ends of connections are counted beyond the first few connections.
        let isElsewhere =
            incident.problem.isOfConnection && incident.connections > incident.firstConnections.count
        let alike = found.filter { one in
            (isElsewhere || incident.isOn(one.connection)) && one.problem.repeats(incident.problem)
        }
        // What was overcome and what stayed a failure may have the same problem, one after the other.
        let start = alike.firstIndex { $0.place == incident.place } ?? 0
        let end = alike.lastIndex { $0.place == incident.lastPlace } ?? alike.endIndex - 1
        let isExact = incident.occurrences.count == incident.count
        var places = alike[start..<max(start, end + 1)]
            .filter { one in !isExact || incident.occurrences.contains { $0.place == one.place } }
            .map { ($0.connection, $0.place) }
        if !places.contains(where: { $0.1 == incident.place }) {
            places.insert((incident.connection, incident.place), at: 0)
        }
        return places
    }

    /// Returns the problem of an incident at one of its places.
    func problem(of incident: Incident, at place: FramePlace) -> Problem? {
        found.first { $0.place == place && $0.problem.repeats(incident.problem) }?.problem
    }

    /// Returns the connections among the places of an incident, its own first.
    func sites(
        _ places: [(connection: Int, place: FramePlace)], of incident: Incident
    ) -> [Site] {
        var sites = [Site(connection: incident.connection, place: incident.place, count: 0)]
        for (connection, place) in places {
            if let known = sites.firstIndex(where: { $0.connection == connection }) {
                sites[known].count += 1
            } else {
                let known = problem(of: incident, at: place)?.known
                sites.append(Site(connection: connection, place: place, count: 1, known: known))
            }
        }
        return sites
    }

    /// Returns what followed from an incident on another one of its connections, in the order of the log: the
    /// problems there that repeat it or one of its consequences, and are no occurrences of incidents.
    func consequences(
        of incident: Incident, at site: Site, _ incidents: [Incident]
    ) -> [(problem: Problem, place: FramePlace)] {
        let own = incidents.filter { $0.isOn(site.connection) }
        return found.filter { one in
            one.connection == site.connection && one.place.bits >= site.place.bits
                && (one.problem.repeats(incident.problem)
                    || incident.consequences.contains { $0.problem.repeats(one.problem) })
                && !own.contains { other in
                    one.problem.repeats(other.problem)
                        && (one.place == site.place || other.occurrences.contains { $0.place == one.place })
                }
        }.map { ($0.problem, $0.place) }
    }
}

extension PageOccurrences {
    /// Appends the requests that had no answer.
    func putUnanswered(into out: inout TextBuffer) {
        let places = found.filter { $0.problem.isUnanswered }.flatMap { $0.problem.related }
        out.array("unanswered", of: places) { $0.jsonString($1.text(from: 0)) }
    }

    /// Appends the problems that belong to an earlier frame than the one that showed them: that frame, the
    /// text with marks for the sides, the weight, and whether it is the end of the connection.
    func putEarlier(into out: inout TextBuffer) {
        out.rows("earlier", of: found.filter { $0.problem.reportedAt != nil }) { out, one in
            out.cell(one.place.text(from: 0))
            out.cell(PageHeadline.Names(marking: one.connection).text(one.problem.lineParts))
            out.cell(one.problem.severity >= .error ? 2 : 1)
            out.cell(one.problem.isOfConnection ? 1 : 0)
        }
    }
}

/// The connection parameters in force, with the time of each change.
struct PageParameters {
    private var changes:
        [(connection: Int, time: CaptureTime, place: FramePlace, parameters: LinkConditions.Parameters)] = []
    /// The parameters of each connection after its last change.
    private var current: [Int: LinkConditions.Parameters] = [:]

    /// Most changes that are kept.
    private static let limit = 20_000

    /// Adds the parameters that the analyzer's last frame put in force.
    mutating func take(_ analyzer: borrowing Analyzer) {
        let kind = analyzer.frame.header.kind
        guard kind == .event || kind == .air, analyzer.frame.link >= 0, changes.count < Self.limit else {
            return
        }
        let connection = analyzer.links[analyzer.frame.link].number
        let new = analyzer.links[analyzer.frame.link].parameters
        guard new.interval > 0, current[connection] != new else { return }
        current[connection] = new
        changes.append((connection, analyzer.frame.time, analyzer.frame.place, new))
    }

    /// Appends the changes in the order of the log: connection, time since `start`, interval, latency and
    /// timeout, with times in microseconds, and the frame.
    func put(since start: CaptureTime, into out: inout TextBuffer) {
        out.rows("parameters", of: changes) { out, change in
            out.cell(change.connection)
            out.cell((change.time.nanoseconds &- start.nanoseconds) / 1000)
            out.cell(Int(change.parameters.interval) * 1250)
            out.cell(change.parameters.latency)
            out.cell(Int(change.parameters.timeout) * 10_000)
            out.cell(change.place.text(from: 0))
        }
    }
}

/// The pairings of each connection, which may be several: from the Pairing Request to the encryption or
/// failure.
struct PagePairings {
    private struct Pairing {
        var connection: Int
        var start: CaptureTime
        /// The last of its PDUs, or the event that ended it.
        var end: CaptureTime
        var isDone = false
        var isOpen = true
    }

    private var pairings: [Pairing] = []
    /// The index of each connection's last pairing.
    private var last: [Int: Int] = [:]

    /// Most pairings that are kept.
    private static let limit = 2_000

    /// Adds what the analyzer's last frame shows of a pairing.
    mutating func take(_ analyzer: borrowing Analyzer) {
        let time = analyzer.frame.time
        if let code = analyzer.frame.smpCode.flatMap(SMPCode.init), let connection = analyzer.linkNumber {
            if code == .pairingRequest, pairings.count < Self.limit {
                last[connection] = pairings.count
                pairings.append(Pairing(connection: connection, start: time, end: time))
            }
            change(connection, at: time) { $0.isOpen = code != .pairingFailed }
        }
        for one in analyzer.changes {
            guard let connection = one.connection else { continue }
            switch one.kind {
            case .encryption(let status), .keyRefresh(let status):
                change(connection, at: time) { ($0.isDone, $0.isOpen) = (status == .success, false) }
            case .opened, .parameters, .phy, .ended: break
            }
        }
    }

    /// Changes the pairing that is under way on a connection, and notes the time.
    private mutating func change(_ connection: Int, at time: CaptureTime, _ body: (inout Pairing) -> Void) {
        guard let index = last[connection], pairings[index].isOpen else { return }
        pairings[index].end = time
        body(&pairings[index])
    }

    /// Appends the pairings in the order of the log: connection, beginning and end in microseconds since
    /// `start`, and whether the link was encrypted then.
    func put(since start: CaptureTime, into out: inout TextBuffer) {
        func since(_ time: CaptureTime) -> Int64 { (time.nanoseconds &- start.nanoseconds) / 1000 }
        out.array("pairings", of: pairings) { out, one in
            out.put("[\(one.connection),\(since(one.start)),\(since(one.end)),\(one.isDone ? 1 : 0)]")
        }
    }
}

/// The voice beside connections: the packets of their synchronous connections (SCO, eSCO).
struct PageVoices {
    /// Packets without a pause.
    private struct Stretch {
        var connection: Int
        /// The kind of link, as its event has it; nil if the log does not show it.
        var kind: UInt8?
        var start: CaptureTime
        var end: CaptureTime
        var first: FramePlace
        var sent = 0
        var received = 0
        var octets = 0
    }

    private var stretches: [Stretch] = []
    /// The kind of link, and the index of the last stretch, of each handle of an adapter in a file.
    private var kinds: [UInt64: UInt8] = [:]
    private var last: [UInt64: Int] = [:]

    /// Nanoseconds without a packet that end a stretch, and the most stretches that are kept.
    private static let pause: Int64 = 2_000_000_000
    private static let limit = 2_000

    /// Adds the analyzer's last frame, which was made from `record`.
    mutating func take(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        let header = record.header
        let adapter = UInt64(header.file) << 16 | UInt64(header.adapter)
        let key = adapter << 16 | UInt64(analyzer.frame.handle ?? 0)
        // Connection Complete and Synchronous Connection Complete have the kind at the same place.
        let code = record.octets.octet(at: 0)
        if header.kind == .event, code == 0x03 || code == 0x2C, record.octets.octet(at: 2) == 0 {
            kinds[key] = record.octets.octet(at: 11)
            last[key] = nil
        }
        guard header.kind == .sco else { return }
        let time = analyzer.frame.time
        if let index = last[key], time.nanoseconds &- stretches[index].end.nanoseconds < Self.pause {
            stretches[index].end = max(stretches[index].end, time)
        } else {
            guard stretches.count < Self.limit else { return }
            last[key] = stretches.count
            stretches.append(
                Stretch(
                    connection: analyzer.linkNumber ?? 0, kind: kinds[key], start: time, end: time,
                    first: analyzer.frame.place))
        }
        guard let index = last[key] else { return }
        let isSent = analyzer.frame.direction == .hostToController
        stretches[index].sent += isSent ? 1 : 0
        stretches[index].received += isSent ? 0 : 1
        stretches[index].octets += max(0, Int(header.originalLength) - 3)
    }

    /// Appends the stretches in the order of the log: connection, beginning and end in microseconds since
    /// `start`, packets sent and received, their bytes, the kind of link and the first frame.
    func put(since start: CaptureTime, into out: inout TextBuffer) {
        out.rows("voices", of: stretches) { out, one in
            let times = [one.start, one.end].map { Int(($0.nanoseconds &- start.nanoseconds) / 1000) }
            for number in [one.connection] + times + [one.sent, one.received, one.octets] { out.cell(number) }
            out.cell(one.kind)
            out.cell(one.first.text(from: 0))
        }
    }
}

extension PageHeadline {
    /// The other side of a connection.
    struct Device: Hashable, Sendable {
        /// Its name in quotes, or else its address or the connection's handle.
        var name: String
        /// Its address, if it has a name.
        var address: String?

        init(_ link: Link, _ analyzer: borrowing Analyzer) {
            let shown = Verdict.shownName(of: link, analyzer).map { "\u{201C}\($0)\u{201D}" }
            let number = link.address.map { "\($0)" } ?? link.handleText(onAir: "access address")
            name = shown ?? number
            address = shown == nil ? nil : number
        }

        /// Returns the names of several devices: both, or the first and the number of the others.
        static func list(_ devices: [Self]) -> String {
            guard devices.count != 2 else { return "\(devices[0].name) and \(devices[1].name)" }
            return "\(devices[0].name) and \((devices.count - 1).counting("other device"))"
        }
    }

    /// Both sides of a connection as readers know them: phone and car, or the name that the device gave.
    struct Names: Sendable {
        var host = "this phone or computer"
        var peer = "the other side"
        /// Whether a sniffer recorded both: the host then stands for the central.
        private var isOnAir = false
        /// The role of the recorded side if that is the peripheral, and the other's, each before a comma.
        private var roles = (host: "", peer: "")
        /// The addresses of devices that were asked for, each with its text that has the name.
        var attempted: [String: String] = [:]

        /// Marks with a connection's number, which the page's script replaces by the names of that
        /// connection: they are known at the log's end. No text of a log has control characters.
        init(marking connection: Int) {
            (host, peer) = ("\u{1}\(connection)\u{1}", "\u{2}\(connection)\u{2}")
        }

        init(_ link: Link?, _ analyzer: borrowing Analyzer) {
            guard let link else { return }
            let isCentral = link.role != .peripheral
            isOnAir = link.isOnAir
            if !isCentral { roles = ("the peripheral, ", "the central, ") }
            if link.session != nil {
                (host, peer) = isCentral ? ("the phone", "the car") : ("the car", "the phone")
                return
            }
            if !isCentral { host = "this device" }
            if isOnAir { (host, peer) = ("the central", "the peripheral") }
            if link.role == .central { peer = "the device" }
            if let name = Verdict.shownName(of: link, analyzer) { peer = "\u{201C}\(name)\u{201D}" }
        }

        /// Returns a sentence of the verdict with these names for the sides.
        func text(_ sentence: Sentence) -> String {
            sentence.parts.reduce(into: "") { add($1, to: &$0) }
        }

        /// Returns words with the texts of devices in place of their addresses, where these stand alone.
        private func named(_ words: String) -> String {
            var text = ""
            var rest = words[...]
            while true {
                let found = attempted.compactMap { address, named in
                    let place = rest.firstRange(of: named) ?? rest.firstRange(of: address)
                    return place.map { ($0, named) }
                }
                guard let (place, named) = found.min(by: { $0.0.lowerBound < $1.0.lowerBound }) else { break }
                text += rest[..<place.lowerBound] + named
                rest = rest[place.upperBound...]
            }
            return text + rest
        }

        private func add(_ part: Sentence.Part, to text: inout String) {
            switch part {
            case .words(let words) where words.hasPrefix("'") && text.hasSuffix("\u{201D}"):
                // A name in quotes stands without them before the ending: Mac's, not “Mac”'s.
                let start = peer.filter { $0 == "\u{201C}" }.count == 1 ? text.lastIndex(of: "\u{201C}") : nil
                if let start {
                    text.remove(at: start)
                    text.removeLast()
                }
                text += "\u{2019}\(words.dropFirst())"
            case .words(let words):
                text += named(words)
            case .host: text += host
            case .peer: text += peer
            case .frame(let place): text += place.text(from: 0)
            }
        }

        /// Appends such a sentence as HTML, with links to its frames.
        ///
        /// - Parameters:
        ///   - isTitle: whether it begins with a capital letter.
        ///   - kind: the class of the links; empty for ordinary ones.
        func put(
            _ sentence: Sentence, isTitle: Bool = false, links kind: String = "", into out: inout TextBuffer
        ) {
            var words = ""
            for (index, part) in sentence.parts.enumerated() {
                guard case .frame(let place) = part else {
                    add(part, to: &words)
                    if isTitle, index == 0 { words = words.titled }
                    continue
                }
                // The noun belongs to the link.
                let noun = ["frame ", "frames ", "Frame "].first(where: words.hasSuffix) ?? ""
                out.put(html: String(words.dropLast(noun.count)))
                let name = place.text(from: 0)
                let attribute = kind.isEmpty ? "" : " class=\"\(kind)\""
                out.put("<a\(attribute) href=\"#frame=\(name)\">\(noun)\(name)</a>")
                words = ""
            }
            out.put(html: words)
        }

        /// Returns the name of the device on a side, with the verdict's word for that side and its meaning.
        func side(_ side: Problem.Party) -> (word: String, meaning: String) {
            let (word, meaning) = side.words(isOnAir: isOnAir)
            let name = side == .host ? Self.bare(host) : side == .peer ? Self.bare(peer) : word
            let role = side == .host ? roles.host : side == .peer ? roles.peer : ""
            return (name, (name == word ? "" : "\(word), ") + role + meaning)
        }

        private static func bare(_ name: String) -> String {
            for article in ["the ", "this "] where name.hasPrefix(article) {
                return String(name.dropFirst(article.count))
            }
            return name
        }
    }
}

extension PageHeadline {
    /// Appends all incidents as data: kind, text, connection of each occurrence, frames of these, and frames
    /// of the consequences.
    func putIncidents(into out: inout TextBuffer) {
        out.rows("incidents", of: marks) { out, mark in
            out.cell(mark.kind.rawValue)
            out.cell(mark.text)
            out.put(",[\(mark.connections.map(String.init).joined(separator: ","))")
            for places in [mark.places, mark.consequences] {
                out.put("],[" + places.map { "\"\($0.text(from: 0))\"" }.joined(separator: ","))
            }
            out.put("]")
        }
    }
}
