public import Analysis
import BluetoothCore
import CaptureFile
import LinkLayer
import PayloadFormat
import WireBytes

// The failures of the verdict, and the words for each.

extension Verdict {
    /// Returns the failures, most serious first: by weight, then by severity, then in the order of the log.
    ///
    /// The first ``failureLimit``, which get lines of their own, are then sorted by weight and the order of
    /// the log alone.
    public static func failures(
        _ analyzer: borrowing Analyzer, _ totals: CaptureStatistics
    ) -> [Incident] {
        let weight = weights(analyzer.everyLink)
        let failed = totals.incidents.filter { $0.severity >= .error }
            .map { (weight: weight($0), incident: $0) }
            .sorted { left, right in
                (right.weight, right.incident.severity.rawValue, left.incident.order)
                    < (left.weight, left.incident.severity.rawValue, right.incident.order)
            }
        let named = failed.prefix(failureLimit).sorted {
            ($1.weight, $0.incident.order) < ($0.weight, $1.incident.order)
        }
        return (named + failed.dropFirst(failureLimit)).map(\.incident)
    }

    /// Returns the weight of failures, from 5 down: a decisive one on a connection with a protocol above ATT,
    /// another one there; a decisive failure elsewhere; a device that was lost and connected again; another
    /// failure, such as a refused request; a device that was never connected while others were.
    private static func weights(_ links: [Link]) -> (Incident) -> Int {
        let speaking = Set(links.filter(\.speaksProtocol).map(\.number))
        let met = Set(links.flatMap { [$0.address, $0.identity] }.compactMap { $0?.value })
        return { incident in
            if incident.problem.isOfConnection, reconnection(after: incident, links) != nil { return 2 }
            if incident.involvesProtocol || speaking.contains(incident.connection) {
                return incident.isDecisive ? 5 : 4
            }
            if let peer = incident.problem.attempt?.peer, !met.isEmpty, !met.contains(peer.value) { return 0 }
            return incident.isDecisive ? 3 : 1
        }
    }

    /// Returns the index of the failure that a headline names; nil without failures.
    ///
    /// It is the first of the most serious ones; or the last of them, if that is a refusal by a protocol
    /// above ATT, which the user saw last. Failures overcome with another key count only without others.
    static func headlineFailure(_ failures: some Collection<Incident>, _ links: [Link]) -> Int? {
        let weight = weights(links)
        let weights = failures.map { $0.problem.wasOvercomeWithOtherKey ? -1 : weight($0) }
        let serious = zip(weights, failures).enumerated().filter { $0.element.0 == weights.max() }
        let last = serious.max { $0.element.1.lastTime < $1.element.1.lastTime }
        return last?.element.1.problem.isRefusalInSession == true ? last?.offset : serious.first?.offset
    }

    /// Returns the failures as a reader counts them: one that repeats on other connections with the same
    /// device stands once, with the number of connections.
    public static func listed(
        _ analyzer: borrowing Analyzer, _ totals: CaptureStatistics
    ) -> [Incident] {
        let peers = Dictionary(analyzer.everyLink.map { ($0.number, $0.identity ?? $0.address) }) {
            first, _ in first
        }
        var listed: [Incident] = []
        for failure in failures(analyzer, totals) {
            let peer = peers[failure.connection] ?? nil
            let same = listed.firstIndex { earlier in
                peer != nil && peers[earlier.connection] == peer && failure.problem.repeats(earlier.problem)
            }
            if let same { listed[same].join(failure) } else { listed.append(failure) }
        }
        // The verdict lists the failures with lines of their own by connection, and numbers them in that
        // order.
        let named = listed.prefix(failureLimit)
        let places = Dictionary(named.enumerated().map { ($1.connection, $0) }) { first, _ in first }
        func place(_ named: (offset: Int, element: Incident)) -> Int {
            named.element.connection > 0 ? places[named.element.connection] ?? 0 : named.offset
        }
        let grouped = named.enumerated().sorted { (place($0), $0.offset) < (place($1), $1.offset) }
        return grouped.map(\.element) + listed.dropFirst(failureLimit)
    }

