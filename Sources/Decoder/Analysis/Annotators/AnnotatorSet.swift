import BluetoothCore
import CaptureFile
import PayloadFormat
import Profiles
import UQDK
import WireBytes

/// The annotators of one connection.
struct LinkAnnotators: Sendable {
    fileprivate(set) var key: KeyProtocolAnnotator
    fileprivate(set) var profiles: ProfileAnnotator

    /// Whether a protocol above ATT was met.
    var isMet: Bool { key.isMet || !profiles.uses.isEmpty }

    /// What the protocols did on the connection.
    var uses: [ProtocolUse] { key.uses + profiles.uses }

    /// When the oldest request without a response has waited as long as it may.
    var deadline: Int64 { key.deadline }

    /// Octets of memory that messages which are not whole take.
    var room: Int { key.room &+ profiles.room }

    mutating func giveUpUnfinished() {
        key.giveUpUnfinished()
        profiles.giveUpUnfinished()
    }

    /// The requests of each protocol that have no response by then and have time for one.
    func waiting(at time: Int64) -> [(kind: PrivateProtocol, requests: [OpenRequest])] {
        [(.uqdk, key.waiting(at: time)), (.profile, profiles.waiting(at: time))]
            .filter { !$0.requests.isEmpty }
    }

    /// The requests that have waited as long as they may, each once.
    mutating func overdue(at moment: LinkMoment) -> OpenEnd { key.overdue(at: moment) }

    /// What waits is not overdue.
    mutating func forgetDeadlines(at time: Int64) { key.forgetDeadlines(at: time) }

    /// What is left open as the connection ends.
    mutating func close(at moment: LinkMoment, reason: UInt8?) -> [OpenEnd] {
        [key.close(at: moment, reason: reason), profiles.close(at: moment, reason: reason)]
    }

    /// What an open connection waited for in vain when the log ended, at this time.
    func late(at end: Int64) -> LateProblem? { key.late(at: end) }
}

/// The annotators of a run: what they look for, those of each connection, and what they remember beyond one.
struct AnnotatorSet: Sendable {
    let watched: WatchedCharacteristics
    let advertisers: KnownAdvertisers
    /// Those of each connection, by its slot.
    var links: [LinkAnnotators] = []
    /// For each profile that the user named, how many values of digital-key characteristics were not decoded
    /// as that protocol because of it.
    private(set) var displaced: [String: Int] = [:]
    private let knowledge: AnalysisKnowledge
    private var counters = CarCounters()

    init(_ knowledge: AnalysisKnowledge) {
        self.knowledge = knowledge
        watched = WatchedCharacteristics(knowledge)
        advertisers = KnownAdvertisers(knowledge.uqdk)
    }

    /// Takes up a connection in a slot that is free, or the one after all others.
    mutating func open(_ slot: Int, startSeen: Bool, _ peer: KnownPeer?) {
        var key = KeyProtocolAnnotator(knowledge.uqdk, startSeen: startSeen)
        if let known = counters[peer] { key.remember(known) }
        let made = LinkAnnotators(key: key, profiles: ProfileAnnotator(knowledge.profiles))
        if slot < links.count { links[slot] = made } else { links.append(made) }
    }

    /// Keeps what later connections to the same peer are to know.
    mutating func leave(_ slot: Int, _ peer: KnownPeer?) {
        if let taken = links[slot].key.accepted { counters[peer] = taken }
    }

