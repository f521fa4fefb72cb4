import Analysis
import BluetoothCore
import LEHost
import Runtime
import WireBytes

// The recorded host's commands to its controller.

extension SessionModelBuilder {
    mutating func addCommand(_ octets: RawSpan, at time: Instant, log: Int) {
        let parameters = octets.dropping(3)
        switch frame.opcode {
        case LESetScanEnable.opcode.rawValue, LESetExtendedScanEnable.opcode.rawValue:
            guard let enable = parameters.octet(at: 0) else { return }
            setScanning(enable == 1, at: time, log: log)
        case HCIReset.opcode.rawValue:
            setScanning(false, at: time, log: log)
            logs[log].attempt = nil
            logs[log].acceptList = []
            for number in logs[log].open.keys.sorted() { close(connection: number, log: log) }
        case LECreateConnection.opcode.rawValue:
            guard let command = try? LECreateConnection(decoding: parameters) else { return }
            let peer = command.initiatorFilterPolicy == 0 ? command.peerAddress : onlyAccepted(log: log)
            logs[log].attempt = AdapterLog.Attempt(frame: frame.number, time: time, peer: peer)
        case LEExtendedCreateConnection.opcode.rawValue:
            guard let command = try? LEExtendedCreateConnection(decoding: parameters) else { return }
            let peer = command.initiatorFilterPolicy == 0 ? command.peerAddress : onlyAccepted(log: log)
            logs[log].attempt = AdapterLog.Attempt(frame: frame.number, time: time, peer: peer)
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
            addEncryption(command, at: time, log: log)
        case LELongTermKeyRequestReply.opcode.rawValue:
            guard let command = try? LELongTermKeyRequestReply(decoding: parameters) else { return }
            addKey(command, at: time, log: log)
        case LEWriteSuggestedDefaultDataLength.opcode.rawValue:
            logs[log].controller.suggestsDataLength = true
        case LEClearFilterAcceptList.opcode.rawValue: logs[log].acceptList = []
        case LEAddDeviceToFilterAcceptList.opcode.rawValue:
            guard let command = try? LEAddDeviceToFilterAcceptList(decoding: parameters) else { return }
            let device = DeviceAddress(
                command.address.value, command.addressType & 1 == 0 ? .public : .random)
            guard !logs[log].acceptList.contains(device), logs[log].acceptList.count < 256 else { return }
            logs[log].acceptList.append(device)
        case LERemoveDeviceFromFilterAcceptList.opcode.rawValue:
            guard let command = try? LERemoveDeviceFromFilterAcceptList(decoding: parameters) else { return }
            logs[log].acceptList.removeAll { $0.value == command.address.value }
        default: addAdvertising(parameters, at: time, log: log)
        }
    }

    /// Returns the device of the filter accept list, if there is only one; else nil.
    private func onlyAccepted(log: Int) -> DeviceAddress? {
        logs[log].acceptList.count == 1 ? logs[log].acceptList.first : nil
    }

    /// LE Set Extended Advertising Enable (Vol 4, Part E, 7.8.56).
    private static var extendedAdvertisingEnable: UInt16 { 0x2039 }

    /// Stores the host's advertising settings. Only the enable command of extended advertising is used.
    private mutating func addAdvertising(_ parameters: RawSpan, at time: Instant, log: Int) {
        switch frame.opcode {
        case LESetAdvertisingParameters.opcode.rawValue:
            guard let command = try? LESetAdvertisingParameters(decoding: parameters) else { return }
            logs[log].own.advertising.intervalUnits = command.advertisingIntervalMax
        case LESetAdvertisingData.opcode.rawValue:
            guard let command = try? LESetAdvertisingData(decoding: parameters) else { return }
            logs[log].own.advertising.data = Array(
                command.advertisingData.prefix(Int(command.advertisingDataLength)))
        case LESetScanResponseData.opcode.rawValue:
            guard let command = try? LESetScanResponseData(decoding: parameters) else { return }
            logs[log].own.advertising.scanResponse = Array(
                command.scanResponseData.prefix(Int(command.scanResponseDataLength)))
        case LESetAdvertisingEnable.opcode.rawValue, Self.extendedAdvertisingEnable:
            let isOn = parameters.octet(at: 0) == 1
            logs[log].own.since = isOn ? time : nil
            if isOn, frame.opcode == Self.extendedAdvertisingEnable { logs[log].own.advertising.frame = 0 }
            return
        default: return
        }
        logs[log].own.advertising.frame = frame.number
    }

    /// The analyzer's number of the frame's link.
    var linkNumber: Int? {
        guard analyzer.links.indices.contains(frame.link) else { return nil }
        return analyzer.links[frame.link].number
    }

    /// Stores the first encryption. Later ones only replace the key of the link.
    private mutating func addEncryption(_ command: LEEnableEncryption, at time: Instant, log: Int) {
        guard let number = linkNumber, let place = logs[log].open[number]?.place,
            logs[log].connections[place].encryption == nil
        else { return }
        logs[log].connections[place].encryption = RecordedConnection.Encryption(
            frame: frame.number, time: time, key: LongTermKey(command))
    }

    /// Stores the key with which the host answered its central's key request.
    private mutating func addKey(_ command: LELongTermKeyRequestReply, at time: Instant, log: Int) {
        guard let number = linkNumber, let place = logs[log].open[number]?.place,
            logs[log].connections[place].encryption == nil,
            let asked = logs[log].connections[place].updates.last(where: {
                $0.subevent == LELongTermKeyRequest.subeventCode
            }), let request = try? LELongTermKeyRequest(whole: asked.parameters)
        else { return }
        logs[log].connections[place].encryption = RecordedConnection.Encryption(
            frame: frame.number, time: time,
            key: LongTermKey(command, ediv: request.encryptedDiversifier, rand: request.randomNumber))
    }

    /// Stores the result of an encryption, which can be played only if the log's host started it.
    mutating func encryptionChanged(_ status: HCIStatus, at time: Instant, log: Int) {
        guard let number = linkNumber, let place = logs[log].open[number]?.place else { return }
        let known = logs[log].connections[place].encryption
        if known == nil || known?.done != nil && (known?.status != .success || status != .success) {
            logs[log].connections[place].encryption = nil
            logs[log].obstacles.note(
                .encrypted, frame: frame.number, connection: logs[log].connections[place].number)
        } else if known?.done == nil {
            logs[log].connections[place].encryption?.done = time
            logs[log].connections[place].encryption?.status = status
        }
    }

    private mutating func setScanning(_ isOn: Bool, at time: Instant, log: Int) {
        let count = logs[log].advertising.windows.count
        if isOn {
            if count > 0, logs[log].advertising.windows[count - 1].end == nil { return }
            guard count < limits.reports else { return }
            logs[log].advertising.windows.append(.init(start: time, startIsKnown: true))
        } else if count > 0, logs[log].advertising.windows[count - 1].end == nil {
            logs[log].advertising.windows[count - 1].end = time
            logs[log].advertising.windows[count - 1].endFrame = frame.number
        }
    }
}