    /// Returns the problems that are not failures and were not overcome, most serious first: those of
    /// connections, those of adapters, odd records, and last invalid advertising data, whose devices may
    /// never have been connected.
    static func warnings(_ totals: CaptureStatistics) -> [Incident] {
        func weight(_ incident: Incident) -> Int {
            switch incident.problem.kind {
            case .hci(.malformedAdvertising): 0
            case .record: 1
            default: incident.connection > 0 ? 3 : 2
            }
        }
        return totals.incidents
            .filter { $0.severity < .error && !$0.problem.isOvercome && !$0.problem.isInBackground }
            .enumerated()
            .sorted { (weight($1.element), $0.offset) < (weight($0.element), $1.offset) }.map(\.element)
    }

    /// Returns the failed pages of devices, in a log with sessions of other devices.
    static func pagedInVain(_ totals: CaptureStatistics) -> [Incident] {
        totals.incidents.filter(\.problem.isInBackground)
    }

    /// Returns the verdict's entries that are not failures, in the order of their numbers: problems that were
    /// overcome and warnings.
    ///
    /// The first `notable` ones belong on the first screen. If nothing failed, this includes the most serious
    /// warning: it stands at the top (`top` is then 1), unless a pairing or encryption was overcome.
    static func others(_ totals: CaptureStatistics) -> (entries: [Incident], notable: Int, top: Int) {
        let warnings = warnings(totals)
        let overcome = overcome(totals) + pagedInVain(totals)
        // A warning about an adapter is less important than a problem that was overcome.
        let isShown =
            totals.firstError == nil && (overcome.isEmpty || (warnings.first?.connection ?? 0) > 0)
        let worst = Array(isShown ? warnings.prefix(1) : [])
        let isOnTop = !overcome.contains(where: \.problem.isAboutSecurity)
        let notable = isOnTop ? worst + overcome : overcome + worst
        return (notable + warnings.dropFirst(worst.count), notable.count, isOnTop ? worst.count : 0)
    }

    /// The verdict's entries in the order of the numbers by which `--failure` shows them.
    struct Entries {
        /// The failures as a reader counts them, and behind them the other entries.
        let listed, others: [Incident]

        /// Creates the entries of a log; if frames are selected, those of the selection.
        init(_ analyzer: borrowing Analyzer) {
            let totals = analyzer.shownTotals
            listed = Verdict.listed(analyzer, totals)
            others = Verdict.others(totals).entries
        }

        var all: [Incident] { listed + others }

        /// Returns the number of the entry that has an incident; nil for an incident that has none.
        func number(of incident: Incident) -> Int? {
            let isSame = { (entry: Incident) in
                entry.place == incident.place && entry.connection == incident.connection
                    && entry.problem.code == incident.problem.code
                    && entry.problem.name == incident.problem.name && entry.severity == incident.severity
            }
            let place =
                all.firstIndex(where: isSame)
                ?? listed.firstIndex { entry in
                    entry.isOn(incident.connection) && incident.problem.repeats(entry.problem)
                }
            return place.map { $0 + 1 }
        }
    }

    /// Numbers of the verdict's entries by their kind, which every output counts in the same way.
    public struct Counts: Sendable {
        public private(set) var failures = 0
        private var overcome = 0
        private var warnings = 0

        /// Creates the counts of a log that `analyzer` has processed; if frames are selected, of these only.
        public init(_ analyzer: borrowing Analyzer) {
            let totals = analyzer.shownTotals
            self.init(Entries(analyzer).all)
            failures += totals.unlistedFailures
            // Nothing was recorded: worth a warning, but without an entry.
            if analyzer.totals.records == 0 { warnings += 1 }
        }

        init(_ incidents: some Sequence<Incident> = EmptyCollection()) {
            for incident in incidents {
                if incident.severity >= .error {
                    failures += 1
                } else if incident.problem.isOvercome {
                    overcome += 1
                } else {
                    warnings += 1
                }
            }
        }

        /// Creates counts of zero.
        public init() { self.init([]) }

        public static func += (left: inout Counts, right: Counts) {
            left.failures += right.failures
            left.overcome += right.overcome
            left.warnings += right.warnings
        }

        /// Returns the entries that are not failures in words: `1 more problem overcome, 2 more warnings`.
        public func othersInWords(_ more: String = "") -> String {
            let parts = [
                overcome > 0 ? overcome.counting("\(more)problem") + " overcome" : "",
                warnings > 0 ? warnings.counting("\(more)warning") : "",
            ]
            return parts.filter { !$0.isEmpty }.joined(separator: ", ")
        }
    }

    /// Returns the problems after which the same succeeded, in the order of the log.
    static func overcome(_ totals: CaptureStatistics) -> [Incident] {
        totals.incidents.filter(\.problem.isOvercome).sorted { $0.order < $1.order }
    }

