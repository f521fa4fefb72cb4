import BluetoothCore
import CaptureFile
import PayloadFormat
import Profiles
import WireBytes

extension PrivateProtocol {
    /// A protocol that a profile describes.
    public static let profile = PrivateProtocol(
        rank: 1, code: "profile", member: "profiles", nameMember: "profile", isListed: true,
        hasSessions: false)
}

extension Problem.Code {
    public static let profile = PrivateProtocol.profile.code
}

struct ProfileProtocol: ProtocolAnnotator {
    static let layer: String? = nil
    fileprivate let set: ProfileSet
    var watched: [BluetoothUUID] { self.set.characteristics }

    init(_ knowledge: AnalysisKnowledge) { set = knowledge.keyedProfiles }

    /// Returns the channels of profiles that a value with this label may belong to.
    func matches(_ uuid: BluetoothUUID, in service: BluetoothUUID?) -> [ProfileMatch] {
        set.matches(characteristic: uuid, service: service)
    }

    func explains(_ uuid: BluetoothUUID, in service: BluetoothUUID?) -> Bool {
        set.describes(uuid, in: service)
    }

    func listener(_ uuid: BluetoothUUID, in service: BluetoothUUID?) -> SubscribedTo? {
        // Characteristics of the SIG are not private: their meaning is known without a profile.
        !uuid.isAssignedValue && explains(uuid, in: service) ? .values : nil
    }

    func bringsAnswers(_ uuid: BluetoothUUID, in service: BluetoothUUID?, _ uses: [ProtocolUse]) -> Bool {
        matches(uuid, in: service).contains { match in
            uses.contains { $0.name == set.name(of: match.profile) }
        }
    }

    func open(startSeen: Bool, _ peer: KnownPeer?) -> any LinkAnnotator {
        ProfileAnnotator(self, of: peer?.address)
    }

    func annotate(
        advertising data: RawSpan, of device: DeviceAddress, _ annotations: inout [Annotation]
    ) {
        var structures = ADStructures(data)
        while let structure = structures.next() {
            let octets = data.clamped(structure.data)
            guard let (owner, width) = Self.owner(of: octets, structure.type),
                let annotation = set.explain(octets.dropping(width), of: owner, from: device)
            else { continue }
            annotations.add(ProfileContent(annotation))
        }
    }

    /// Returns the owner of manufacturer or service data, and the length of its number in bytes; nil for
    /// other structures.
    private static func owner(
        of octets: RawSpan, _ type: ADType
    ) -> (owner: AdvertisingSelector.Owner, width: Int)? {
        if type == .manufacturerData { return octets.u16le(at: 0).map { (.company($0), 2) } }
        guard let width = type.serviceDataWidth else { return nil }
        var reader = ByteReader(octets)
        return (try? BluetoothUUID(decoding: &reader, width: width)).map { (.service($0), width) }
    }
}

/// The protocols that profiles describe, on one connection.
struct ProfileAnnotator: LinkAnnotator {
    /// Limit of the profiles counted for each connection.
    private static let limit = 8

    private var tracker: ProfileTracker
    private let description: ProfileProtocol
    /// The channels of the labels looked up last.
    private var known: [(label: AttributeLabel, matches: [ProfileMatch])] = []
    private(set) var uses: [ProtocolUse] = []

    init(_ description: ProfileProtocol, of device: DeviceAddress?) {
        tracker = ProfileTracker(description.set, of: device)
        self.description = description
    }

    var kind: PrivateProtocol { .profile }
    var incompleteBytes: Int { tracker.room }

    mutating func dropIncomplete() { tracker.dropIncomplete() }

    /// Returns the channels that a value may belong to; nil for a value without a label.
    private mutating func matches(_ label: AttributeLabel?) -> [ProfileMatch]? {
        guard let label, let uuid = label.characteristic else { return nil }
        for entry in known
        where entry.label.characteristic == uuid && entry.label.service == label.service {
            return entry.matches
        }
        let matches = description.matches(uuid, in: label.service)
        if known.count >= Self.limit { known.removeFirst() }
        known.append((label, matches))
        return matches
    }

    func userProfile(matching value: RawSpan, _ label: AttributeLabel?, _ context: ValueContext) -> String? {
        guard description.set.certainCount > 0 else { return nil }
        let matches = label?.characteristic.map { description.matches($0, in: label?.service) }
        return tracker.userProfile(matching: value, ProfileValue(matches, context))
    }

    mutating func annotate(
        _ value: RawSpan, _ label: AttributeLabel?, _ context: ValueContext,
        _ annotations: inout [Annotation], _ problems: inout [Problem]
    ) -> ValueFindings? {
        findings(
            tracker.handle(value, ProfileValue(matches(label), context)), context, &annotations, &problems)
    }

