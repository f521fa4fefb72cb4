public import BluetoothCore
import PayloadFormat
import Runtime
public import UQDK
import WireBytes

/// The car's side of the digital-key protocol, without a radio. Takes values of the command characteristic
/// and returns messages.
///
/// Time and randomness come from the caller.
struct CarEngine: Sendable {
    /// Maximum number of links; values on further links are dropped.
    static let linkLimit = 32

    let configuration: CarConfiguration
    let entropy: any Entropy
    var keys: [CarKey]
    var vehicle: Vehicle
    /// The digits of the pairing code; nil while the pairing window is closed.
    var pairingCode: [UInt8]?
    var links: [CarLinkID: CarLink] = [:]
    private var outputs: [CarOutput] = []
    /// The pending tampering with a message; `wasTampered` is set once it was done.
    var tampering: CarTampering?
    var wasTampered = false
    private var copy: CarOutput?

    var dialect: Dialect { configuration.dialect }

    init(_ configuration: CarConfiguration, entropy: any Entropy) {
        self.configuration = configuration
        self.entropy = entropy
        keys = configuration.keys
        vehicle = configuration.vehicle
        pairingCode = configuration.pairingCode.map { Array($0.utf8) }
    }

    /// Returns and clears the outputs since the last call.
    mutating func takeOutputs() -> [CarOutput] {
        defer { outputs = [] }
        return outputs
    }

    var advertisedFlags: Set<String> {
        var flags: Set<String> = []
        if pairingCode != nil { flags.insert("pairingWindowOpen") }
        if vehicle.doorsLocked == Vehicle.everyDoor { flags.insert("locked") }
        if keys.count(where: { $0.slot != nil }) >= Int(configuration.slots) { flags.insert("slotsTaken") }
        return flags
    }

    // MARK: Links

    mutating func begin(_ id: CarLinkID, _ peer: DeviceAddress) {
        guard links.count < Self.linkLimit else {
            return note(.problem("\(peer): more links than are kept"))
        }
        links[id] = CarLink(peer, dialect)
        note(.connected(peer))
    }

    /// Ends a link. A pairing code is valid for the link that used it, and an activation closes the window
    /// with its link.
    mutating func end(_ id: CarLinkID) {
        guard let link = links.removeValue(forKey: id) else { return }
        note(.disconnected(link.peer))
        guard pairingCode != nil else { return }
        if link.hasActivated {
            closePairingWindow()
        } else if link.hasUsedCode {
            openPairingWindow(code: nil)
        }
    }

    /// Handles a value of the command characteristic.
    mutating func receive(_ value: [UInt8], on id: CarLinkID, at now: Instant) {
        guard links[id] != nil else { return }
        guard let format = dialect.fragments?.format else {
            let header = dialect.message.header.readPrefix(value[...])
            return take(value, id: header[.messageID] ?? 0, on: id, at: now)
        }
        guard let fragment = Fragment(value, format) else {
            return note(.problem("\(value.count) bytes that start with no fragment header"))
        }
        var ended: [Reassembler.Ended] = []
        let outcome = links[id]?.reassembler.accept(
            fragment, at: now.nanoseconds, frame: 0, ended: &ended)
        refuse(ended, on: id, at: now)
        switch outcome {
        case .complete(let whole)?:
            links[id]?.commands[fragment.messageID] = nil
            take(whole.octets, id: whole.messageID, on: id, at: now)
        case .incomplete? where fragment.index == 0:
            let header = dialect.message.header.readPrefix(fragment.slice)
            links[id]?.commands[fragment.messageID] = header[.command] ?? 0
        default: break
        }
    }

    /// Advances time: ends messages whose next fragment is overdue, and updates the vehicle.
    mutating func advance(to now: Instant) {
        for id in links.keys.sorted() {
            var ended: [Reassembler.Ended] = []
            links[id]?.reassembler.expire(at: now.nanoseconds, ended: &ended)
            refuse(ended, on: id, at: now)
        }
        change(at: now) { $0.advance(to: now) }
    }

    /// Time at which ``advance(to:)`` is due; nil if no event is pending.
    var nextDeadline: Instant? {
        let fragments = links.values.compactMap { $0.reassembler.nextDeadline }.min()
        return [fragments.map { Instant(nanoseconds: $0) }, vehicle.nextDeadline].compactMap { $0 }.min()
    }