    /// Largest number of connections that a repeated failure names; of more, only the number is shown.
    private static let repeatLimit = 5

    /// Returns text for the number of times that a failure occurred, and for the connections it was on.
    static func repeats(of incident: Incident) -> String {
        var connections = ""
        if incident.connections > 1 {
            let numbers = incident.firstConnections.sorted()
            let isListed =
                !incident.mayHaveMoreConnections && incident.connections == numbers.count
                && numbers.count <= repeatLimit
            let on = incident.mayHaveMoreConnections ? ", on at least" : ", on"
            connections =
                isListed
                ? ", on connections \(numbers.map(String.init).joined(separator: ", "))"
                : "\(on) \(incident.connections) connections"
        }
        if incident.problem.isUnanswered {
            return " (and \((incident.count - 1).counting("more request"))\(connections))"
        }
        let isOne = incident.problem.sentenceFitsRepetitions
        return isOne
            ? " (\(incident.count) times\(connections))"
            : " (and \(incident.count - 1) like it\(connections))"
    }

    /// Returns the failure that occurred last, which shows what still failed at the end; nil if it is one of
    /// the first `count`.
    static func last(of failures: [Incident], _ links: [Link], from count: Int) -> Incident? {
        let last = failures.indices.max {
            lastTime(of: failures[$0], links) < lastTime(of: failures[$1], links)
        }
        return last.flatMap { $0 >= count ? failures[$0] : nil }
    }

    /// Returns the time of an incident's last occurrence in nanoseconds; the smallest number if it is not
    /// known.
    private static func lastTime(of incident: Incident, _ links: [Link]) -> Int64 {
        let numbers = incident.firstConnections
        guard incident.problem.isOfConnection, !numbers.isEmpty, incident.connections <= numbers.count else {
            return incident.lastTime
        }
        return links.last { numbers.contains($0.number) }?.phases.last.nanoseconds ?? incident.lastTime
    }

    /// Returns the next connection to the device of a failure to connect, or of a lost connection, that was
    /// established; nil for other problems, or if there is no such connection.
    static func reconnection(after incident: Incident, _ links: [Link]) -> (wait: Int64, link: Link)? {
        let problem = incident.problem
        let time = lastTime(of: incident, links)
        let isFailure = incident.severity >= .error || problem.code == .connectionGivenUp
        guard isFailure, !problem.isOvercome, problem.isAboutEnd, time > .min else {
            return nil
        }
        let own = links.first { $0.number == incident.connection }
        guard let device = own.map({ $0.identity ?? $0.address }) ?? problem.attempt?.peer else { return nil }
        for link in links where !link.wasNeverEstablished && [link.identity, link.address].contains(device) {
            guard isLater(link, than: own, in: incident.place.file, links),
                let connected = link.phases.connected?.nanoseconds, connected > time
            else { continue }
            return (connected &- time, link)
        }
        return nil
    }

    /// Whether `link` can come after `own`, or after an attempt in `file`: by the same adapter, in the same
    /// file or in one that was recorded later, as rotated logs are.
    private static func isLater(_ link: Link, than own: Link?, in file: Int, _ links: [Link]) -> Bool {
        guard own == nil || own?.adapter == link.adapter else { return false }
        guard link.file != file, let first = links.first(where: { $0.file == link.file }) else {
            return link.file == file
        }
        return links.allSatisfy {
            $0.file != file || $0.phases.last.nanoseconds <= first.phases.first.nanoseconds
        }
    }

    /// Says whether the device connected after a failed attempt or a lost connection: when and on which
    /// connection, or not in this log. Nil if the log can't show it.
    static func reconnectionText(after incident: Incident, _ analyzer: borrowing Analyzer) -> String? {
        guard incident.problem.isAboutEnd else { return nil }
        // Only one failure of each connection gets the text.
        let first = analyzer.totals.incidents.filter {
            $0.connection == incident.connection && $0.severity >= .error && $0.problem.isAboutEnd
        }.min {
            ($0.problem.isOfConnection ? 0 : 1, $0.order) < ($1.problem.isOfConnection ? 0 : 1, $1.order)
        }
        guard incident.connection == 0 || first?.problem.code == incident.problem.code else { return nil }
        let links = analyzer.everyLink
        let own = links.first { $0.number == incident.connection }
        let again = own?.wasNeverEstablished == false ? " again" : ""
        if let (wait, link) = reconnection(after: incident, links) {
            let since = incident.count > 1 ? "after the last time" : "later"
            return "connected\(again) \(TextDuration.text(wait)) \(since) (connection \(link.number))"
        }
        // The device may have come back with another private address, or on a connection that is not listed
        // or has no address: then nothing is certain.
        let time = lastTime(of: incident, links)
        let last = incident.firstConnections.max() ?? 0
        guard incident.severity >= .error, !incident.problem.isOvercome, let own, analyzer.isEveryLinkKept,
            let device = own.identity ?? own.address,
            !device.isResolvablePrivate, let end = analyzer.totals.last, time > .min,
            end.nanoseconds &- time >= (own.isOnAir ? longestPauseOnAir : longestPause),
            !links.contains(where: { $0.number > last && $0.mayBe(device) })
        else { return nil }
        let isGone = own.isOnAir && isSilent(device, after: time, analyzer)
        return (isGone ? "neither heard nor connected" : "not connected")
            + "\(again) in this log" + (incident.count > 1 ? " after the last time" : "")
    }

