import BluetoothCore

/// The ACL packets of a link that wait for the controller's buffers.
///
/// Source: Core Specification, Vol 4, Part E, 4.1.1.
struct ACLQueue: Sendable {
    private let handle: UInt16
    /// Maximum length of one packet's data in bytes.
    private let packetLength: Int
    private var packets: [[UInt8]] = []
    private(set) var outstanding = 0
    /// Number of packets up to the end of a channel's K-frame; 0 if none waits.
    private var untilFrame = 0
    private var frameLength = 0

    init(_ handle: UInt16, packetLength: Int) {
        self.handle = handle
        self.packetLength = max(27, packetLength)
    }

    var waiting: Int { packets.count }

    /// Number of packets that wait for a buffer, without those of a K-frame.
    var waitingBesidesFrames: Int { packets.count - min(untilFrame, frameLength) }

    /// Whether a channel's K-frame waits for a buffer.
    var holdsFrame: Bool { untilFrame > 0 }

    /// Cuts an L2CAP PDU into packets and queues them.
    mutating func enqueue(_ information: [UInt8], on channel: L2CAPChannelID, isFrame: Bool = false) {
        let before = packets.count
        for fragment in L2CAPFragmenter.fragments(information, channel: channel, limit: packetLength) {
            // An LE host starts every PDU as non-flushable.
            let header = HCIACLHeader(
                handle: handle, boundary: fragment.isContinuation ? 1 : 0,
                dataLength: UInt16(clamping: fragment.octets.count))
            packets.append(header.encoded + fragment.octets)
        }
        guard isFrame else { return }
        untilFrame = packets.count
        frameLength = packets.count - before
    }

    /// Removes and returns the next packet, for a free buffer of the controller; nil without one.
    mutating func next() -> HCIPacket? {
        guard !packets.isEmpty else { return nil }
        outstanding += 1
        untilFrame = max(0, untilFrame - 1)
        return HCIPacket(.acl, packets.removeFirst())
    }

    /// Handles Number Of Completed Packets.
    ///
    /// - Returns: false if the controller had fewer packets.
    mutating func completed(_ count: Int) -> Bool {
        let freed = min(count, outstanding)
        outstanding -= freed
        return freed == count
    }
}
