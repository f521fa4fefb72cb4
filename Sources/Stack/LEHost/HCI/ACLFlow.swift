import BluetoothCore
import WireBytes

/// Hands ACL data to the controller no faster than it has buffers, turn by turn over the links.
///
/// Source: Core Specification, Vol 4, Part E, 4.1.1.
struct ACLFlow: Sendable {
    private struct Lane: Sendable {
        var handle: UInt16
        var packets: [[UInt8]] = []
        var outstanding = 0
        /// Packets up to and with the last one of a channel's K-frame; 0 where none waits.
        var untilFrame = 0
        /// Packets of that K-frame.
        var frameLength = 0
    }

    /// Octets of data that one packet may have.
    private(set) var packetLength = 27
    /// Packets that the controller holds at once.
    private(set) var capacity = 0
    private var lanes: [Lane] = []
    private var turn = 0

    private var outstanding: Int { lanes.reduce(0) { $0 + $1.outstanding } }

    /// Takes what the controller says of its buffers.
    mutating func configure(packetLength: Int, capacity: Int) {
        self.packetLength = max(27, packetLength)
        self.capacity = max(0, capacity)
    }

    mutating func open(_ handle: UInt16) {
        close(handle)
        lanes.append(Lane(handle: handle))
    }

    /// Forgets a link: packets that the controller held for it are free again.
    mutating func close(_ handle: UInt16) { lanes.removeAll { $0.handle == handle } }

    /// Packets of a link that wait for a buffer.
    func waiting(_ handle: UInt16) -> Int { lanes.first { $0.handle == handle }?.packets.count ?? 0 }

    /// Waiting packets of a link, without those of a K-frame.
    func waitingBesidesFrames(_ handle: UInt16) -> Int {
        lanes.first { $0.handle == handle }.map { $0.packets.count - min($0.untilFrame, $0.frameLength) } ?? 0
    }

    /// Whether a channel's K-frame waits for a buffer.
    func holdsFrame(_ handle: UInt16) -> Bool { lanes.contains { $0.handle == handle && $0.untilFrame > 0 } }

    /// Cuts an L2CAP PDU into packets and puts them behind those of the link that wait.
    mutating func enqueue(
        _ information: [UInt8], on channel: L2CAPChannelID, of handle: UInt16, isFrame: Bool = false
    ) {
        guard let lane = lanes.firstIndex(where: { $0.handle == handle }) else { return }
        let before = lanes[lane].packets.count
        for fragment in L2CAPFragmenter.fragments(information, channel: channel, limit: packetLength) {
            // An LE host begins each PDU as non-flushable.
            let header = HCIACLHeader(
                handle: handle, boundary: fragment.isContinuation ? 1 : 0,
                dataLength: UInt16(clamping: fragment.octets.count))
            lanes[lane].packets.append(header.encoded + fragment.octets)
        }
        guard isFrame else { return }
        lanes[lane].untilFrame = lanes[lane].packets.count
        lanes[lane].frameLength = lanes[lane].packets.count - before
    }

    /// The next packet that the controller has a buffer for.
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

    /// Takes what Number Of Completed Packets says.
    ///
    /// - Returns: false where the link is unknown or had fewer packets outstanding.
    mutating func completed(_ count: Int, of handle: UInt16) -> Bool {
        guard let lane = lanes.firstIndex(where: { $0.handle == handle }) else { return false }
        let freed = min(count, lanes[lane].outstanding)
        lanes[lane].outstanding -= freed
        return freed == count
    }

    mutating func reset() { self = ACLFlow() }
}
