import Analysis
import BluetoothCore
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
            noteSecurity(.encrypted, log)
        default: break
        }
    }

    /// The analyser's number of the link that the frame belongs to.
    var linkNumber: Int? {
        guard analyzer.links.indices.contains(frame.link) else { return nil }
        return analyzer.links[frame.link].number
    }

    /// Notes that a connection was made secure.
    mutating func noteSecurity(_ kind: Obstacle.Kind, _ log: Int) {
        guard let number = linkNumber, let open = logs[log].open[number] else { return }
        let connection = logs[log].connections[open.place].number
        logs[log].obstacles.note(kind, frame: frame.number, connection: connection)
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
