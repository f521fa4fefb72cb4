import BluetoothCore
import CaptureFile
import PayloadFormat

/// The PDUs that are being reassembled on a link, one for each direction.
///
/// Fragments are not numbered: a continuation belongs to the last started PDU in its direction on its handle.
struct Assemblies: Sendable {
    var fromHost = Assembly()
    var fromController = Assembly()
}

/// One L2CAP PDU that arrives in several ACL packets, and the frames it arrives in.
struct Assembly: Sendable {
    /// Limit of the frames remembered for a PDU; its further fragments are only counted.
    static let frameLimit = 64

    var reassembler = L2CAPReassembler()
    var firstFrame = FramePlace()
    var fragmentCount = 0
    var frames: [FramePlace] = []

    /// Adds the data of one ACL packet that had `sent` bytes on the wire.
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
        // Most PDUs fit in one packet: only the frames of the others need to be remembered.
        if case .whole = outcome { return outcome }
        if frames.count < Self.frameLimit { frames.append(frame) }
        return outcome
    }
}
