import BluetoothCore
import Runtime

/// Hands commands to the controller no faster than it allows, and joins what comes back to what was asked.
///
/// Source: Core Specification, Vol 4, Part E, 4.4.
struct HCICommandFlow<Purpose: Sendable>: Sendable {
    /// A command and what it is for.
    struct Command: Sendable {
        var opcode: HCIOpcode
        var packet: [UInt8]
        var purpose: Purpose
        /// When the controller should have answered.
        var deadline = Instant.distantFuture
    }

    /// How long a controller may take to answer a command: long enough for one that is emulated.
    static var timeout: Duration { .seconds(10) }

    private var waiting: [Command] = []
    private var unanswered: [Command] = []
    // A controller that has just been reset takes one command.
    private var credits = 1
    /// When the controller must accept commands again; nil unless a command waits and none is unanswered.
    private var creditDeadline: Instant?

    /// Puts a command behind those that wait.
    mutating func enqueue<Request: HCICommand>(_ request: Request, for purpose: Purpose) {
        waiting.append(Command(opcode: Request.opcode, packet: request.packet, purpose: purpose))
    }

    /// The next command that the controller takes; nil where none waits or it takes none.
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

    /// Takes what Command Complete or Command Status says.
    ///
    /// - Returns: the purpose of the oldest command with this opcode, or nil where none is unanswered.
    mutating func answered(_ opcode: HCIOpcode, credits: UInt8) -> Purpose? {
        self.credits = Int(credits)
        guard let index = unanswered.firstIndex(where: { $0.opcode == opcode }) else { return nil }
        return unanswered.remove(at: index).purpose
    }

    /// When the oldest unanswered command, or the next command credit, is overdue.
    var deadline: Instant? { unanswered.lazy.map(\.deadline).min() ?? creditDeadline }

    /// The overdue command, or the next one if the controller accepts no commands.
    func overdue(at now: Instant) -> HCIOpcode? {
        if let creditDeadline, creditDeadline <= now { return waiting.first?.opcode }
        return unanswered.first { $0.deadline <= now }?.opcode
    }

    /// Whether a command that waits or is unanswered meets the condition.
    func contains(where condition: (Purpose) -> Bool) -> Bool {
        (waiting + unanswered).contains { condition($0.purpose) }
    }

    /// Forgets all commands, as the controller does when it is reset.
    mutating func reset() {
        waiting = []
        unanswered = []
        credits = 1
        creditDeadline = nil
    }
}