    /// Hands a value to whoever knows its characteristic, or what it holds; nil where nobody does.
    mutating func annotate(
        _ value: RawSpan, _ label: AttributeLabel?, _ context: ValueContext, _ slot: Int,
        _ annotations: inout [Annotation], _ problems: inout [Problem]
    ) -> ValueFindings? {
        var attribute: UQDKAttribute?
        var matches: [ProfileMatch]?
        if let label {
            guard label.part == .value, let uuid = label.characteristic, watched.mayMatch(uuid) else {
                return nil
            }
            let labelled = watched.matches(uuid, in: label.service)
            attribute = watched.uqdk(uuid)
            if let profile = watched.profile(displacing: uuid) { displaced[profile, default: 0] += 1 }
            if attribute == nil && labelled.isEmpty { return nil }
            matches = labelled
        }
        if label == nil || attribute != nil {
            // A profile that the user named takes a value before the digital-key protocol may.
            if watched.hasNamedProfiles,
                let profile = links[slot].profiles.claimant(of: value, matches, context)
            {
                if attribute != nil { displaced[profile, default: 0] += 1 }
            } else if let findings = links[slot].key.annotate(
                value, attribute, context, &annotations, &problems)
            {
                return findings
            }
        }
        return links[slot].profiles.annotate(value, matches, context, &annotations, &problems)
    }

    /// Whether a value is one that answers of a protocol which is spoken on a link come by.
    func bringsAnswers(
        _ uuid: BluetoothUUID, in service: BluetoothUUID?, of kind: PrivateProtocol, _ slot: Int
    ) -> Bool {
        switch kind {
        case .uqdk: watched.uqdk(uuid)?.role == .event
        case .profile:
            watched.matches(uuid, in: service).contains { match in
                links[slot].profiles.uses.contains { $0.name == watched.profile(of: match) }
            }
        }
    }
}

extension Analyzer {
    /// For each profile that the user named, how many values of digital-key characteristics were not decoded
    /// as that protocol because of it.
    public var displacedValues: [String: Int] { annotators.displaced }
}

/// A device by what is remembered of it: of one adapter, since two may be two phones.
struct KnownPeer: Hashable, Sendable {
    let file: Int
    let adapter: UInt16
    let address: DeviceAddress
}

/// The auth counters that cars took on connections that ended.
private struct CarCounters: Sendable {
    /// How many cars are remembered.
    private static let limit = 64

    /// The car that was heard of longest ago first.
    private var all: [(car: KnownPeer, counters: AcceptedCounters)] = []

    subscript(car: KnownPeer?) -> AcceptedCounters? {
        get { all.isEmpty ? nil : all.first { $0.car == car }?.counters }
        set {
            guard let car, let newValue else { return }
            all.removeAll { $0.car == car }
            if all.count >= Self.limit { all.removeFirst() }
            all.append((car, newValue))
        }
    }
}

/// What tells from an advertisement that the device speaks a protocol known here.
struct KnownAdvertisers: Sendable {
    private let uqdk: UQDKKnowledge
    /// The company identifiers under which cars advertise.
    private let companies: [UInt16]

    init(_ uqdk: UQDKKnowledge) {
        self.uqdk = uqdk
        companies = uqdk.dialects.map(\.advertising.companyID)
    }

    /// Adds what cars say in the manufacturer specific data of a report.
    func add(in data: RawSpan, to found: inout [Annotation]) {
        var structures = ADStructures(data)
        while let structure = structures.next() {
            guard structure.type == .manufacturerData else { continue }
            let octets = data.clamped(structure.data)
            guard let company = octets.u16le(at: 0), companies.contains(company),
                let car = uqdk.advertisement(company: company, data: octets.dropping(2))
            else { continue }
            found.append(Annotation(advertised: car))
        }
    }

    /// Adds a car that advertises its own address as its name, without manufacturer data. With any other
    /// address as its name, the log doesn't show that it is a car.
    func add(namedIn data: RawSpan, _ address: DeviceAddress, to found: inout [Annotation]) {
        var structures = ADStructures(data)
        while let structure = structures.next() {
            guard structure.type == .completeName else { continue }
            let name = String(decoding: data.clamped(structure.data).copied(), as: UTF8.self)
            guard let car = uqdk.advertisement(name: name, of: address) else { continue }
            found.append(Annotation(advertised: car))
        }
    }
}
