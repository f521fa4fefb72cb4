import BluetoothCore
import CaptureFile
import PayloadFormat

/// The PDUs that are being put together on a link, one a direction.
///
/// Nothing on the wire numbers fragments: a continuation belongs to the last start in its direction on its
/// handle, and to nothing else.
struct Assemblies: Sendable {
    var fromHost = Assembly()
    var fromController = Assembly()
}

/// One L2CAP PDU that arrives in several ACL packets, and the frames it arrives in.
struct Assembly: Sendable {
    /// Frames of fragments that are remembered by number; a PDU in more of them counts them all the same.
    static let frameLimit = 64

    var reassembler = L2CAPReassembler()
    var firstFrame = FramePlace()
    var fragmentCount = 0
    var frames: [FramePlace] = []

    /// Takes the data of one ACL packet that had `sent` octets on the wire.
    mutating func receive(
        _ data: RawSpan, isContinuation: Bool, sent: Int, frame: FramePlace
    ) -> L2CAPReassembler.Outcome {
        let outcome = reassembler.receive(data, isContinuation: isContinuation, sentCount: sent)
        if !isContinuation {
            firstFrame = frame
            fragmentCount = 0
            if !frames.isEmpty { frames.removeAll(keepingCapacity: true) }
        }
        fragmentCount &+= 1
        // Most PDUs are whole in one packet: only those that are not need their frames remembered.
        if case .whole = outcome { return outcome }
        if frames.count < Self.frameLimit { frames.append(frame) }
        return outcome
    }
}
