import BluetoothCore
import WireBytes

/// The annotators of one connection, in the order of the registry.
struct LinkAnnotators: Sendable {
    fileprivate(set) var all: [any LinkAnnotator]

    /// Whether a protocol above ATT was found.
    var isMet: Bool { all.contains { $0.isMet } }

    var uses: [ProtocolUse] { all.flatMap { $0.uses } }

    /// The time at which the oldest unanswered request times out.
    var deadline: Int64 { all.reduce(.max) { min($0, $1.deadline) } }

    /// Memory that incomplete messages use, in bytes.
    var room: Int { all.reduce(0) { $0 &+ $1.room } }

    mutating func giveUpUnfinished() {
        for index in all.indices { all[index].giveUpUnfinished() }
    }

    /// Returns the requests of each protocol that are unanswered at a time and have not timed out.
    func waiting(at time: Int64) -> [(kind: PrivateProtocol, requests: [OpenRequest])] {
        all.map { ($0.kind, $0.waiting(at: time)) }.filter { !$0.requests.isEmpty }
    }

    /// Returns the requests that have timed out, each once.
    mutating func overdue(at moment: LinkMoment) -> [OpenEnd] {
        all.indices.map { all[$0].overdue(at: moment) }
    }

    /// Forgets deadlines, so that pending requests do not time out.
    mutating func forgetDeadlines(at time: Int64) {
        for index in all.indices { all[index].forgetDeadlines(at: time) }
    }

    /// Returns the unfinished exchanges when the connection ends.
    mutating func close(at moment: LinkMoment, reason: UInt8?) -> [OpenEnd] {
        all.indices.map { all[$0].close(at: moment, reason: reason) }
    }

    /// Returns the problems of an open connection that are known only when the log ends, at this time.
    func late(at end: Int64) -> [LateProblem] { all.compactMap { $0.late(at: end) } }

    /// Returns the first annotator with a protocol named by the user that explains a value.
    fileprivate func claim(
        on value: RawSpan, _ label: AttributeLabel?, _ context: ValueContext
    ) -> (place: Int, name: String)? {
        for place in all.indices {
            if let name = all[place].claimant(of: value, label, context) { return (place, name) }
        }
        return nil
    }
}

/// The annotators of a run: what they look for, the annotators of each connection, and knowledge beyond a
/// connection.
struct AnnotatorSet: Sendable {
    private var protocols: [any ProtocolAnnotator]
    /// The annotators of each connection, by its slot.
    var links: [LinkAnnotators] = []
    /// Number of values that a profile named by the user decoded in place of their characteristic's own
    /// protocol, by the profile's name.
    private(set) var displaced: [String: Int] = [:]
    /// A Bloom filter of 4,096 bits with one bit for each watched characteristic; it excludes nearly all
    /// others.
    private var signature = [UInt64](repeating: 0, count: 64)

    /// The private protocols: a value goes to the first that explains it.
    fileprivate static let registered: [any ProtocolAnnotator.Type] = [
        KeyProtocol.self, ProfileProtocol.self,
    ]

    init(_ knowledge: AnalysisKnowledge) {
        protocols = Self.registered.map { $0.init(knowledge) }
        for (word, mask) in protocols.flatMap(\.watched).map(Self.bit) { signature[word] |= mask }
    }

    private static func bit(_ uuid: BluetoothUUID) -> (word: Int, mask: UInt64) {
        // 16-bit UUIDs differ in bits 32 to 47; a vendor's differ mostly there or in the last bytes.
        let place = uuid.high &>> 32 ^ uuid.low
        return (Int(truncatingIfNeeded: place &>> 6 & 63), 1 &<< (place & 63))
    }

    /// Whether it may be a watched characteristic; false only if it certainly isn't.
    @inline(__always)
    func mayMatch(_ uuid: BluetoothUUID) -> Bool {
        let (word, mask) = Self.bit(uuid)
        return signature[word] & mask != 0
    }

    /// Whether an annotator looks for the characteristic of this value.
    func explain(_ label: AttributeLabel) -> Bool {
        guard label.part == .value, let uuid = label.characteristic, mayMatch(uuid) else { return false }
        return protocols.contains { $0.explains(uuid, in: label.service) }
    }

