import BluetoothCore
import PayloadFormat
import Profiles
import UQDK
import WireBytes

extension PrivateProtocol {
    /// The digital-key protocol.
    public static let uqdk = PrivateProtocol(
        rank: 0, code: "uqdk", member: "uqdk", nameMember: "dialect", isListed: false, hasSessions: true)
}

extension Problem.Code {
    public static let uqdk = PrivateProtocol.uqdk.code
}

/// The digital-key protocol: its characteristics, its cars, and the counters that they accepted.
struct KeyProtocol: ProtocolAnnotator {
    static let layer: String? = "uqdk"
    private let knowledge: UQDKKnowledge
    private var known: [(uuid: BluetoothUUID, attribute: UQDKAttribute)] = []
    /// Command and event characteristics that are not decoded as this protocol in this run, each with the
    /// named profile that takes precedence.
    private var displaced: [(uuid: BluetoothUUID, profile: String)] = []
    /// The company identifiers with which cars advertise.
    private let companies: [UInt16]
    private var counters = CarCounters()

    init(_ all: AnalysisKnowledge) {
        knowledge = all.uqdk
        companies = knowledge.dialects.map(\.advertising.companyID)
        // Both directions of a conversation are displaced: the other one alone would be full of answers
        // without requests.
        for gatt in knowledge.dialects.map(\.gatt) {
            guard
                let profile = all.profiles.named(gatt.command, .write)
                    ?? all.profiles.named(gatt.event, .notify)
            else { continue }
            for uuid in [gatt.command, gatt.event] where overridingProtocol(for: uuid) == nil {
                displaced.append((uuid, profile))
            }
        }
        for gatt in knowledge.dialects.map(\.gatt) {
            for uuid in [gatt.command, gatt.event, gatt.info].compactMap({ $0 }) {
                guard let attribute = knowledge.attribute(of: uuid), self.attribute(uuid) == nil,
                    overridingProtocol(for: uuid) == nil
                else { continue }
                known.append((uuid, attribute))
            }
        }
    }

    var watched: [BluetoothUUID] { known.map(\.uuid) + displaced.map(\.uuid) }

    func attribute(_ uuid: BluetoothUUID) -> UQDKAttribute? {
        for entry in known where entry.uuid == uuid { return entry.attribute }
        return nil
    }

    func overridingProtocol(for uuid: BluetoothUUID) -> String? {
        for entry in displaced where entry.uuid == uuid { return entry.profile }
        return nil
    }

    func explains(_ uuid: BluetoothUUID, in service: BluetoothUUID?) -> Bool { attribute(uuid) != nil }

    func listener(_ uuid: BluetoothUUID, in service: BluetoothUUID?) -> SubscribedTo? {
        attribute(uuid)?.role == .event ? .answers : nil
    }

    func bringsAnswers(_ uuid: BluetoothUUID, in service: BluetoothUUID?, _ uses: [ProtocolUse]) -> Bool {
        attribute(uuid)?.role == .event
    }

    func name(_ uuid: BluetoothUUID) -> StaticText? {
        switch attribute(uuid)?.role {
        case .command: "UQDK Command"
        case .event: "UQDK Event"
        case .info: "UQDK Info"
        case nil: nil
        }
    }

    // MARK: Connections

    func open(startSeen: Bool, _ peer: KnownPeer?) -> any LinkAnnotator {
        var link = KeyProtocolAnnotator(knowledge, startSeen: startSeen, attributes: known)
        if let known = counters[peer] { link.remember(known) }
        return link
    }

    mutating func keepKnowledge(of link: any LinkAnnotator, for peer: KnownPeer?) {
        if let taken = (link as? KeyProtocolAnnotator)?.accepted { counters[peer] = taken }
    }

    // MARK: Advertising

    func annotate(
        advertising data: RawSpan, of device: DeviceAddress, _ annotations: inout [Annotation]
    ) {
        var structures = ADStructures(data)
        while let structure = structures.next() {
            guard structure.type == .manufacturerData else { continue }
            let octets = data.clamped(structure.data)
            guard let company = octets.u16le(at: 0), companies.contains(company),
                let car = knowledge.advertisement(company: company, data: octets.dropping(2))
            else { continue }
            annotations.add(AdvertisedCar(car))
        }
    }

    /// Adds a car without manufacturer data: its advertised name is its own address. With another address as
    /// the name, nothing shows that the device is a car.
    func annotate(named data: RawSpan, _ address: DeviceAddress, _ annotations: inout [Annotation]) {
        var structures = ADStructures(data)
        while let structure = structures.next() {
            guard structure.type == .completeName else { continue }
            let name = String(decoding: data.clamped(structure.data).copied(), as: UTF8.self)
            guard let car = knowledge.advertisement(name: name, of: address) else { continue }
            annotations.add(AdvertisedCar(car))
        }
    }
}

/// The auth counters that cars accepted on connections that ended.
private struct CarCounters: Sendable {
    private static let limit = 64

    /// The cars, least recently heard first.
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

extension UQDKAnnotation: AnnotationContent {
    public var kind: PrivateProtocol { .uqdk }
    public var layer: String { "uqdk" }
    public var isPart: Bool { fragment?.state == .open }

    public var details: AnnotationDetails {
        guard let message else { return AnnotationDetails(fields: fields, fieldsFromEnd: fieldsFromEnd) }
        let isWhole = message.isWhole
        // For a fragment that completes no message, the summary line says everything.
        let hasBody = isWhole || fragment == nil
        return AnnotationDetails(
            session: isWhole ? session?.rawValue : nil, requestFrame: message.requestFrame,
            latency: message.latency, fields: hasBody ? message.body : fields,
            fieldsFromEnd: hasBody ? message.bodyFromEnd : nil)
    }

    public func put(line out: inout TextBuffer) {
        out.put("UQDK  ")
        let start = out.count
        put(summary: &out)
        if out.count == start { out.put("no message") }
    }
}

/// The annotation of an advertisement.
private final class AdvertisedCar: AnnotationContent {
    private let annotation: UQDKAnnotation

    init(_ annotation: UQDKAnnotation) { self.annotation = annotation }

    var kind: PrivateProtocol { .uqdk }
    var layer: String { annotation.layer }
    var details: AnnotationDetails { annotation.details }

    func put(line out: inout TextBuffer) { out.put("UQDK  car's advertising") }

    func walk(_ visitor: inout some AnnotationVisitor & ~Copyable) { annotation.walk(&visitor) }
}
