public import BluetoothCore
import Runtime

/// Passes commands to the controller as it accepts them, and matches its answers with the commands.
///
/// Source: Core Specification, Vol 4, Part E, 4.4.
struct HCICommandFlow<Purpose: Sendable>: Sendable {
    struct Command: Sendable {
        var opcode: HCIOpcode
        var packet: [UInt8]
        var purpose: Purpose
        /// Time by which the controller must have answered.
        var deadline = Instant.distantFuture
    }

    /// Time limit of a controller's answer, long enough for an emulated controller.
    static var timeout: Duration { .seconds(10) }

    private var waiting: [Command] = []
    private var unanswered: [Command] = []
    // A controller that has just been reset accepts one command.
    private var credits = 1
    /// Time by which the controller must accept commands again; nil unless commands wait and none is
    /// unanswered.
    private var creditDeadline: Instant?

    mutating func enqueue<Request: HCICommand>(_ request: Request, for purpose: Purpose) {
        waiting.append(Command(opcode: Request.opcode, packet: request.packet, purpose: purpose))
    }

    /// Removes and returns the next command that the controller accepts; nil without one.
    mutating func next(at now: Instant) -> HCIPacket? {
        let isStuck = credits <= 0 && unanswered.isEmpty && !waiting.isEmpty
        creditDeadline = isStuck ? creditDeadline ?? now.advanced(by: Self.timeout * 2) : nil
        guard credits > 0, !waiting.isEmpty else { return nil }
        var command = waiting.removeFirst()
        command.deadline = now.advanced(by: Self.timeout)
        credits -= 1
        unanswered.append(command)
        return HCIPacket(.command, command.packet)
    }

    /// Handles Command Complete or Command Status.
    ///
    /// - Returns: the purpose of the oldest unanswered command with this opcode; nil without one.
    mutating func answered(_ opcode: HCIOpcode, credits: UInt8) -> Purpose? {
        self.credits = Int(credits)
        guard let index = unanswered.firstIndex(where: { $0.opcode == opcode }) else { return nil }
        return unanswered.remove(at: index).purpose
    }

    /// Time at which the oldest unanswered command, or the next credit for commands, is overdue.
    var deadline: Instant? { unanswered.lazy.map(\.deadline).min() ?? creditDeadline }

    /// Returns the command that is overdue, or that waits because the controller accepts no commands.
    func overdue(at now: Instant) -> HCIOpcode? {
        if let creditDeadline, creditDeadline <= now { return waiting.first?.opcode }
        return unanswered.first { $0.deadline <= now }?.opcode
    }

    /// Whether a command that waits or is unanswered meets the condition.
    func contains(where condition: (Purpose) -> Bool) -> Bool {
        (waiting + unanswered).contains { condition($0.purpose) }
    }

    mutating func reset() { self = HCICommandFlow() }
}

/// Carries packets between a host and its controller: an adapter, a virtual controller, or a recording.
///
/// A transport keeps the order of packets in each direction. It has one owner, which pumps it.
public protocol HCITransport: AnyObject, Sendable {
    /// Opens the transport. `receive` is called with each packet from the controller, in order, but never
    /// during a call of ``send(_:)``.
    func open(_ receive: @escaping @Sendable (HCIPacket) -> Void) throws(HCITransportError)

    /// Sets the handler for an unexpected end: the other side is gone, or has sent invalid data.
    ///
    /// It is called at most once. Call this before ``open(_:)``.
    func onLoss(_ lost: @escaping @Sendable (HCITransportError) -> Void)

    /// Sends a packet to the controller.
    func send(_ packet: HCIPacket) throws(HCITransportError)

    /// Closes the transport; no packet is received afterwards.
    func close()
}

extension HCITransport {
    /// Does nothing, since a transport within the process can't be lost.
    public func onLoss(_ lost: @escaping @Sendable (HCITransportError) -> Void) {}
}

/// Reason why a transport can't carry packets.
public struct HCITransportError: Error, Hashable, Sendable {
    /// The failed operation, such as "open" or "send".
    public var operation: String
    /// The system's error number; 0 if the transport itself refused.
    public var errno: Int32

    public init(operation: String, errno: Int32 = 0) {
        self.operation = operation
        self.errno = errno
    }
}
