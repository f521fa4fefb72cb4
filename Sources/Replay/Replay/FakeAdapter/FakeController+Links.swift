import BluetoothCore
import LEHost
import Runtime
import VirtualController
import WireBytes

// Commands about open links.

extension FakeController {
    mutating func performLink(
        _ opcode: HCIOpcode, _ parameters: [UInt8]
    ) throws(DecodeError) -> CommandAnswer? {
        if opcode == HCIReadRSSI.opcode { return rssi(of: try HCIReadRSSI(whole: parameters).handle) }
        guard let command = try LinkCommand(opcode, parameters) else { return nil }
        return command.answer(on: linkIndex(of: command.handle)) {
            perform(command, link: $0)
            return .success
        }
    }

    private mutating func perform(_ command: LinkCommand, link index: Int) {
        switch command.kind {
        case .disconnect(let reason): disconnect(reason, link: index)
        case .update(let command):
            updated(
                link: index, interval: command.connectionIntervalMin, latency: command.maxLatency,
                timeout: command.supervisionTimeout)
        case .acceptParameters(let reply):
            updated(
                link: index, interval: reply.intervalMin, latency: reply.maxLatency, timeout: reply.timeout)
        case .rejectParameters, .setLength: break
        case .readFeatures:
            sendEvent(LEReadRemoteFeaturesComplete(connectionHandle: command.handle), at: soon)
        case .readVersion:
            sendEvent(
                HCIReadRemoteVersionInformationComplete(connectionHandle: command.handle, version: 12),
                at: soon)
        case .encrypt(let command): encrypt(command, link: index)
        case .provideKey(let reply): keyGiven(reply, link: index)
        case .refuseKey: keyGiven(nil, link: index)
        }
    }

    /// Returns a made-up signal strength, since logs rarely contain one.
    private func rssi(of handle: UInt16) -> CommandAnswer {
        let isOpen = linkIndex(of: handle) != nil
        return .complete(
            HCIReadRSSI.ReturnParameters(
                status: isOpen ? .success : .unknownConnectionIdentifier, handle: handle, rssi: -60))
    }

    /// Time of an answer by the peer's Link Layer: two connection events of 30 ms from now.
    private var soon: Instant { now.advanced(by: .milliseconds(60)) }

    /// Returns the index of the open link with this handle.
    func linkIndex(of handle: UInt16) -> Int? {
        links.lastIndex { $0.handle == handle && !$0.isClosed }
    }

    /// Reports new connection parameters six connection events later (Vol 6, Part B, 5.1.1).
    private mutating func updated(link index: Int, interval: UInt16, latency: UInt16, timeout: UInt16) {
        let handle = links[index].handle
        let delay = Duration.microseconds(6 * 1250 * Int64(links[index].connection.intervalUnits))
        sendEvent(
            LEConnectionUpdateComplete(
                connectionHandle: handle, connectionInterval: interval, peripheralLatency: latency,
                supervisionTimeout: timeout), at: now.advanced(by: delay))
    }

    /// Starts encryption as in the log. The key of a bond can't be checked here. The key of a pairing must
    /// equal the peer's, or the link ends.
    private mutating func encrypt(_ command: LEEnableEncryption, link index: Int) {
        let link = links[index]
        var delay: Duration? = link.script.typicalLatency
        if let recorded = link.connection.encryption, !link.isLive {
            // There is no event if the link ended before the encryption changed.
            let isLast = link.connection.pdusBeforeEncryption == link.connection.pdus.count
            delay = recorded.done.map { max(.zero, recorded.time.duration(to: $0)) } ?? (isLast ? nil : delay)
        }
        if let pairing = link.pairing, pairing.peer.key != LongTermKey(command) {
            return schedule(.end(index, HCIStatus(rawValue: 0x3D)), at: soon)
        }
        if let delay { reportEncryption(of: index, after: delay) }
        guard !link.isLive, divergence == nil, stuck == nil else { return }
        if let step = link.first(in: .client, where: { $0.action == .encrypt }) {
            // A host with a bond may encrypt earlier than the recorded host, but not later.
            if link.firstRequired != step { normalizations.note(.encryption) }
            compared += 1
            links[index].consume(step: step, at: now)
            if let delay, !link.failsToEncrypt { insist(on: .connected, after: delay, link: index) }
            lastProgress = now
            advanceLink(link: index)
        } else {
            normalizations.note(.encryption)
        }
    }

    /// Reports the result of encryption to the host and to the peer's pairing.
    private mutating func reportEncryption(of index: Int, after delay: Duration) {
        let handle = links[index].handle
        let encryption = links[index].connection.encryption
        let status = links[index].isLive ? .success : encryption?.status ?? .success
        links[index].encryptedAt = now.advanced(by: delay)
        // The application only learns that connecting failed.
        if status != .success { links[index].expectedCallbacks.removeAll { $0.event == .connected } }
        sendEvent(
            HCIEncryptionChange(
                status: status, connectionHandle: handle, encryptionEnabled: status == .success ? 1 : 0),
            at: now.advanced(by: delay))
        if links[index].pairing != nil { schedule(.encrypted(index), at: now.advanced(by: delay)) }
    }

    /// Encrypts a link with the key of the peripheral host.
    private mutating func keyGiven(_ reply: LELongTermKeyRequestReply?, link index: Int) {
        guard divergence == nil, stuck == nil else { return }
        let link = links[index]
        // Without a bond, or before pairing, the recorded host had no key for its central.
        let hostHadNoKey = link.connection.encryption == nil || link.connection.pairing != nil
        if reply == nil, hostHadNoKey, link.pairing?.peer.key == nil { return }
        let step = link.first(in: .client) { $0.action == .encrypt }
        // The key of a pairing is made during the replay; the live peer has it.
        let recorded = link.connection.encryption
        guard let recorded, let reply, let step, let key = link.pairing.map(\.peer.key) ?? recorded.key,
            LongTermKey(reply, ediv: key.ediv, rand: key.rand) == key
        else {
            return diverge(
                .different, nil, .attribute, link: index, due: step.map { link.script.steps[$0] },
                other: reply == nil
                    ? "HCI LE Long Term Key Request Negative Reply"
                    : recorded == nil
                        ? "a key, though the recorded host had none" : "the command with another key")
        }
        let delay = recorded.done.map { max(.zero, recorded.time.duration(to: $0)) } ?? now.duration(to: soon)
        reportEncryption(of: index, after: delay)
        compared += 1
        links[index].consume(step: step, at: now)
        lastProgress = now
        advanceLink(link: index)
    }

    private mutating func disconnect(_ reason: HCIStatus, link index: Int) {
        links[index].isEndedByHost = true
        let connection = links[index].connection
        var delay = Duration.milliseconds(60)
        if let end = connection.end, let request = end.request {
            delay = max(.microseconds(1), request.time.duration(to: end.time))
        }
        if divergence == nil, stuck == nil {
            matchDisconnection(reason, link: index)
            lastProgress = now
        }
        schedule(
            .end(
                index,
                connection.end?.request == nil
                    ? .connectionTerminatedByLocalHost
                    : connection.end?.reason ?? .connectionTerminatedByLocalHost),
            at: now.advanced(by: delay))
    }
}
