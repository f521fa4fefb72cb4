/// How far a car is connected.
public enum UQDKBleStatus: Hashable, Sendable {
    /// Nothing is wanted of the car.
    case disconnected
    /// It is looked for, or the radio's power is waited for.
    case scanning
    /// It was found, and the link is being made.
    case connecting
    /// Its service and characteristics are discovered, and the Info value is read.
    case discovering
    /// Notifications are being switched on.
    case subscribing
    /// The phone and the car prove themselves.
    case authenticating
    /// It takes commands; whether a session stands is another question.
    case ready
    /// The link is being ended.
    case disconnecting
    /// It is not connected, and why.
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

    /// Every legal transition: what may follow, by what is.
    ///
    /// | from | to | when |
    /// |---|---|---|
    /// | disconnected | scanning | a connect begins, with or without power |
    /// | scanning | connecting | the car was heard |
    /// | scanning | disconnected | cancelled |
    /// | scanning | failed | not heard in time, another program has the car, or the radio can't be used |
    /// | connecting | discovering | the link is made |
    /// | connecting | disconnecting | cancelled, or not made in time |
    /// | connecting | failed | not made, or the power went |
    /// | discovering | subscribing | all that is needed is there |
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
    /// | disconnecting | disconnected | the link has ended, as asked |
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
    /// Invalid transitions that were asked for; bounded, for tests.
    private(set) var refused: [(from: UQDKBleStatus.Kind, to: UQDKBleStatus.Kind)] = []

    /// Goes on to a status.
    ///
    /// - Returns: false where the table has no such transition; nothing has changed then.
    mutating func go(to next: UQDKBleStatus) -> Bool {
        guard UQDKBleStatus.transitions[current.kind]?.contains(next.kind) == true else {
            if refused.count < 16 { refused.append((current.kind, next.kind)) }
            return false
        }
        current = next
        return true
    }
}