    /// Answers each message that ended before it was complete.
    private mutating func refuse(_ ended: [Reassembler.Ended], on id: CarLinkID, at now: Instant) {
        for one in ended {
            let command = links[id]?.commands.removeValue(forKey: one.messageID) ?? 0
            note(.problem("message \(one.messageID) was not completed: \(Self.reason(one.failure))"))
            answer(
                command, one.messageID, one.failure == .timeout ? .timedOut : .badMessage, on: id, at: now)
        }
    }

    private static func reason(_ failure: Reassembler.Failure) -> String {
        switch failure {
        case .gap(let expected, let found): "fragment \(found + 1) came where \(expected + 1) was due"
        case .differentRepeat(let index): "fragment \(index + 1) came again with other bytes"
        case .timeout: "no next fragment came in time"
        case .restarted: "a new message with the same id started"
        case .tooManyFragments: "more fragments than a message may have"
        case .tooLong: "more bytes than a message may have"
        case .cut, .disconnected, .evicted: "more messages were open than are kept"
        }
    }

    // MARK: The vehicle and the pairing window

    /// Changes the vehicle, and reports visible changes to phones with a session.
    mutating func change(at now: Instant, _ body: (inout Vehicle) -> Void) {
        let before = vehicle
        body(&vehicle)
        if vehicle.differs(from: before) { tell("STATUS_EVENT", vehicle.values, at: now) }
    }

    mutating func openPairingWindow(code: String?) {
        let digits = code ?? chosenCode()
        guard let digits else {
            pairingCode = nil
            return note(.problem("no random bytes for a pairing code: the window stays closed"))
        }
        pairingCode = Array(digits.utf8)
        note(.pairingWindow(code: digits))
    }

    mutating func closePairingWindow() {
        guard pairingCode != nil else { return }
        pairingCode = nil
        note(.pairingWindowClosed)
    }

    private func chosenCode() -> String? {
        guard let octets = try? entropy.octets(4, for: .pairing) else { return nil }
        let digits = String(octets.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } % 1_000_000)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }

    // MARK: Sending

    mutating func note(_ event: CarEvent) { outputs.append(.note(event)) }

    mutating func send(_ message: Message, id: UInt64, to link: CarLinkID) {
        var message = message
        if message.isSecured, !message.payload.isEmpty, tampers(.forged) {
            message.payload[message.payload.count - 1] ^= 1
            // The phone must not believe it, so it does not count as answered or sent.
            if case .note? = outputs.last { outputs.removeLast() }
        }
        let output = CarOutput.send(message.encoded(dialect, id: id), id: id, to: link)
        outputs.append(output)
        if let again = copy {
            outputs.append(again)
            copy = nil
        } else if message.isSecured, tampers(.again) {
            copy = output
        }
    }
}

/// An event at a car, for a log.
public enum CarEvent: Hashable, Sendable {
    /// A phone connected.
    case connected(DeviceAddress)
    /// A phone disconnected.
    case disconnected(DeviceAddress)
    /// The pairing window opened with this code, or got a new one.
    case pairingWindow(code: String)
    /// The pairing window closed.
    case pairingWindowClosed
    /// A key was activated.
    case activated(keyID: [UInt8], slot: UInt8)
    /// A session began.
    case session(keyID: [UInt8], authCounter: UInt64?)
    /// A session ended before its link.
    case sessionEnded(String)
    /// A request was answered.
    case answered(command: String, StatusName, isSecured: Bool)
    /// An event was sent.
    case sent(event: String)
    /// A message violated the protocol.
    case problem(String)
}

extension CarEvent: CustomStringConvertible {
    public var description: String {
        switch self {
        case .connected(let peer): "\(peer) connected"
        case .disconnected(let peer): "\(peer) disconnected"
        case .pairingWindow(let code): "pairing window open, code \(code)"
        case .pairingWindowClosed: "pairing window closed"
        case .activated(let keyID, let slot): "key \(Hex.text(keyID)) activated in slot \(slot)"
        case .session(let keyID, let counter):
            "session of key \(Hex.text(keyID))" + (counter.map { ", auth counter \($0)" } ?? "")
        case .sessionEnded(let why): "session ended: \(why)"
        case .answered(let command, let status, let isSecured):
            "\(command) answered with \(status.rawValue)\(isSecured ? ", secured" : "")"
        case .sent(let event): "\(event) sent"
        case .problem(let text): text
        }
    }
}
