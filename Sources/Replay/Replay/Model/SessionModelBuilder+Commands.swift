import Analysis
import BluetoothCore
import LEHost
import Runtime
import WireBytes

// What the recorded host asked of its controller.

extension SessionModelBuilder {
    mutating func addCommand(_ octets: RawSpan, at time: Instant, _ log: Int) {
        let parameters = octets.dropping(3)
        switch frame.opcode {
        case LESetScanEnable.opcode.rawValue, LESetExtendedScanEnable.opcode.rawValue:
            guard let enable = parameters.octet(at: 0) else { return }
            setScanning(enable == 1, at: time, log)
        case HCIReset.opcode.rawValue:
            setScanning(false, at: time, log)
            logs[log].attempt = nil
            for number in logs[log].open.keys.sorted() { close(number, log) }
        case LECreateConnection.opcode.rawValue:
            guard let command = try? LECreateConnection(decoding: parameters) else { return }
            let peer = command.initiatorFilterPolicy == 0 ? command.peerAddress : nil
            logs[log].attempt = AdapterLog.Attempt(time: time, peer: peer)
        case LEExtendedCreateConnection.opcode.rawValue:
            guard let command = try? LEExtendedCreateConnection(decoding: parameters) else { return }
            let peer = command.initiatorFilterPolicy == 0 ? command.peerAddress : nil
            logs[log].attempt = AdapterLog.Attempt(time: time, peer: peer)
        case HCIDisconnect.opcode.rawValue:
            guard let command = try? HCIDisconnect(decoding: parameters), let number = linkNumber else {
                return
            }
            let request = RecordedConnection.Request(
                frame: frame.number, time: time, reason: command.reason)
            logs[log].open[number]?.disconnect = request
        case LEConnectionUpdate.opcode.rawValue, LERemoteConnectionParameterRequestReply.opcode.rawValue:
            guard let number = linkNumber else { return }
            logs[log].open[number]?.isUpdating = true
        case LEEnableEncryption.opcode.rawValue:
            guard let command = try? LEEnableEncryption(decoding: parameters) else { return }
            addEncryption(command, at: time, log)
        default: break
        }
    }

    /// The analyser's number of the link that the frame belongs to.
    var linkNumber: Int? {
        guard analyzer.links.indices.contains(frame.link) else { return nil }
        return analyzer.links[frame.link].number
    }

    /// The first time counts: later ones only change the key of a link.
    private mutating func addEncryption(_ command: LEEnableEncryption, at time: Instant, _ log: Int) {
        guard let number = linkNumber, let place = logs[log].open[number]?.place,
            logs[log].connections[place].encryption == nil
        else { return }
        logs[log].connections[place].encryption = RecordedConnection.Encryption(
            frame: frame.number, time: time, key: LongTermKey(command))
    }

    /// Takes the end of an attempt to encrypt a link; only one that the host of the log began, and that came
    /// about, can be played.
    mutating func encryptionChanged(_ status: HCIStatus, at time: Instant, _ log: Int) {
        guard let number = linkNumber, let place = logs[log].open[number]?.place else { return }
        if logs[log].connections[place].encryption == nil || status != .success {
            logs[log].connections[place].encryption = nil
            logs[log].obstacles.note(
                .encrypted, frame: frame.number, connection: logs[log].connections[place].number)
        } else if logs[log].connections[place].encryption?.done == nil {
            logs[log].connections[place].encryption?.done = time
        }
    }

    private mutating func setScanning(_ isOn: Bool, at time: Instant, _ log: Int) {
        let count = logs[log].advertising.windows.count
        if isOn {
            if count > 0, logs[log].advertising.windows[count - 1].end == nil { return }
            guard count < limits.reports else { return }
            logs[log].advertising.windows.append(.init(start: time, startIsKnown: true))
        } else if count > 0, logs[log].advertising.windows[count - 1].end == nil {
            logs[log].advertising.windows[count - 1].end = time
        }
    }
}
