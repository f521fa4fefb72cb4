/// Connection status of a car.
public enum UQDKBleStatus: Hashable, Sendable {
    /// Not connected, and no connect requested.
    case disconnected
    /// Scanning for the car, or waiting for the radio's power.
    case scanning
    /// The car was found, and the link is being established.
    case connecting
    /// Discovering its service and characteristics, and reading the Info value.
    case discovering
    /// Turning notifications on.
    case subscribing
    /// Authenticating phone and car to each other.
    case authenticating
    /// Ready for commands, with or without a session.
    case ready
    /// Ending the link.
    case disconnecting
    /// Not connected, because of this failure.
    case failed(UQDKBleError)

    /// A status without its reason.
    public enum Kind: CaseIterable, Hashable, Sendable {
        case disconnected, scanning, connecting, discovering, subscribing, authenticating, ready
        case disconnecting, failed
    }

    /// The status without its reason.
    public var kind: Kind {
        switch self {
        case .disconnected: .disconnected
        case .scanning: .scanning
        case .connecting: .connecting
        case .discovering: .discovering
        case .subscribing: .subscribing
        case .authenticating: .authenticating
        case .ready: .ready
        case .disconnecting: .disconnecting
        case .failed: .failed
        }
    }

    /// Every legal transition: the possible next statuses of each status.
    ///
    /// | from | to | when |
    /// |---|---|---|
    /// | disconnected | scanning | a connect begins, with or without power |
    /// | scanning | connecting | the car was found |
    /// | scanning | disconnected | cancelled |
    /// | scanning | failed | not found in time, another program has the car, or the radio can't be used |
    /// | connecting | discovering | the link is established |
    /// | connecting | disconnecting | cancelled, or not established in time |
    /// | connecting | failed | not established, or the power was lost |
    /// | discovering | subscribing | everything needed was found |
    /// | discovering | disconnecting | cancelled, not in time, or something is missing |
    /// | discovering | failed | the link or the power was lost |
    /// | subscribing | ready | the car notifies |
    /// | subscribing | disconnecting | cancelled, not in time, or refused |
    /// | subscribing | failed | the link or the power was lost |
    /// | ready | authenticating | an authentication begins |
    /// | ready | disconnecting | disconnected by us, or the car's services changed |
    /// | ready | failed | the link or the power was lost |
    /// | authenticating | ready | it ended, with a session or without |
    /// | authenticating | disconnecting | as from ready |
    /// | authenticating | failed | as from ready |
    /// | disconnecting | disconnected | the link has ended, as requested |
    /// | disconnecting | failed | the link has ended, because of a failure |
    /// | failed | scanning | a connect begins |
    /// | failed | disconnected | a disconnect acknowledges it |
    public static let transitions: [Kind: Set<Kind>] = [
        .disconnected: [.scanning],
        .scanning: [.connecting, .disconnected, .failed],
        .connecting: [.discovering, .disconnecting, .failed],
        .discovering: [.subscribing, .disconnecting, .failed],
        .subscribing: [.ready, .disconnecting, .failed],
        .ready: [.authenticating, .disconnecting, .failed],
        .authenticating: [.ready, .disconnecting, .failed],
        .disconnecting: [.disconnected, .failed],
        .failed: [.scanning, .disconnected],
    ]
}

/// A status that changes only as the table allows.
struct UQDKBleStatusMachine: Sendable {
    private(set) var current = UQDKBleStatus.disconnected
    /// Invalid transitions that were requested; bounded, for tests.
    private(set) var refused: [(from: UQDKBleStatus.Kind, to: UQDKBleStatus.Kind)] = []

    /// Changes to a status.
    ///
    /// - Returns: false, without a change, if the table has no such transition.
    mutating func go(to next: UQDKBleStatus) -> Bool {
        guard UQDKBleStatus.transitions[current.kind]?.contains(next.kind) == true else {
            if refused.count < 16 { refused.append((current.kind, next.kind)) }
            return false
        }
        current = next
        return true
    }
}

extension UQDKBleStatus: CustomStringConvertible {
    public var description: String {
        if case .failed(let error) = self { "failed: \(error)" } else { "\(kind)" }
    }
}
