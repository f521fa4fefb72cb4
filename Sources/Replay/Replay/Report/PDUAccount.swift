import BluetoothCore

/// The result of the Attribute Protocol PDUs of one connection.
///
/// Each PDU of the log counts once: as compared, played, set-up, left out, missing, or after a deviation.
public struct PDUAccount: Hashable, Sendable {
    /// PDUs in the log.
    public var recorded = 0
    /// PDUs of the recorded host that the tested host sent too, alone or in a step of several PDUs.
    public var compared = 0
    /// PDUs of the recorded peer that were sent to the tested host.
    public var played = 0
    /// PDUs of discovery and the MTU exchange. They are not compared, since a host may ask in any order and
    /// is answered from the database.
    public var setUp = 0
    /// PDUs that can't be played.
    public var leftOut = 0
    /// The frames of PDUs that never occurred, in order.
    public var missing: [Int] = []
    /// PDUs after a permitted deviation of the host: a model of the peer continues there, and nothing is
    /// compared.
    public var behind = 0
    /// PDUs of the tested host that were not compared, besides set-up.
    public var extra = 0
    /// Responses to the host that were made up.
    public var madeUp = 0

    /// The number of PDUs in which a deviation of the host would have shown.
    public var judged: Int { compared + played }

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
    /// The result of the connection's PDUs so far.
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
            let wasSeen = matched.contains(step.index)
            if pdu.side == .host {
                account.note(pdu, as: wasSeen ? \.compared : nil, isBehind: isBehind)
            } else {
                // The parts of a long value may be other than the recorded ones.
                let isPlayed = wasPlayed || wasSeen && step.pdus.count > 1
                account.note(pdu, as: isPlayed ? \.played : nil, isBehind: isBehind)
            }
        }
        account.leftOut =
            account.recorded - account.judged - account.setUp - account.missing.count - account.behind
        return account
    }

    /// The number of compared steps with a value that the application chose, or that the log provided in its
    /// place.
    var chosenValues: Int {
        script.steps.count { step in
            switch step.action {
            case .write, .request: matched.contains(step.index)
            case .serve: matched.contains(step.index) && !connection.isCentral
            default: false
            }
        }
    }
}

extension PDUAccount {
    /// Counts a PDU of the log.
    ///
    /// - Parameters:
    ///   - class: the count that it belongs to; nil if it never occurred.
    ///   - isBehind: whether it comes after a permitted deviation of the host.
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
