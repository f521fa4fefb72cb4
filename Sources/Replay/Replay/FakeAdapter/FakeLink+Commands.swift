import BluetoothCore
import LEHost
import Runtime
import VirtualController
import WireBytes

// Commands of the host about the link.

extension FakeLink {
    mutating func perform(_ command: LinkCommand, _ air: inout RecordedAir) {
        let soon = air.now.advanced(by: Self.answerDelay)
        switch command.kind {
        case .disconnect(let reason): disconnect(reason, &air)
        case .update(let command):
            updated(
                interval: command.connectionIntervalMin, latency: command.maxLatency,
                timeout: command.supervisionTimeout, &air)
        case .acceptParameters(let reply):
            updated(
                interval: reply.intervalMin, latency: reply.maxLatency, timeout: reply.timeout, &air)
        case .rejectParameters, .setLength: break
        case .readFeatures:
            air.sendEvent(LEReadRemoteFeaturesComplete(connectionHandle: command.handle), at: soon)
        case .readVersion:
            air.sendEvent(
                HCIReadRemoteVersionInformationComplete(connectionHandle: command.handle, version: 12),
                at: soon)
        case .encrypt(let command): encrypt(command, &air)
        case .provideKey(let reply): keyGiven(reply, &air)
        case .refuseKey: keyGiven(nil, &air)
        }
    }

    /// Delay of an answer by the peer's Link Layer: two connection events of 30 ms.
    private static let answerDelay = Duration.milliseconds(60)

    /// Reports new connection parameters six connection events later (Vol 6, Part B, 5.1.1).
    private func updated(
        interval: UInt16, latency: UInt16, timeout: UInt16, _ air: inout RecordedAir
    ) {
        let delay = Duration.microseconds(6 * 1250 * Int64(connection.intervalUnits))
        air.sendEvent(
            LEConnectionUpdateComplete(
                connectionHandle: handle, connectionInterval: interval, peripheralLatency: latency,
                supervisionTimeout: timeout), at: air.now.advanced(by: delay))
    }

    /// Starts encryption as in the log. The key of a bond can't be checked here. The key of a pairing must
    /// equal the peer's, or the link ends.
    private mutating func encrypt(_ command: LEEnableEncryption, _ air: inout RecordedAir) {
        var delay: Duration? = script.typicalLatency
        if let recorded = connection.encryption, !isLive {
            // There is no event if the link ended before the encryption changed.
            let isLast = connection.pdusBeforeEncryption == connection.pdus.count
            delay = recorded.done.map { max(.zero, recorded.time.duration(to: $0)) } ?? (isLast ? nil : delay)
        }
        if let pairing, pairing.peer.key != LongTermKey(command) {
            let end = air.now.advanced(by: Self.answerDelay)
            return air.schedule(.link(index, .end(.connectionTerminatedDueToMICFailure)), at: end)
        }
        if let delay { reportEncryption(after: delay, &air) }
        guard !isLive, !air.judge.hasVerdict else { return }
        if let step = first(in: .client, where: { $0.action == .encrypt }) {
            // A host with a bond may encrypt earlier than the recorded host, but not later.
            if firstRequired != step { air.judge.note(.encryption) }
            finish(step: step, &air)
            if let delay, !failsToEncrypt { insist(on: .connected, after: delay, &air) }
            air.judge.lastProgress = air.now
            advance(&air)
        } else {
            air.judge.note(.encryption)
        }
    }

    /// Reports the result of encryption to the host and to the peer's pairing.
    private mutating func reportEncryption(after delay: Duration, _ air: inout RecordedAir) {
        let encryption = connection.encryption
        let status = isLive ? .success : encryption?.status ?? .success
        encryptedAt = air.now.advanced(by: delay)
        // The application only learns that connecting failed.
        if status != .success { expectedCallbacks.removeAll { $0.event == .connected } }
        air.sendEvent(
            HCIEncryptionChange(
                status: status, connectionHandle: handle, encryptionEnabled: status == .success ? 1 : 0),
            at: air.now.advanced(by: delay))
        if pairing != nil { air.schedule(.link(index, .encrypted), at: air.now.advanced(by: delay)) }
    }

    /// Encrypts a link with the key of the peripheral host.
    private mutating func keyGiven(_ reply: LELongTermKeyRequestReply?, _ air: inout RecordedAir) {
        guard !air.judge.hasVerdict else { return }
        // Without a bond, or before pairing, the recorded host had no key for its central.
        let hostHadNoKey = connection.encryption == nil || connection.pairing != nil
        if reply == nil, hostHadNoKey, pairing?.peer.key == nil { return }
        let step = first(in: .client) { $0.action == .encrypt }
        // The key of a pairing is made during the replay; the live peer has it.
        let recorded = connection.encryption
        guard let recorded, let reply, let step, let key = pairing.map(\.peer.key) ?? recorded.key,
            LongTermKey(reply, ediv: key.ediv, rand: key.rand) == key
        else {
            return diverge(
                .different, nil, .attribute, &air, due: step.map { script.steps[$0] },
                other: reply == nil
                    ? "HCI LE Long Term Key Request Negative Reply"
                    : recorded == nil
                        ? "a key, though the recorded host had none" : "the command with another key")
        }
        let delay = recorded.done.map { max(.zero, recorded.time.duration(to: $0)) } ?? Self.answerDelay
        reportEncryption(after: delay, &air)
        finish(step: step, &air)
        air.judge.lastProgress = air.now
        advance(&air)
    }

    private mutating func disconnect(_ reason: HCIStatus, _ air: inout RecordedAir) {
        endIsAskedFor = true
        var delay = Self.answerDelay
        if let end = connection.end, let request = end.request {
            delay = max(.microseconds(1), request.time.duration(to: end.time))
        }
        if !air.judge.hasVerdict {
            matchDisconnection(reason, &air)
            air.judge.lastProgress = air.now
        }
        let recorded = connection.end.flatMap { $0.request == nil ? nil : $0.reason }
        air.schedule(
            .link(index, .end(recorded ?? .connectionTerminatedByLocalHost)), at: air.now.advanced(by: delay))
    }
}
