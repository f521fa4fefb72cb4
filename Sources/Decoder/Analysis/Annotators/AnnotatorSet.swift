public import BluetoothCore
import CaptureFile
import PayloadFormat
public import WireBytes

// The annotators of one connection, in the order of the registry.

extension [any LinkAnnotator] {
    var uses: [ProtocolUse] { flatMap { $0.uses } }

    /// The time at which the oldest unanswered request times out.
    var deadline: Int64 { reduce(.max) { Swift.min($0, $1.deadline) } }

    mutating func dropIncomplete() {
        for index in indices { self[index].dropIncomplete() }
    }

    /// Returns the requests of each protocol that are unanswered at a time and have not timed out.
    func waiting(at time: Int64) -> [(kind: PrivateProtocol, requests: [OpenRequest])] {
        map { ($0.kind, $0.waiting(at: time)) }.filter { !$0.requests.isEmpty }
    }

    /// Forgets deadlines, so that pending requests do not time out.
    mutating func forgetDeadlines(at time: Int64) {
        for index in indices { self[index].forgetDeadlines(at: time) }
    }

    /// Returns the first annotator with a protocol named by the user that explains a value.
    fileprivate func claim(
        on value: RawSpan, _ label: AttributeLabel?, _ context: ValueContext
    ) -> (place: Int, name: String)? {
        for place in indices {
            if let name = self[place].userProfile(matching: value, label, context) { return (place, name) }
        }
        return nil
    }
}

/// The annotators of a run: what they look for, the annotators of each connection, and knowledge beyond a
/// connection.
struct AnnotatorSet: Sendable {
    private var protocols: [any ProtocolAnnotator]
    /// The annotators of each connection, by its slot.
    var links: [[any LinkAnnotator]] = []
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

    /// Whether this is the response characteristic of a protocol that was found on a link.
    func bringsAnswers(
        _ uuid: BluetoothUUID, in service: BluetoothUUID?, of kind: PrivateProtocol, slot: Int
    ) -> Bool {
        guard mayMatch(uuid), let place = links[slot].firstIndex(where: { $0.kind == kind }) else {
            return false
        }
        return protocols[place].bringsAnswers(uuid, in: service, links[slot][place].uses)
    }

    // MARK: Connections

    /// Creates the annotators of a connection in a free slot, or in the one after all others.
    mutating func open(slot: Int, startSeen: Bool, _ peer: KnownPeer?) {
        let made = protocols.map { $0.open(startSeen: startSeen, peer) }
        if slot < links.count { links[slot] = made } else { links.append(made) }
    }

    mutating func keepKnowledge(slot: Int, _ peer: KnownPeer?) {
        for place in protocols.indices {
            protocols[place].keepKnowledge(of: links[slot][place], for: peer)
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
            if let name = protocols.lazy.compactMap({ $0.overridingProtocol(for: uuid) }).first {
                displaced[name, default: 0] += 1
            }
            guard protocols.contains(where: { $0.explains(uuid, in: label.service) }) else { return nil }
        }
        let claim = links[slot].claim(on: value, label, context)
        if let claim, let label, let uuid = label.characteristic,
            protocols[..<claim.place].contains(where: { $0.explains(uuid, in: label.service) })
        {
            displaced[claim.name, default: 0] += 1
        }
        for place in links[slot].indices where place >= claim?.place ?? 0 {
            let findings = links[slot][place].annotate(value, label, context, &annotations, &problems)
            if let findings { return findings }
        }
        return nil
    }

    // MARK: Channels

    /// Whether a protocol looks at the SDUs of a link's channels to a service.
    func follow(psm: UInt16, slot: Int) -> Bool { links[slot].contains { $0.follows(psm: psm) } }

