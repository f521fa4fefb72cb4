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

    /// Whether a protocol above ATT was found.
    var isMet: Bool { key.isMet || !profiles.uses.isEmpty }

    /// Use of the protocols on the connection.
    var uses: [ProtocolUse] { key.uses + profiles.uses }

    /// The time at which the oldest unanswered request times out.
    var deadline: Int64 { key.deadline }

    /// Memory that incomplete messages use, in bytes.
    var room: Int { key.room &+ profiles.room }

    mutating func giveUpUnfinished() {
        key.giveUpUnfinished()
        profiles.giveUpUnfinished()
    }

    /// Returns the requests of each protocol that are unanswered at a time and have not timed out.
    func waiting(at time: Int64) -> [(kind: PrivateProtocol, requests: [OpenRequest])] {
        [(.uqdk, key.waiting(at: time)), (.profile, profiles.waiting(at: time))]
            .filter { !$0.requests.isEmpty }
    }

    /// Returns the requests that have timed out, each once.
    mutating func overdue(at moment: LinkMoment) -> OpenEnd { key.overdue(at: moment) }

    /// Forgets deadlines, so that pending requests do not time out.
    mutating func forgetDeadlines(at time: Int64) { key.forgetDeadlines(at: time) }

    /// Returns the unfinished exchanges when the connection ends.
    mutating func close(at moment: LinkMoment, reason: UInt8?) -> [OpenEnd] {
        [key.close(at: moment, reason: reason), profiles.close(at: moment, reason: reason)]
    }

    /// Returns the problem of an open connection that is known only when the log ends, at this time.
    func late(at end: Int64) -> LateProblem? { key.late(at: end) }
}

/// The annotators of a run: what they look for, the annotators of each connection, and knowledge beyond a
/// connection.
struct AnnotatorSet: Sendable {
    let watched: WatchedCharacteristics
    let advertisers: KnownAdvertisers
    /// The annotators of each connection, by its slot.
    var links: [LinkAnnotators] = []
    /// Number of values of digital-key characteristics that were not decoded as that protocol, for each
    /// profile named by the user that took them.
    private(set) var displaced: [String: Int] = [:]
    private let knowledge: AnalysisKnowledge
    private var counters = CarCounters()

    init(_ knowledge: AnalysisKnowledge) {
        self.knowledge = knowledge
        watched = WatchedCharacteristics(knowledge)
        advertisers = KnownAdvertisers(knowledge.uqdk)
    }

    /// Creates the annotators of a connection in a free slot, or in the one after all others.
    mutating func open(_ slot: Int, startSeen: Bool, _ peer: KnownPeer?) {
        var key = KeyProtocolAnnotator(knowledge.uqdk, startSeen: startSeen)
        if let known = counters[peer] { key.remember(known) }
        let made = LinkAnnotators(key: key, profiles: ProfileAnnotator(knowledge.profiles))
        if slot < links.count { links[slot] = made } else { links.append(made) }
    }

    /// Keeps knowledge for later connections to the same peer.
    mutating func leave(_ slot: Int, _ peer: KnownPeer?) {
        if let taken = links[slot].key.accepted { counters[peer] = taken }
    }

    /// Passes a value to the annotator that knows its characteristic or its content; nil if absent.
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
            // A profile that the user named takes precedence over the digital-key protocol.
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

    /// Whether a value carries the answers of a protocol that was found on a link.
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
    /// The number of values of digital-key characteristics that were not decoded as that protocol, for each
    /// profile named by the user that took them.
    public var displacedValues: [String: Int] { annotators.displaced }
}

/// A device that is remembered, as seen by one adapter: two adapters may be two phones.
struct KnownPeer: Hashable, Sendable {
    let file: Int
    let adapter: UInt16
    let address: DeviceAddress
}

/// The auth counters that cars accepted on connections that ended.
private struct CarCounters: Sendable {
    /// Most cars that are remembered.
    private static let limit = 64

    /// The cars, the one heard longest ago first.
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

/// Recognition of a known protocol by a device's advertisements.
struct KnownAdvertisers: Sendable {
    private let uqdk: UQDKKnowledge
    /// The company identifiers with which cars advertise.
    private let companies: [UInt16]

    init(_ uqdk: UQDKKnowledge) {
        self.uqdk = uqdk
        companies = uqdk.dialects.map(\.advertising.companyID)
    }

    /// Adds the annotations of cars' manufacturer specific data in a report.
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