    /// Whether a sniffer that heard others advertise did not hear a device any more.
    private static func isSilent(
        _ device: DeviceAddress, after time: Int64, _ analyzer: borrowing Analyzer
    ) -> Bool {
        let heard = analyzer.advertisers.all
        return heard.contains { $0.last.nanoseconds >= time &+ longestPauseOnAir }
            && heard.contains { $0.address == device && $0.last.nanoseconds < time }
    }

    /// Time without a connection after which a device counts as gone, in nanoseconds.
    private static let longestPause: Int64 = 10_000_000_000
    /// The same on the air; shorter, since a sniffer hears a waiting device advertise.
    private static let longestPauseOnAir: Int64 = 5_000_000_000

    /// Returns the problem as a sentence, with its attribute's name and handle if they are known.
    static func sentence(
        _ problem: Problem, on connection: Int, _ label: AttributeLabel?, _ analyzer: borrowing Analyzer
    ) -> Sentence {
        problem.parts + "\(use(in: problem, on: connection, label, analyzer))"
    }

    /// Returns the end of an incident's sentence: its request, the attribute, and the number of occurrences.
    static func requestText(of incident: Incident, _ analyzer: borrowing Analyzer) -> String {
        use(in: incident.problem, on: incident.connection, incident.label, analyzer)
            + (incident.count > 1 ? repeats(of: incident) : "")
    }

    /// Returns the end of a problem's sentence: the request and its attribute; empty without a request.
    static func use(
        in problem: Problem, on connection: Int, _ label: AttributeLabel?, _ analyzer: borrowing Analyzer
    ) -> String {
        guard let use = problem.use else { return "" }
        var known = label
        if known == nil, let server = use.server {
            known = analyzer.label(of: use.request.handle, at: server, ofConnection: connection)
        }
        let text = text(use.request.opcode, use.request.handle, known, analyzer)
        if problem.refusedRequest != nil {
            return " on \(text)" + (problem.contradicted.map { ", although it is declared \($0)" } ?? "")
        }
        if case .hci = problem.kind { return ": \(text)" }
        return known == nil || use.request.opcode.isDiscovery ? "" : ": \(text)"
    }

    /// Returns the request and its attribute: `write to FFF2 (0x0014)`.
    static func text(
        _ opcode: ATTOpcode, _ handle: UInt16, _ label: AttributeLabel?, _ analyzer: borrowing Analyzer
    ) -> String {
        let (what, preposition) = words(opcode)
        guard handle > 0 || opcode.namesOneHandle else { return what }
        let number = String(hex: UInt64(handle), digits: 4)
        guard !opcode.isDiscovery, let label, let name = name(of: label, analyzer) else {
            return "\(what) \(preposition) \(number)"
        }
        return "\(what) \(preposition) \(name) (\(number))"
    }

    /// Returns the words for an operation on an attribute.
    private static func words(_ opcode: ATTOpcode) -> (what: String, preposition: String) {
        switch opcode {
        case .writeRequest, .writeCommand: ("write", "to")
        case .prepareWriteRequest: ("Prepare Write Request", "to")
        case .readRequest, .readBlobRequest: ("read", "of")
        case .handleValueNotification: ("notification", "of")
        case .handleValueIndication: ("indication", "of")
        default: (opcode.name.map { "\($0)" } ?? "request", opcode.isDiscovery ? "from" : "of")
        }
    }

