import BluetoothCore

/// Passes ACL data to the controller as its buffers allow; the links take turns.
///
/// Source: Core Specification, Vol 4, Part E, 4.1.1.
struct ACLFlow: Sendable {
    private struct Lane: Sendable {
        var handle: UInt16
        var packets: [[UInt8]] = []
        var outstanding = 0
        /// Number of packets up to the end of a channel's K-frame; 0 if none waits.
        var untilFrame = 0
        /// Number of packets of that K-frame.
        var frameLength = 0
    }

    /// Maximum length of one packet's data in bytes.
    private(set) var packetLength = 27
    /// Number of packets that the controller can hold.
    private(set) var capacity = 0
    private var lanes: [Lane] = []
    private var turn = 0

    private var outstanding: Int { lanes.reduce(0) { $0 + $1.outstanding } }

    /// Sets the controller's buffer sizes.
    mutating func configure(packetLength: Int, capacity: Int) {
        self.packetLength = max(27, packetLength)
        self.capacity = max(0, capacity)
    }

    mutating func open(_ handle: UInt16) {
        close(handle)
        lanes.append(Lane(handle: handle))
    }

    /// Removes a link, and frees the controller's buffers that its packets used.
    mutating func close(_ handle: UInt16) { lanes.removeAll { $0.handle == handle } }

    /// Returns the number of a link's packets waiting for a buffer.
    func waiting(_ handle: UInt16) -> Int { lanes.first { $0.handle == handle }?.packets.count ?? 0 }

    /// Returns the number of packets of a link that wait, without those of a K-frame.
    func waitingBesidesFrames(_ handle: UInt16) -> Int {
        lanes.first { $0.handle == handle }.map { $0.packets.count - min($0.untilFrame, $0.frameLength) } ?? 0
    }

    /// Whether a channel's K-frame waits for a buffer.
    func holdsFrame(_ handle: UInt16) -> Bool { lanes.contains { $0.handle == handle && $0.untilFrame > 0 } }

    /// Cuts an L2CAP PDU into packets and queues them for the link.
    mutating func enqueue(
        _ information: [UInt8], on channel: L2CAPChannelID, of handle: UInt16, isFrame: Bool = false
    ) {
        guard let lane = lanes.firstIndex(where: { $0.handle == handle }) else { return }
        let before = lanes[lane].packets.count
        for fragment in L2CAPFragmenter.fragments(information, channel: channel, limit: packetLength) {
            // An LE host starts every PDU as non-flushable.
            let header = HCIACLHeader(
                handle: handle, boundary: fragment.isContinuation ? 1 : 0,
                dataLength: UInt16(clamping: fragment.octets.count))
            lanes[lane].packets.append(header.encoded + fragment.octets)
        }
        guard isFrame else { return }
        lanes[lane].untilFrame = lanes[lane].packets.count
        lanes[lane].frameLength = lanes[lane].packets.count - before
    }

    /// Removes and returns the next packet for which the controller has a buffer; nil without one.
    mutating func next() -> HCIPacket? {
        guard outstanding < capacity, !lanes.isEmpty else { return nil }
        for step in 0..<lanes.count {
            let lane = (turn + step) % lanes.count
            guard !lanes[lane].packets.isEmpty else { continue }
            lanes[lane].outstanding += 1
            lanes[lane].untilFrame = max(0, lanes[lane].untilFrame - 1)
            turn = lane + 1
            return HCIPacket(.acl, lanes[lane].packets.removeFirst())
        }
        return nil
    }

    /// Handles Number Of Completed Packets.
    ///
    /// - Returns: false if the link is unknown, or had fewer packets in the controller.
    mutating func completed(_ count: Int, of handle: UInt16) -> Bool {
        guard let lane = lanes.firstIndex(where: { $0.handle == handle }) else { return false }
        let freed = min(count, lanes[lane].outstanding)
        lanes[lane].outstanding -= freed
        return freed == count
    }

    mutating func reset() { self = ACLFlow() }
}
