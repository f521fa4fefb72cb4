import BluetoothCore
import WireBytes

/// The data of one channel in both directions: SDUs in K-frames, against credits.
///
/// Memory is bounded: this side's MTU and the credits that it gives bound what is received, and
/// ``sduLimit`` SDUs what is to be sent. Source: Core Specification, Vol 3, Part A, 3.4.3 and 10.1.
struct CreditBasedChannel: Sendable {
    /// What a K-frame led to.
    enum Receipt: Equatable {
        case pending
        case sdu([UInt8])
        case violation(ChannelViolation)
    }

    /// SDUs that may wait to be sent.
    static let sduLimit = 4

    let own: ChannelParameters
    let peerMTU: Int
    let peerMPS: Int

    // Towards the peer.
    private var sendCredits: Int
    private var queue: [[UInt8]] = []
    /// Bytes of the first SDU that are sent; nil before its first K-frame.
    private var sent: Int?
    private var wasFull = false

    // From the peer.
    private var receiveCredits: Int
    private var assembly: [UInt8] = []
    /// Bytes of the SDU under way; nil where none is.
    private var expected: Int?
    private var assemblyFrames = 0
    /// K-frames of each SDU that the application has not consumed.
    private var unconsumed: [Int] = []

    init(_ own: ChannelParameters, peerMTU: UInt16, peerMPS: UInt16, credits: UInt16) {
        self.own = own
        self.peerMTU = Int(peerMTU)
        self.peerMPS = Int(peerMPS)
        sendCredits = Int(credits)
        receiveCredits = Int(own.credits)
    }

    /// Whether everything is sent.
    var isDrained: Bool { queue.isEmpty }

    /// Whether an SDU would be taken.
    var hasRoom: Bool { queue.count < Self.sduLimit }

    // MARK: Towards the peer

    /// Takes an SDU to send, where it may.
    mutating func enqueue(_ sdu: [UInt8]) -> Bool {
        guard sdu.count <= peerMTU, hasRoom else { return false }
        queue.append(sdu)
        wasFull = !hasRoom
        return true
    }

    /// Whether it was full and has room again, once.
    mutating func takeReadiness() -> Bool {
        guard wasFull, hasRoom else { return false }
        wasFull = false
        return true
    }

    /// Takes credits of the peer.
    ///
    /// - Returns: false where it has given more than there may be.
    mutating func addCredits(_ count: UInt16) -> Bool {
        sendCredits += Int(count)
        return sendCredits <= 65535
    }

    /// The next K-frame's payload; nil where nothing waits or no credit is left.
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

    /// Takes a K-frame's payload.
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
        // Peers may count the SDU's length in, as this side does, or not (L2CAP/LE/CFC/BV-32-C).
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

    /// The application is done with so many SDUs.
    mutating func consumed(_ count: Int) { unconsumed.removeFirst(min(max(0, count), unconsumed.count)) }

    /// Credits to give the peer now; nil for none. They are given several at a time.
    ///
    /// K-frames of an SDU under way are replaced at once, so that it can be completed however few credits
    /// there are; those of SDUs that the application has not consumed are not.
    mutating func creditsToGive() -> UInt16? {
        let window = Int(own.credits)
        let grant = window - unconsumed.reduce(0, +) - receiveCredits
        guard grant > 0, receiveCredits <= window / 2 else { return nil }
        receiveCredits += grant
        return UInt16(clamping: grant)
    }
}
