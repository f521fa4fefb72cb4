import BluetoothCore
import CommandLineKit
import CoreBluetooth
import Foundation
import LEHost
import Synchronization

/// Passes pairing questions to a person, and the answers back.
final class PairingDesk: Sendable {
    private struct State: Sendable {
        var show: (@Sendable (_ line: String, _ waits: Bool) -> Void)?
        /// Lines logged before ``onQuestion(_:)``.
        var pending: [String] = []
        var answer: (@Sendable (PairingAnswer) -> Void)?
        /// The passkey shown to the person, and a function that waits for it.
        var shown: UInt32?
        var onShown: (@Sendable (UInt32) -> Void)?
    }

    private let state = Mutex(State())
    /// The answer to questions for a passkey, if it was given beforehand.
    private let passkey: UInt32?

    init() { passkey = nil }

    /// A desk that answers with the passkey of `--passkey`.
    init(_ arguments: ParsedArguments) throws(Failure) {
        guard let text = arguments.value(.passkey) else {
            passkey = nil
            return
        }
        guard let number = Self.passkey(text) else {
            throw Failure(.usage, "--passkey: '\(text)' is not six digits")
        }
        passkey = number
    }

    /// Parses a passkey as devices show it: exactly six digits; nil for another text.
    static func passkey(_ text: String) -> UInt32? {
        text.utf8.count == 6 && text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? UInt32(text) : nil
    }

    /// Whether a question waits for its answer.
    var isAsking: Bool { state.withLock { $0.answer != nil } }

    /// Calls a function with the passkey shown to the person, now or once there is one.
    func whenShown(_ body: @escaping @Sendable (UInt32) -> Void) {
        let shown = state.withLock { state in
            if state.shown == nil { state.onShown = body }
            return state.shown
        }
        if let shown { body(shown) }
    }

    /// Configures an adapter to pair by the policy, and to ask here.
    func join(_ configuration: inout BluetoothAdapter.Configuration, _ policy: SecurityPolicy) {
        configuration.host.security = policy
        configuration.pairingAgent = { [self] question, _, answer in ask(question, answer) }
        configuration.log = { [self] in say($0) }
    }

    /// Sets the function that shows questions and other lines to the person.
    func onQuestion(_ show: @escaping @Sendable (_ line: String, _ waits: Bool) -> Void) {
        let pending = state.withLock { state in
            state.show = show
            defer { state.pending = [] }
            return state.pending
        }
        for line in pending { show(line, false) }
    }

    /// Shows a line that needs no answer.
    func say(_ line: String) {
        let show = state.withLock { state in
            if state.show == nil { state.pending.append(line) }
            return state.show
        }
        show?(line, false)
    }

    /// Shows a question of the host, and keeps its answer function if it needs an answer.
    func ask(_ question: PairingQuestion, _ answer: @escaping @Sendable (PairingAnswer) -> Void) {
        let (line, waits) =
            switch question {
            case .display(let number): ("enter \(Self.shown(number)) on the device", false)
            case .enter where passkey != nil: ("the device shows a passkey: answered with --passkey", false)
            case .enter: ("the device shows a passkey: answer=PASSKEY", true)
            case .compare(let number):
                ("does the device show \(Self.shown(number))? answer=yes or answer=no", true)
            case .replaceBond:
                (
                    "the device is bonded, but has not used its key: may this pairing take the bond's place? "
                        + "answer=yes or answer=no", true
                )
            case .consent: ("pair with the device? answer=yes or answer=no", true)
            }
        let show = state.withLock { state in
            if waits { state.answer = answer }
            return state.show
        }
        show?(line, waits)
        if case .display(let number) = question {
            let onShown = state.withLock { state in
                state.shown = number
                return state.onShown.take()
            }
            onShown?(number)
        }
        if case .enter = question, let passkey { answer(.passkey(passkey)) }
    }

    /// Answers the waiting question; returns false if absent.
    func answer(_ answer: PairingAnswer) -> Bool {
        let waiting = state.withLock { state in
            defer { state.answer = nil }
            return state.answer
        }
        waiting?(answer)
        return waiting != nil
    }

    static func shown(_ number: UInt32) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }
}

extension SecurityPolicy {
    /// This policy, with what `--secure-connections` and `--allow-legacy` say.
    func asked(by arguments: ParsedArguments) throws(Failure) -> SecurityPolicy {
        var policy = self
        policy.needsSecureConnections = arguments.value(.secureConnections) == "only"
        policy.acceptsLegacyPairing = arguments.has(.allowLegacy)
        guard !policy.needsSecureConnections || !policy.acceptsLegacyPairing else {
            throw Failure(.usage, "--allow-legacy and --secure-connections only exclude each other")
        }
        return policy
    }
}

extension PairingFailure {
    /// The reason in words.
    var text: String {
        switch self {
        case .refused(let reason): "the device refused: \(reason.text)"
        case .ended(let reason): reason.text
        case .timedOut: "the device said nothing for 30 s"
        case .disconnected: "the link ended"
        case .encryption(let status): "the link could not be encrypted: \(status)"
        }
    }
}

extension PairingReason {
    fileprivate var text: String {
        ValueSet.smpFailureReason.name(UInt64(rawValue)).map { "\($0)" } ?? "reason \(rawValue)"
    }
}
