import BluetoothCore
import CoreBluetooth
import Foundation
import LEHost
import Synchronization

/// Where the question of a pairing waits for a person's answer.
final class PairingDesk: Sendable {
    private struct State: Sendable {
        var show: (@Sendable (_ line: String, _ waits: Bool) -> Void)?
        /// Lines logged before ``onQuestion(_:)``.
        var pending: [String] = []
        var answer: (@Sendable (PairingAnswer) -> Void)?
    }

    private let state = Mutex(State())

    /// Lets an adapter pair, and ask here.
    func join(_ configuration: inout BluetoothAdapter.Configuration, _ policy: SecurityPolicy) {
        configuration.host.security = policy
        configuration.pairingAgent = { [self] question, _, answer in ask(question, answer) }
        configuration.log = { [self] in say($0) }
    }

    /// Sets who shows a question, or another line, to the person.
    func onQuestion(_ show: @escaping @Sendable (_ line: String, _ waits: Bool) -> Void) {
        let pending = state.withLock { state in
            state.show = show
            defer { state.pending = [] }
            return state.pending
        }
        for line in pending { show(line, false) }
    }

    /// Shows a line that nobody is to answer.
    func say(_ line: String) {
        let show = state.withLock { state in
            if state.show == nil { state.pending.append(line) }
            return state.show
        }
        show?(line, false)
    }

    /// Takes a question of the host.
    func ask(_ question: PairingQuestion, _ answer: @escaping @Sendable (PairingAnswer) -> Void) {
        let (line, waits) =
            switch question {
            case .display(let number): ("enter \(Self.shown(number)) on the device", false)
            case .enter: ("the device shows a passkey: answer=PASSKEY", true)
            case .compare(let number):
                ("does the device show \(Self.shown(number))? answer=yes or answer=no", true)
            case .consent: ("pair with the device? answer=yes or answer=no", true)
            }
        let show = state.withLock { state in
            if waits { state.answer = answer }
            return state.show
        }
        show?(line, waits)
    }

    /// Answers the question that waits; false where none does.
    func answer(_ answer: PairingAnswer) -> Bool {
        let waiting = state.withLock { state in
            defer { state.answer = nil }
            return state.answer
        }
        waiting?(answer)
        return waiting != nil
    }

    private static func shown(_ number: UInt32) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }
}

extension PairingFailure {
    /// Why, in words.
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
