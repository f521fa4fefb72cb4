import WireBytes

/// The data of one channel in both directions: SDUs in K-frames, limited by credits.
///
/// Memory is limited: by this side's MTU and credits for received data, by ``sduLimit`` SDUs for data to
/// send. Source: Core Specification, Vol 3, Part A, 3.4.3 and 10.1.
struct CreditBasedChannel: Sendable {
    /// The outcome of a K-frame.
    enum Receipt: Equatable {
        case pending
        case sdu([UInt8])
        case violation(ChannelViolation)
    }

    /// Limit of the SDUs that wait to be sent.
    static let sduLimit = 4

    let own: ChannelParameters
    let peerMTU: Int
    let peerMPS: Int

    // To the peer.
    private var sendCredits: Int
    private var queue: [[UInt8]] = []
    /// Number of bytes of the first SDU that were sent; nil before its first K-frame.
    private var sent: Int?
    private var wasFull = false

    // From the peer.
    private var receiveCredits: Int
    private var assembly: [UInt8] = []
    /// Length in bytes of the SDU in progress; nil without one.
    private var expected: Int?
    private var assemblyFrames = 0
    /// Number of K-frames of each unconsumed SDU.
    private var unconsumed: [Int] = []

    init(_ own: ChannelParameters, peerMTU: UInt16, peerMPS: UInt16, credits: UInt16) {
        self.own = own
        self.peerMTU = Int(peerMTU)
        self.peerMPS = Int(peerMPS)
        sendCredits = Int(credits)
        receiveCredits = Int(own.credits)
    }

    var isDrained: Bool { queue.isEmpty }

    var hasRoom: Bool { queue.count < Self.sduLimit }

    // MARK: Towards the peer

    /// Queues an SDU to send; returns false if it is too long or the queue is full.
    mutating func enqueue(_ sdu: [UInt8]) -> Bool {
        guard sdu.count <= peerMTU, hasRoom else { return false }
        queue.append(sdu)
        wasFull = !hasRoom
        return true
    }

    /// Whether the queue was full and has room again; true only once.
    mutating func takeReadiness() -> Bool {
        guard wasFull, hasRoom else { return false }
        wasFull = false
        return true
    }

    /// Adds credits from the peer.
    ///
    /// - Returns: false if the peer has given more credits than allowed.
    mutating func addCredits(_ count: UInt16) -> Bool {
        sendCredits += Int(count)
        return sendCredits <= 65535
    }

    /// Returns the payload of the next K-frame; nil if there is no data or no credit.
    mutating func nextFrame() -> [UInt8]? {
        guard sendCredits > 0, let sdu = queue.first else { return nil }
        sendCredits -= 1
        var writer = ByteWriter()
        if sent == nil { writer.u16le(UInt16(clamping: sdu.count)) }
        let from = sent ?? 0
        let end = min(sdu.count, from + peerMPS - writer.count)
        writer.bytes(Array(sdu[from..<end]))
        sent = end
        if end == sdu.count {
            queue.removeFirst()
            sent = nil
        }
        return writer.octets
    }

    // MARK: From the peer

    /// Handles a K-frame's payload.
    mutating func receive(_ payload: [UInt8]) -> Receipt {
        guard receiveCredits > 0 else { return .violation(.noCredit) }
        receiveCredits -= 1
        var data = payload[...]
        if expected == nil {
            guard let length = payload.borrowedOctets.u16le(at: 0) else { return .violation(.missingLength) }
            guard length <= own.mtu else { return .violation(.sduTooLong) }
            expected = Int(length)
            data = payload.dropFirst(2)
        }
        // Peers may count the SDU's length field in the payload, as this side does, or not
        // (L2CAP/LE/CFC/BV-32-C).
        guard data.count <= Int(own.mps) else { return .violation(.frameTooLong) }
        assemblyFrames += 1
        assembly += data
        guard let expected, assembly.count >= expected else { return .pending }
        guard assembly.count == expected else { return .violation(.sduOverrun) }
        unconsumed.append(assemblyFrames)
        assemblyFrames = 0
        self.expected = nil
        defer { assembly = [] }
        return .sdu(assembly)
    }

    /// Frees the room of SDUs that the application has consumed.
    mutating func consumed(_ count: Int) { unconsumed.removeFirst(min(max(0, count), unconsumed.count)) }

    /// Returns the credits to give to the peer now, several at a time; nil if there are too few.
    ///
    /// Credits for K-frames of an SDU in progress are returned at once, so that it can be completed even with
    /// few credits. Those of SDUs that the application has not consumed are not returned.
    mutating func creditsToGive() -> UInt16? {
        let window = Int(own.credits)
        let grant = window - unconsumed.reduce(0, +) - receiveCredits
        guard grant > 0, receiveCredits <= window / 2 else { return nil }
        receiveCredits += grant
        return UInt16(clamping: grant)
    }
}
