import BluetoothCore
import Runtime

/// Passes commands to the controller as it accepts them, and matches its answers with the commands.
///
/// Source: Core Specification, Vol 4, Part E, 4.4.
struct HCICommandFlow<Purpose: Sendable>: Sendable {
    /// A command with its purpose.
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

    /// Queues a command.
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

    /// Forgets all commands, as a reset controller does.
    mutating func reset() {
        waiting = []
        unanswered = []
        credits = 1
        creditDeadline = nil
    }
}