    func follows(psm: UInt16) -> Bool { tracker.follows(psm: psm) }

    mutating func annotate(
        _ sdu: RawSpan, psm: UInt16, _ context: ValueContext,
        _ annotations: inout [Annotation], _ problems: inout [Problem]
    ) -> ValueFindings? {
        findings(
            tracker.handle(sdu, ProfileValue(nil, psm: psm, context)), context, &annotations, &problems)
    }

    /// Adds what the tracker made of a value; nil if it belongs to no profile.
    private mutating func findings(
        _ made: [ProfileAnnotation], _ context: ValueContext,
        _ annotations: inout [Annotation], _ problems: inout [Problem]
    ) -> ValueFindings? {
        if made.isEmpty { return nil }
        for annotation in made {
            problems += annotation.problems.map { problem(of: annotation, $0, context) }
            // Nearly every device uses the SIG's characteristics, so they don't count as use of a private
            // protocol.
            if !annotation.isAssigned { count(annotation) }
            annotations.add(ProfileContent(annotation))
        }
        if made.allSatisfy(\.isAssigned) { return nil }
        let accepted = made.last { $0.message != nil && $0.misfits.isEmpty && $0.refusal == nil }
        let success: (message: String, asked: FramePlace, keyID: [UInt8]?)? = accepted.flatMap { answer in
            guard let message = answer.message, let asked = answer.requestFrame else { return nil }
            return (message, FramePlace(bits: asked), nil)
        }
        return ValueFindings(success: success)
    }

    /// Returns a problem of a value; a refusal with the message that refuses and the side that sent it.
    private func problem(
        of annotation: ProfileAnnotation, _ problem: AnnotationProblem, _ context: ValueContext
    ) -> Problem {
        var annotated = AnnotatedProblem(.profile, problem)
        guard problem.kind.traits.contains(.refusal) else { return Problem(.annotated(annotated)) }
        annotated.message = annotation.message
        annotated.status = annotation.refusal
        annotated.request = annotation.requestFrame.map { FramePlace(bits: $0) }
        return Problem(.annotated(annotated), by: context.sender.map(Problem.Party.init))
    }

    private mutating func count(_ annotation: ProfileAnnotation) {
        var place = uses.firstIndex { $0.name == annotation.profile }
        if place == nil, uses.count < Self.limit {
            place = uses.count
            let title = description.set.title(ofProfile: annotation.profile)
            uses.append(ProtocolUse(.profile, annotation.profile, title: title))
        }
        guard let place else { return }
        if annotation.message != nil { uses[place].messages &+= 1 }
        if !annotation.misfits.isEmpty { uses[place].misfits &+= 1 }
    }

    mutating func close(at moment: CheckTime, reason: UInt8?) -> UnfinishedExchanges {
        let times = tracker.waitingSince
        let problems = zip(tracker.close(at: moment.time), times).map { problem, time in
            var annotated = AnnotatedProblem(.profile, problem)
            annotated.end = ConnectionEnd(
                waited: moment.time &- time, reason: reason.map { HCIStatus(rawValue: $0) })
            return Problem(.annotated(annotated))
        }
        return UnfinishedExchanges(kind: .profile, lacksAnswers: !problems.isEmpty, problems: problems)
    }
}

extension ProfileValue {
    fileprivate init(_ matches: [ProfileMatch]?, psm: UInt16? = nil, _ context: ValueContext) {
        self.init(
            handle: context.handle, matches: matches, psm: psm,
            operation: context.isRead ? .read : context.isNotified ? .notify : .write,
            time: context.time.nanoseconds, frame: context.frame.bits, originalLength: context.originalLength)
    }
}

/// The annotation of a value.
private final class ProfileContent: AnnotationContent {
    private let annotation: ProfileAnnotation

    init(_ annotation: ProfileAnnotation) { self.annotation = annotation }

    var kind: PrivateProtocol { .profile }
    var layer: String { annotation.profile.lowercased() }
    var isPrivate: Bool { !annotation.isAssigned }
    var asksToRestart: Bool { annotation.asksToRestart }

    var details: AnnotationDetails {
        AnnotationDetails(
            requestFrame: annotation.requestFrame, latency: annotation.latency, fields: annotation.fields,
            fieldsFromEnd: annotation.fieldsFromEnd)
    }

    func put(line out: inout TextBuffer) { out.escaped(annotation.summary) }

    func walk(_ visitor: inout some AnnotationVisitor & ~Copyable) { annotation.walk(&visitor) }
}
