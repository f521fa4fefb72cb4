public import BluetoothCore
import CaptureFile
import PayloadFormat
import WireBytes

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
        if findings != nil, context.isNotified { link.hasHeardAnswers = true }
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
            order: totals.records &+ 1, originalLength: length,
            shown: progress(ofFile: frame.file)?.shown ?? [])
    }

    private mutating func take(_ findings: ValueFindings?) {
        guard let findings else { return }
        note(deadline: findings.deadline, slot: frame.link)
        guard let success = findings.success else { return }
        overcome(on: link.number) { incident in
            guard case .annotated(let problem) = incident.problem.kind,
                incident.place.bits < success.asked.bits
            else { return false }
            let isOfKey = problem.keyID == nil || success.keyID == nil || problem.keyID == success.keyID
            return problem.isRetried && problem.message == success.message && isOfKey
        }
        guard let keyID = success.keyID else { return }
        let (number, time) = (link.number, frame.time.nanoseconds)
        totals.note(success.message, succeededWith: keyID, on: number, at: time)
        selection?.totals.note(success.message, succeededWith: keyID, on: number, at: time)
    }

    /// Whether a protocol above ATT was found on the link of this slot.
    func speaksProtocol(slot: Int) -> Bool { slot >= 0 && annotators.links[slot].isMet }

    // MARK: Timeouts

    /// Reports the requests of protocols above ATT that have timed out.
    mutating func reportOverdue(slot: Int) {
        report(annotators.links[slot].overdue(at: moment(slot: slot)), slot: slot, isOverdue: true)
    }

    /// Reports the unfinished exchanges of protocols above ATT when their link ends.
    mutating func closeAnnotators() {
        report(
            annotators.links[frame.link].close(
                at: moment(slot: frame.link), reason: link.reasonForUnanswered),
            slot: frame.link
        )
    }

    private func moment(slot: Int) -> LinkMoment {
        LinkMoment(time: frame.time.nanoseconds, shown: progress(ofFile: links[slot].file)?.shown)
    }

    private mutating func report(_ ends: [OpenEnd], slot: Int, isOverdue: Bool = false) {
        for end in ends where end.lacksAnswers { reportUnheard(slot: slot, of: end.kind) }
        for problem in ends.flatMap(\.problems) { report(problem, on: slot, isOverdue: isOverdue) }
    }

    /// Counts the problems of an open link that are only known at the end of the log.
    mutating func countLate(slot: Int, end: Int64) {
        let number = links[slot].number
        for late in annotators.links[slot].late(at: end) {
            links[slot].counts.problems &+= 1
            totals.order = late.order
            selection?.totals.order = late.order
            totals.count(late.problem, at: late.place, link: number, speaksProtocol: true)
            guard links[slot].isChosen else { continue }
            selection?.totals.count(late.problem, at: late.place, link: number, speaksProtocol: true)
        }
    }

    /// Returns the peer of a link as annotators remember it; nil if the log does not identify it.
    func knownPeer(slot: Int) -> KnownPeer? {
        (peers[links[slot].peer].address ?? links[slot].address).map {
            KnownPeer(file: links[slot].file, adapter: links[slot].adapter, address: $0)
        }
    }
}