    /// Returns the name of an attribute's type, else the type's UUID.
    private static func name(of label: AttributeLabel, _ analyzer: borrowing Analyzer) -> String? {
        var value: String?
        if let uuid = label.characteristic {
            value =
                analyzer.name(ofCharacteristic: uuid).map { "\($0)" }
                ?? text(uuid, .characteristic(in: label.service))
        }
        switch label.part {
        case .service: return label.service.map { "service \(text($0, .service))" }
        case .include: return "include declaration"
        case .declaration: return value.map { "declaration of \($0)" }
        case .value: return value
        case .descriptor(let type):
            let descriptor =
                type.map { AssignedNumbers.text($0, as: .descriptor) ?? "descriptor \($0)" } ?? "descriptor"
            return descriptor + (value.map { " of \($0)" } ?? "")
        }
    }

    /// Returns an assigned name, else the UUID.
    static func text(_ uuid: BluetoothUUID, _ use: AssignedNumbers.UUIDUse) -> String {
        AssignedNumbers.text(uuid, as: use) ?? "\(uuid)"
    }

    // MARK: Keys

    /// Number of connections with their own line about keys.
    private static let keyLineLimit = 2

    /// Reports given keys that are probably not those of the cars: a car accepted a proof that contradicts
    /// its key.
    static func doubts(_ links: [Link], namesFile: Bool, _ lines: inout TextLines) {
        for link in links.filter({ $0.session?.doubt != nil }).prefix(keyLineLimit) {
            guard let doubt = link.session?.doubt else { continue }
            let id = doubt.keyID.map { " of id \(Hex.text($0))" } ?? ""
            let frame = doubt.frame.text(from: namesFile ? nil : doubt.frame.file)
            lines.add(
                "likely wrong in --keys: the key\(id): the car accepted a proof that contradicts it "
                    + "(frame \(frame), connection \(link.number))", tint: .warning)
        }
    }

    /// Reports what could not be read without a key; failures may be among it.
    static func unread(_ links: [Link], unlisted: Int, _ lines: inout TextLines) {
        let all = links.filter { $0.session?.unread != nil }
        for link in all.prefix(keyLineLimit) {
            guard let unread = link.session?.unread else { continue }
            let text = text(unread, namesCommand: lines.namesCommand)
            lines.add("not read: connection \(link.number): \(text)", tint: .warning)
        }
        let more = max(0, all.count - keyLineLimit) + unlisted
        if more > 0 { lines.add("and secured messages of \(more.counting("more connection"))") }
        let closed = links.filter { ($0.air?.closed ?? 0) > 0 }
        for link in closed.prefix(keyLineLimit) {
            let text = closedPDUs(of: link, namesCommand: lines.namesCommand)
            lines.add("not read: connection \(link.number): \(text)", tint: .warning)
        }
        let rest = closed.count - keyLineLimit
        if rest > 0 { lines.add("and encrypted PDUs of \(rest.counting("more connection"))") }
    }

    /// Returns the number of a connection's PDUs that were not opened, with the reason and a remedy.
    static func closedPDUs(of link: Link, namesCommand: Bool = true) -> String {
        let why = link.closedReason.map { ": \($0)" } ?? ""
        let remedy =
            switch link.closedReason {
            case .noKey where namesCommand: " (if you have its long-term key: --keys FILE)"
            case .noPrivateKey where namesCommand: " (if you have the pairing's long-term key: --keys FILE)"
            default: ""
            }
        return "\(link.air?.closed.counting("encrypted PDU") ?? "")\(why)\(remedy)"
    }

    /// Returns the number of secured messages that could not be read, with the reason.
    static func text(_ unread: ProtocolUse.Unread, namesCommand: Bool = true) -> String {
        let responses = unread.responses > 0 ? " (\(unread.responses.counting("response")))" : ""
        let remedy = namesCommand ? " (if you have it: --keys FILE)" : ""
        let why = unread.needsKey ? unread.keyID.map { "no key for id \(Hex.text($0))\(remedy)" } : nil
        return "\(unread.messages.counting("secured message"))\(responses): \(why ?? unread.why)"
    }
}

extension Link {
    /// Whether it may be a connection to a device: it has that address, or none.
    fileprivate func mayBe(_ device: DeviceAddress) -> Bool {
        !wasNeverEstablished && (address == nil || address == device || identity == device)
    }
}

extension Problem {
    /// Whether it is a connection that failed or was lost, or an exchange that the connection's end left
    /// unfinished.
    fileprivate var isAboutEnd: Bool { isOfConnection || endsWithLink }
}
