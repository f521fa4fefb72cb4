public import BluetoothCore
import CaptureFile
import Profiles
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
                Self.operation(att.opcode), slot)
        case .prepareWriteRequest:
            guard let handle = att.handle, let value = att.value else { return }
            prepare(payload.clamped(value), handle, offset: Int(payload.u16le(at: 3) ?? 0), slot, bearer)
        case .executeWriteRequest:
            execute(payload.octet(at: 1) == 1, slot, bearer, sender)
        default: break
        }
    }

    private static func operation(_ opcode: ATTOpcode) -> ProfileOperation {
        switch opcode {
        case .readResponse: .read
        case .handleValueNotification, .handleValueIndication: .notify
        default: .write
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
        annotate(queued.octets.borrowedOctets, missing: 0, queued.handle, label, .write, slot)
    }

    /// - Parameters:
    ///   - missing: octets of the value that the recorder did not keep.
    ///   - operation: how the value travelled; a write is the client's, the rest the server's.
    private mutating func annotate(
        _ value: RawSpan, missing: Int, _ handle: UInt16, _ label: AttributeLabel?,
        _ operation: ProfileOperation, _ slot: Int
    ) {
        var attribute: UQDKAttribute?
        var matches: [ProfileMatch]?
        if let label {
            guard label.part == .value, let uuid = label.characteristic else { return }
            attribute = watched.uqdk(uuid)
            let found = watched.matches(uuid, in: label.service)
            if attribute == nil && found.isEmpty { return }
            matches = found
        }
        let length = value.byteCount &+ missing
        if label == nil || attribute != nil {
            let context = UQDKValue(
                handle: handle, attribute: attribute, sender: operation == .write ? .phone : .car,
                time: frame.time.nanoseconds, frame: UInt64(frame.number), originalLength: length)
            if let annotation = trackers[slot].uqdk.handle(value, context) { return follow(annotation, slot) }
        }
        let context = ProfileValue(
            handle: handle, matches: matches, operation: operation, time: frame.time.nanoseconds,
            frame: UInt64(frame.number), originalLength: length)
        let annotations = trackers[slot].profiles.handle(value, context)
        if !annotations.isEmpty { follow(annotations, slot) }
    }

    private mutating func follow(_ annotations: [ProfileAnnotation], _ slot: Int) {
        for annotation in annotations {
            for problem in annotation.problems { report(.profile, name: problem.code, text: problem.message) }
            if annotation.message != nil { links[slot].counts.profileMessages &+= 1 }
        }
        profiles = annotations
        isAnnotated = true
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
        isAnnotated = true
    }

    /// What the protocols above ATT had open as their link ends.
    mutating func closeTrackers(_ slot: Int) {
        for problem in trackers[slot].uqdk.close(at: frame.time.nanoseconds) {
            report(.uqdk, name: problem.code, text: problem.message)
        }
        for problem in trackers[slot].profiles.close(at: frame.time.nanoseconds) {
            report(.profile, name: problem.code, text: problem.message)
        }
    }
}

/// The protocols above ATT on one link.
struct LinkTrackers: Sendable {
    var uqdk: UQDKTracker
    var profiles: ProfileTracker
}
