public import BluetoothCore
import CaptureFile
import PayloadFormat
import Profiles
import UQDK
import WireBytes

// Values go to the protocols above ATT: what they make of them becomes the frame's annotation.

extension Analyzer {
    /// What text calls a characteristic of a protocol that this analysis knows; nil for any other.
    public func name(ofCharacteristic uuid: BluetoothUUID) -> StaticText? { watched.name(uuid) }

    /// Hands the value of an ATT PDU to whoever knows its characteristic.
    mutating func annotate(
        _ payload: RawSpan, _ slot: Int, _ bearer: Int, _ sender: Side, isCut: Bool
    ) {
        switch frame.attPDU.opcode {
        case .writeRequest, .writeCommand, .signedWriteCommand, .handleValueNotification,
            .handleValueIndication:
            guard mayBeWatched, let handle = frame.attPDU.handle, let value = frame.attPDU.value else {
                return
            }
            annotate(
                payload.clamped(value), missing: missingOctets(payload.byteCount), handle,
                frame.attPDU.label, Self.operation(frame.attPDU.opcode), slot)
        case .readResponse, .readBlobResponse:
            guard let handle = frame.attPDU.handle, let value = frame.attPDU.value else { return }
            read(payload.clamped(value), handle, slot, bearer, sender, isCut: isCut)
        case .multipleHandleValueNotification:
            var at = 1
            while let handle = payload.u16le(at: at), let length = payload.u16le(at: at &+ 2) {
                let value = payload.clamped((at &+ 4)..<(at &+ 4 &+ Int(length)))
                annotate(
                    value, missing: Int(length) &- value.byteCount, handle,
                    databaseLabel(of: handle, server: sender, slot), .notify, slot)
                at &+= 4 &+ Int(length)
            }
        case .prepareWriteRequest:
            guard let handle = frame.attPDU.handle, let value = frame.attPDU.value else { return }
            let offset = frame.attPDU.opcode.places.offset(in: payload) ?? 0
            prepare(payload.clamped(value), handle, offset: offset, slot, bearer, sender, isCut: isCut)
        case .executeWriteRequest:
            execute(payload.octet(at: 1) == 1, slot, bearer, sender)
        default: break
        }
    }

    /// Whether an annotator above ATT may look for the attribute that the frame's PDU names: most it sends
    /// away.
    @inline(__always)
    private var mayBeWatched: Bool {
        guard frame.attPDU.label != nil else { return true }
        guard let uuid = frame.attPDU.label?.characteristic else { return false }
        return watched.mayMatch(uuid)
    }

    private static func operation(_ opcode: ATTOpcode) -> ProfileOperation {
        switch opcode {
        case .readResponse: .read
        case .handleValueNotification, .handleValueIndication: .notify
        default: .write
        }
    }

    /// Octets of the PDU that the recorder did not keep, where it kept `count`.
    func missingOctets(_ count: Int) -> Int {
        guard let pdu = frame.l2cap else { return 0 }
        return max(0, pdu.length &- pdu.headerLength &- count)
    }

    /// Whether an annotator above ATT looks for the characteristic of this value.
    func isWatched(_ label: AttributeLabel) -> Bool {
        guard label.part == .value, let uuid = label.characteristic, watched.mayMatch(uuid) else {
            return false
        }
        return watched.uqdk(uuid) != nil || !watched.matches(uuid, in: label.service).isEmpty
    }

    /// - Parameters:
    ///   - missing: octets of the value that the recorder did not keep.
    ///   - operation: how the value travelled; a write is the client's, the rest the server's.
    mutating func annotate(
        _ value: RawSpan, missing: Int, _ handle: UInt16, _ label: AttributeLabel?,
        _ operation: ProfileOperation, _ slot: Int
    ) {
        var attribute: UQDKAttribute?
        var matches: [ProfileMatch]?
        if let label {
            guard label.part == .value, let uuid = label.characteristic, watched.mayMatch(uuid) else {
                return
            }
            let labelled = watched.matches(uuid, in: label.service)
            attribute = watched.uqdk(uuid)
            if let profile = watched.profile(displacing: uuid) { displacedValues[profile, default: 0] += 1 }
            if attribute == nil && labelled.isEmpty { return }
            matches = labelled
        }
        let context = ProfileValue(
            handle: handle, matches: matches, operation: operation, time: frame.time.nanoseconds,
            frame: frame.place.bits, originalLength: value.byteCount &+ missing)
        let mayBeOfKeyProtocol = label == nil || attribute != nil
        if mayBeOfKeyProtocol, !isClaimedByProfile(value, context, attribute, slot),
            isOfKeyProtocol(value, context, attribute, slot)
        {
            return
        }
        annotate(value, context, slot)
    }

    /// Whether a profile that the user named takes a value before the digital-key protocol may.
    private mutating func isClaimedByProfile(
        _ value: RawSpan, _ context: ProfileValue, _ attribute: UQDKAttribute?, _ slot: Int
    ) -> Bool {
        guard watched.hasNamedProfiles,
            let profile = trackers[slot].profiles.claimant(of: value, context)
        else { return false }
        if attribute != nil { displacedValues[profile, default: 0] += 1 }
        return true
    }

    /// Hands a value to the digital-key protocol: whether it is one of its.
    private mutating func isOfKeyProtocol(
        _ value: RawSpan, _ context: ProfileValue, _ attribute: UQDKAttribute?, _ slot: Int
    ) -> Bool {
        let annotation = trackers[slot].uqdk.handle(
            value, attribute,
            from: UQDKSource(
                handle: context.handle, sender: context.operation == .write ? .phone : .car,
                time: context.time, frame: context.frame, originalLength: context.originalLength))
        guard let annotation else { return false }
        if context.operation == .notify { links[slot].hasHeardAnswers = true }
        if context.operation == .write { links[slot].phone = frame.sender }
        follow(annotation, slot)
        return true
    }

    /// Hands a value to the profiles.
    private mutating func annotate(_ value: RawSpan, _ context: ProfileValue, _ slot: Int) {
        let annotations = trackers[slot].profiles.handle(value, context)
        if annotations.isEmpty { return }
        if context.operation == .notify { links[slot].hasHeardAnswers = true }
        follow(annotations, slot)
    }

    private mutating func follow(_ annotations: [ProfileAnnotation], _ slot: Int) {
        for annotation in annotations {
            for problem in annotation.problems {
                report(.annotated(AnnotatedProblem(.profile, problem)))
            }
            if annotation.message != nil { links[slot].counts.profileMessages &+= 1 }
            links[slot].change(profile: annotation.profile) {
                if annotation.message != nil { $0.messages &+= 1 }
                if !annotation.misfits.isEmpty { $0.misfits &+= 1 }
            }
        }
        if profiles.isEmpty { profiles = annotations } else { profiles += annotations }
        isAnnotated = true
    }
}

/// The protocols above ATT on one link.
struct LinkTrackers: Sendable {
    var uqdk: UQDKTracker
    var profiles: ProfileTracker
}
