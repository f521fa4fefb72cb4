import BluetoothCore

/// What became of the PDUs of the Attribute Protocol on one connection. Each that the log holds is counted
/// once: as compared, played, of the set-up, left out or missing.
public struct PDUAccount: Hashable, Sendable {
    /// Those that the log holds.
    public var recorded = 0
    /// The recorded host's that the host under test did, too, alone or as a part of a whole.
    public var compared = 0
    /// The recorded peer's that were sent to the host under test.
    public var played = 0
    /// Discovery and the exchange of the MTU, with the answers: a host may ask in its own order and is
    /// answered from the database, so they are not compared.
    public var setUp = 0
    /// Those that can't be played.
    public var leftOut = 0
    /// The frames of those that never occurred, in order.
    public var missing: [Int] = []
    /// Those behind a departure of the host: a model of the peer goes on there, and nothing is compared.
    public var behind = 0
    /// What the host under test sent of its own and was not compared, besides set-up.
    public var extra = 0
    /// Answers to the host that the log does not hold.
    public var madeUp = 0

    /// Those that say something of the host.
    public var judged: Int { compared + played }
}

extension PDUAccount {
    static func + (one: Self, other: Self) -> Self {
        PDUAccount(
            recorded: one.recorded + other.recorded, compared: one.compared + other.compared,
            played: one.played + other.played, setUp: one.setUp + other.setUp,
            leftOut: one.leftOut + other.leftOut, missing: one.missing + other.missing,
            behind: one.behind + other.behind, extra: one.extra + other.extra,
            madeUp: one.madeUp + other.madeUp)
    }
}

extension FakeLink {
    /// What became of the connection's PDUs so far.
    var account: PDUAccount {
        var account = PDUAccount(recorded: connection.attPDUs, extra: extraPDUs)
        var steps: [Int: HostStep] = [:]
        for step in script.steps {
            for place in step.pdus { steps[place] = step }
        }
        for (place, pdu) in connection.pdus.enumerated() where pdu.channel == .attribute {
            let wasPlayed = playedFrames.contains(pdu.frame)
            if pdu.isMadeUp {
                account.madeUp += wasPlayed ? 1 : 0
                continue
            }
            let asked = pdu.side == .host ? place : pdu.answers
            let isBehind = departure.map { pdu.frame >= $0.frame } ?? false
            guard let asked, connection.pdus[asked].side == .host else {
                account.note(pdu, as: wasPlayed ? \.played : nil, isBehind: isBehind)
                continue
            }
            guard let step = steps[asked] else {
                if isBehind { account.behind += 1 } else { account.setUp += 1 }
                continue
            }
            let wasSeen = isMatched.contains(step.index)
            if pdu.side == .host {
                account.note(pdu, as: wasSeen ? \.compared : nil, isBehind: isBehind)
            } else {
                // The parts of a long value may be others than the recorded ones.
                let isPlayed = wasPlayed || wasSeen && step.pdus.count > 1
                account.note(pdu, as: isPlayed ? \.played : nil, isBehind: isBehind)
            }
        }
        account.leftOut =
            account.recorded - account.judged - account.setUp - account.missing.count - account.behind
        return account
    }

    /// Compared steps whose value an application, or the log in its place, chose.
    var chosenValues: Int {
        script.steps.count { step in
            switch step.action {
            case .write, .request: isMatched.contains(step.index)
            case .serve: isMatched.contains(step.index) && !connection.isCentral
            default: false
            }
        }
    }
}

extension PDUAccount {
    /// - Parameter isBehind: whether it is behind a departure of the host.
    fileprivate mutating func note(
        _ pdu: RecordedPDU, as class: WritableKeyPath<Self, Int>?, isBehind: Bool
    ) {
        if let `class` {
            self[keyPath: `class`] += 1
        } else if isBehind {
            behind += 1
        } else {
            missing.append(pdu.frame)
        }
    }
}
