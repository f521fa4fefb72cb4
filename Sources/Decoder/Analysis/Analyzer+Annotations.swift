public import BluetoothCore
import CaptureFile
import UQDK
import WireBytes

// Values go to the protocols above ATT: what they make of them becomes the frame's annotation.

extension Analyzer {
    /// What text calls a characteristic of a protocol that this analysis knows; nil for any other.
    public func name(ofCharacteristic uuid: BluetoothUUID) -> StaticString? { watched.name(uuid) }

    /// The most octets of a long write that are kept until it is executed: an attribute value has at most 512.
    static let longWriteLimit = 4096

    /// Hands the value of an ATT PDU to whoever knows its characteristic.
    mutating func annotate(_ att: ATTSummary, _ payload: RawSpan, _ slot: Int, _ bearer: Int, _ sender: Side)
    {
        switch att.opcode {
        case .writeRequest, .writeCommand, .signedWriteCommand, .handleValueNotification,
            .handleValueIndication, .readResponse:
            guard let handle = att.handle, let value = att.value else { return }
            let missing = (frame.l2cap?.length ?? payload.byteCount) &- payload.byteCount
            annotate(
                payload.clamped(value), missing: max(0, missing), handle, att.label,
                isWrite: att.opcode.isWrite,
                slot)
        case .prepareWriteRequest:
            guard let handle = att.handle, let value = att.value else { return }
            prepare(payload.clamped(value), handle, offset: Int(payload.u16le(at: 3) ?? 0), slot, bearer)
        case .executeWriteRequest:
            execute(payload.octet(at: 1) == 1, slot, bearer, sender)
        default: break
        }
    }

    /// Queues a part of a long write.
    private mutating func prepare(_ value: RawSpan, _ handle: UInt16, offset: Int, _ slot: Int, _ bearer: Int)
    {
        let queued = links[slot].bearers[bearer].longWrite
        if offset == 0 || queued?.handle != handle {
            links[slot].bearers[bearer].longWrite = (handle, offset == 0 ? value.copied() : [])
        } else if let queued, queued.octets.count == offset,
            offset &+ value.byteCount <= Self.longWriteLimit
        {
            links[slot].bearers[bearer].longWrite = (handle, queued.octets + value.copied())
        }
    }

    /// A long write takes place: its value is the parts together.
    private mutating func execute(_ writes: Bool, _ slot: Int, _ bearer: Int, _ sender: Side) {
        guard let queued = links[slot].bearers[bearer].longWrite else { return }
        links[slot].bearers[bearer].longWrite = nil
        guard writes, !queued.octets.isEmpty else { return }
        let label = databaseLabel(of: queued.handle, server: sender == .host ? .peer : .host, slot)
        annotate(queued.octets.borrowedOctets, missing: 0, queued.handle, label, isWrite: true, slot)
    }

    /// - Parameters:
    ///   - missing: octets of the value that the recorder did not keep.
    ///   - isWrite: whether the client sent it; else the server did.
    private mutating func annotate(
        _ value: RawSpan, missing: Int, _ handle: UInt16, _ label: AttributeLabel?, isWrite: Bool, _ slot: Int
    ) {
        var attribute: UQDKAttribute?
        if let label {
            guard label.part == .value, let uuid = label.characteristic else { return }
            attribute = watched.uqdk(uuid)
            if attribute == nil { return }
        }
        let context = UQDKValue(
            handle: handle, attribute: attribute, sender: isWrite ? .phone : .car,
            time: frame.time.nanoseconds, frame: UInt64(frame.number),
            originalLength: value.byteCount &+ missing)
        guard let annotation = trackers[slot].uqdk.handle(value, context) else { return }
        follow(annotation, slot)
    }

    private mutating func follow(_ annotation: UQDKAnnotation, _ slot: Int) {
        for problem in annotation.problems { report(.uqdk, name: problem.code, text: problem.message) }
        if let message = annotation.message, message.isWhole {
            links[slot].counts.uqdkMessages &+= 1
            if links[slot].dialect == nil { links[slot].dialect = annotation.dialect }
            if message.isSecured, message.kind == .request, links[slot].phases.firstCommand == nil {
                links[slot].phases.firstCommand = frame.time
            }
        }
        if annotation.session == .established, links[slot].phases.authenticated == nil {
            links[slot].phases.authenticated = frame.time
        }
        uqdk = annotation
    }

    /// What the protocols above ATT had open as their link ends.
    mutating func closeTrackers(_ slot: Int) {
        for problem in trackers[slot].uqdk.close(at: frame.time.nanoseconds) {
            report(.uqdk, name: problem.code, text: problem.message)
        }
    }
}

/// The protocols above ATT on one link.
struct LinkTrackers: Sendable {
    var uqdk: UQDKTracker
}