    /// Passes an SDU to the annotators; nil if it belongs to no protocol.
    mutating func annotate(
        _ sdu: RawSpan, psm: UInt16, _ context: ValueContext, slot: Int,
        _ annotations: inout [Annotation], _ problems: inout [Problem]
    ) -> ValueFindings? {
        for place in links[slot].indices where links[slot][place].follows(psm: psm) {
            let findings = links[slot][place].annotate(sdu, psm: psm, context, &annotations, &problems)
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

extension PrivateProtocol {
    /// The names by which frames of single protocols are selected; profiles have names of their own.
    public static var layers: [String] { AnnotatorSet.registered.compactMap { $0.layer } }
}

// Values are passed to the protocols above ATT, whose results become the frame's annotations.

extension Analyzer {
    /// Returns the name in text of a characteristic of a protocol that this analysis knows; nil for any
    /// other.
    public func name(ofCharacteristic uuid: BluetoothUUID) -> StaticText? { annotators.name(uuid) }

    /// Passes the value of an ATT PDU to the annotator that knows its characteristic.
    mutating func annotate(_ payload: RawSpan, _ sender: Side, isCut: Bool) {
        switch frame.attPDU.opcode {
        case .writeRequest, .writeCommand, .signedWriteCommand, .handleValueNotification,
            .handleValueIndication:
            guard mayBeWatched, let handle = frame.attPDU.handle, let value = frame.attPDU.value else {
                return
            }
            annotate(
                payload.clamped(value), missing: missingOctets(payload.byteCount), of: handle,
                frame.attPDU.label, frame.attPDU.opcode)
        case .readResponse, .readBlobResponse:
            guard let handle = frame.attPDU.handle, let value = frame.attPDU.value else { return }
            read(payload.clamped(value), of: handle, sender, isCut: isCut)
        case .readByTypeResponse: annotateFound(payload, sender)
        case .multipleHandleValueNotification:
            var at = 1
            while let handle = payload.u16le(at: at), let length = payload.u16le(at: at &+ 2) {
                let value = payload.clamped((at &+ 4)..<(at &+ 4 &+ Int(length)))
                annotate(
                    value, missing: Int(length) &- value.byteCount, of: handle,
                    databaseLabel(of: handle, server: sender), frame.attPDU.opcode)
                at &+= 4 &+ Int(length)
            }
        case .prepareWriteRequest:
            guard let handle = frame.attPDU.handle, let value = frame.attPDU.value else { return }
            let offset = frame.attPDU.opcode.places.offset(in: payload) ?? 0
            prepare(
                payload.clamped(value), of: handle, offset: offset, sender,
                isCut: isCut)
        case .executeWriteRequest:
            execute(payload.octet(at: 1) == 1, sender)
        default: break
        }
    }

    /// Passes the values of characteristics that a Read By Type Response lists, except a value that may
    /// continue after the end of the PDU.
    private mutating func annotateFound(_ payload: RawSpan, _ server: Side) {
        guard let type = frame.attPDU.requestedType, annotators.mayMatch(type),
            let list = ATTTable.elements(in: payload), list.width > 2, list.width < 255,
            payload.byteCount < Int(bearer.mtu)
                || list.start &+ 2 &* list.width <= payload.byteCount
        else { return }
        var at = list.start
        while at &+ list.width <= payload.byteCount, let handle = payload.u16le(at: at) {
            let known = databaseLabel(of: handle, server: server)
            let label =
                known?.part == .value
                ? known
                : AttributeLabel(
                    service: known?.service, characteristic: type, part: .value, source: .discovered,
                    frame: frame.number)
            annotate(
                payload.clamped(at &+ 2..<at &+ list.width), missing: 0, of: handle, label, .readResponse)
            at &+= list.width
        }
    }

    /// Whether an annotator above ATT may watch the attribute that the frame's PDU names; most attributes are
    /// excluded here.
    @inline(__always)
    private var mayBeWatched: Bool {
        guard frame.attPDU.label != nil else { return true }
        guard let uuid = frame.attPDU.label?.characteristic else { return false }
        return annotators.mayMatch(uuid)
    }

    /// Returns the number of bytes of the PDU that the recorder did not keep, if it kept `count`.
    func missingOctets(_ count: Int) -> Int {
        guard let pdu = frame.l2cap else { return 0 }
        return max(0, pdu.length &- pdu.headerLength &- count)
    }

    /// Passes a value to the annotators.
    ///
    /// - Parameters:
    ///   - missing: number of bytes of the value that the recorder did not keep.
    ///   - opcode: the PDU's opcode; for a value in several PDUs, the opcode of a PDU that could hold it all.
    mutating func annotate(
        _ value: RawSpan, missing: Int, of handle: UInt16, _ label: AttributeLabel?,
        _ opcode: ATTOpcode
    ) {
        let context = context(of: handle, opcode, length: value.byteCount &+ missing)
        let findings = annotators.annotate(value, label, context, slot: frame.link, &annotations, &problems)
        if findings != nil, context.isNotified { link.hasReceivedResponses = true }
        take(findings)
    }

    mutating func annotate(sdu: RawSpan, length: Int, of channel: Channel, _ sender: Side) {
        let opcode: ATTOpcode = sender == channel.requester ? .writeCommand : .handleValueNotification
        let context = context(of: channel.number, opcode, length: length)
        let findings = annotators.annotate(
            sdu, psm: channel.psm, context, slot: frame.link, &annotations, &problems)
        take(findings)
    }

    private func context(of handle: UInt16, _ opcode: ATTOpcode, length: Int) -> ValueContext {
        ValueContext(
            handle: handle, opcode: opcode, sender: frame.sender, time: frame.time, frame: frame.place,
            order: frame.recordNumber, originalLength: length,
            shown: progress(ofFile: frame.file)?.shown ?? [])
    }

    private mutating func take(_ findings: ValueFindings?) {
        guard let findings else { return }
        note(deadline: findings.deadline, slot: frame.link)
        guard let success = findings.success else { return }
        markOvercome(on: link.number) { incident in
            guard case .annotated(let problem) = incident.problem.kind,
                incident.place.bits < success.asked.bits
            else { return false }
            let isOfKey = problem.keyID == nil || success.keyID == nil || problem.keyID == success.keyID
            return problem.isRetried && problem.message == success.message && isOfKey
        }
        guard let keyID = success.keyID else { return }
        let (number, time) = (link.number, frame.time.nanoseconds)
        updateTotals { $0.note(success.message, succeededWith: keyID, on: number, at: time) }
    }

    /// Whether a protocol above ATT was found on the link of this slot.
    func speaksProtocol(slot: Int) -> Bool { slot >= 0 && annotators.links[slot].contains { $0.isDetected } }

    // MARK: Timeouts

    /// Reports the requests of protocols above ATT that have timed out.
    mutating func reportOverdue(slot: Int) {
        let moment = moment(slot: slot)
        let ends = annotators.links[slot].indices.map { annotators.links[slot][$0].overdue(at: moment) }
        report(ends, slot: slot, isOverdue: true)
    }

    /// Reports the unfinished exchanges of protocols above ATT when their link ends.
    mutating func closeAnnotators() {
        let (slot, reason, moment) = (frame.link, link.reasonForUnanswered, moment(slot: frame.link))
        let ends = annotators.links[slot].indices.map {
            annotators.links[slot][$0].close(at: moment, reason: reason)
        }
        report(ends, slot: slot)
    }

    private func moment(slot: Int) -> CheckTime {
        CheckTime(time: frame.time.nanoseconds, shown: progress(ofFile: links[slot].file)?.shown)
    }

    private mutating func report(_ ends: [UnfinishedExchanges], slot: Int, isOverdue: Bool = false) {
        for end in ends where end.lacksAnswers { reportUnsubscribed(slot: slot, of: end.kind) }
        for problem in ends.flatMap(\.problems) { report(problem, on: slot, isOverdue: isOverdue) }
    }

    /// Counts the problems of an open link that are only known at the end of the log.
    mutating func countLate(slot: Int, end: Int64) {
        let number = links[slot].number
        for late in annotators.links[slot].compactMap({ $0.late(at: end) }) {
            links[slot].counts.problems &+= 1
            updateTotals(selected: links[slot].isChosen) {
                $0.count(
                    late.problem, at: late.place, order: late.order, late.time, link: number,
                    speaksProtocol: true)
            }
        }
    }

    /// Returns the peer of a link as annotators remember it; nil if the log does not identify it.
    func knownPeer(slot: Int) -> KnownPeer? {
        (peers[links[slot].peer].address ?? links[slot].address).map {
            KnownPeer(file: links[slot].file, adapter: links[slot].adapter, address: $0)
        }
    }

    /// The number of values of digital-key characteristics that were decoded by a profile named by the user,
    /// for each such profile.
    public var displacedValues: [String: Int] { annotators.displaced }
}