    /// Returns the name in text of a characteristic that a protocol above ATT uses.
    func name(_ uuid: BluetoothUUID) -> StaticText? { protocols.lazy.compactMap { $0.name(uuid) }.first }

    /// Returns the purpose of a subscription to a characteristic; nil if no protocol known here listens to
    /// it.
    func listener(_ uuid: BluetoothUUID, in service: BluetoothUUID?) -> SubscribedTo? {
        protocols.lazy.compactMap { $0.listener(uuid, in: service) }.first
    }

    /// Whether a value carries the answers of a protocol that was found on a link.
    func bringsAnswers(
        _ uuid: BluetoothUUID, in service: BluetoothUUID?, of kind: PrivateProtocol, slot: Int
    ) -> Bool {
        guard mayMatch(uuid), let place = links[slot].all.firstIndex(where: { $0.kind == kind }) else {
            return false
        }
        return protocols[place].bringsAnswers(uuid, in: service, links[slot].all[place].uses)
    }

    // MARK: Connections

    /// Creates the annotators of a connection in a free slot, or in the one after all others.
    mutating func open(slot: Int, startSeen: Bool, _ peer: KnownPeer?) {
        let made = LinkAnnotators(all: protocols.map { $0.open(startSeen: startSeen, peer) })
        if slot < links.count { links[slot] = made } else { links.append(made) }
    }

    mutating func keepKnowledge(slot: Int, _ peer: KnownPeer?) {
        for place in protocols.indices {
            protocols[place].keepKnowledge(of: links[slot].all[place], for: peer)
        }
    }

    /// Passes a value to the annotator that knows its characteristic or its content; nil if there is no such
    /// one.
    mutating func annotate(
        _ value: RawSpan, _ label: AttributeLabel?, _ context: ValueContext, slot: Int,
        _ annotations: inout [Annotation], _ problems: inout [Problem]
    ) -> ValueFindings? {
        if let label {
            guard label.part == .value, let uuid = label.characteristic, mayMatch(uuid) else { return nil }
            if let taker = protocols.lazy.compactMap({ $0.taker(of: uuid) }).first {
                displaced[taker, default: 0] += 1
            }
            guard protocols.contains(where: { $0.explains(uuid, in: label.service) }) else { return nil }
        }
        let claim = links[slot].claim(on: value, label, context)
        if let claim, let label, let uuid = label.characteristic,
            protocols[..<claim.place].contains(where: { $0.explains(uuid, in: label.service) })
        {
            displaced[claim.name, default: 0] += 1
        }
        for place in links[slot].all.indices where place >= claim?.place ?? 0 {
            let findings = links[slot].all[place].annotate(value, label, context, &annotations, &problems)
            if let findings { return findings }
        }
        return nil
    }

    // MARK: Channels

    /// Whether a protocol looks at the SDUs of a link's channels to a service.
    func follow(psm: UInt16, slot: Int) -> Bool { links[slot].all.contains { $0.follows(psm: psm) } }

    /// Passes an SDU to the annotators; nil if it belongs to no protocol.
    mutating func annotate(
        _ sdu: RawSpan, psm: UInt16, _ context: ValueContext, slot: Int,
        _ annotations: inout [Annotation], _ problems: inout [Problem]
    ) -> ValueFindings? {
        for place in links[slot].all.indices where links[slot].all[place].follows(psm: psm) {
            let findings = links[slot].all[place].annotate(sdu, psm: psm, context, &annotations, &problems)
            if let findings { return findings }
        }
        return nil
    }

    // MARK: Advertising

    /// Adds the annotations of a report's data.
    func annotate(advertising data: RawSpan, of device: DeviceAddress, _ found: inout [Annotation]) {
        for one in protocols { one.annotate(advertising: data, of: device, &found) }
    }

    /// Adds the annotation of a device that advertises its own address as its name.
    func annotate(named data: RawSpan, _ address: DeviceAddress, _ found: inout [Annotation]) {
        for one in protocols { one.annotate(named: data, address, &found) }
    }
}

extension Analyzer {
    /// The number of values of digital-key characteristics that were decoded by a profile named by the user,
    /// for each such profile.
    public var displacedValues: [String: Int] { annotators.displaced }
}

extension PrivateProtocol {
    /// The names by which frames of single protocols are selected; profiles have names of their own.
    public static var layers: [String] { AnnotatorSet.registered.compactMap { $0.layer } }
}
