import Analysis
import BluetoothCore
import LEHost
import Runtime
import WireBytes

// The recorded host's commands to its controller.

extension AdapterLog {
    mutating func addCommand(_ octets: RawSpan, _ analyzer: borrowing Analyzer) {
        let parameters = octets.dropping(3)
        switch analyzer.frame.opcode {
        case LESetScanEnable.opcode.rawValue, LESetExtendedScanEnable.opcode.rawValue:
            guard let enable = parameters.octet(at: 0) else { return }
            setScanning(enable == 1, analyzer)
        case HCIReset.opcode.rawValue:
            setScanning(false, analyzer)
            attempt = nil
            acceptList = []
            for number in open.keys.sorted() { close(connection: number, analyzer) }
        case LECreateConnection.opcode.rawValue:
            guard let command = try? LECreateConnection(decoding: parameters) else { return }
            let peer = command.initiatorFilterPolicy == 0 ? command.peerAddress : onlyAccepted
            attempt = AdapterLog.Attempt(frame: analyzer.frame.number, time: last, peer: peer)
        case LEExtendedCreateConnection.opcode.rawValue:
            guard let command = try? LEExtendedCreateConnection(decoding: parameters) else { return }
            let peer = command.initiatorFilterPolicy == 0 ? command.peerAddress : onlyAccepted
            attempt = AdapterLog.Attempt(frame: analyzer.frame.number, time: last, peer: peer)
        case HCIDisconnect.opcode.rawValue:
            guard let command = try? HCIDisconnect(decoding: parameters), let number = analyzer.linkNumber
            else { return }
            let request = RecordedConnection.Request(
                frame: analyzer.frame.number, time: last, reason: command.reason)
            open[number]?.disconnect = request
        case LEConnectionUpdate.opcode.rawValue, LERemoteConnectionParameterRequestReply.opcode.rawValue:
            guard let number = analyzer.linkNumber else { return }
            open[number]?.isUpdating = true
        case LEEnableEncryption.opcode.rawValue:
            guard let command = try? LEEnableEncryption(decoding: parameters) else { return }
            addEncryption(command, analyzer)
        case LELongTermKeyRequestReply.opcode.rawValue:
            guard let command = try? LELongTermKeyRequestReply(decoding: parameters) else { return }
            addKey(command, analyzer)
        case LEWriteSuggestedDefaultDataLength.opcode.rawValue: controller.suggestsDataLength = true
        case LEClearFilterAcceptList.opcode.rawValue: acceptList = []
        case LEAddDeviceToFilterAcceptList.opcode.rawValue:
            guard let command = try? LEAddDeviceToFilterAcceptList(decoding: parameters) else { return }
            let device = DeviceAddress(
                command.address.value, command.addressType & 1 == 0 ? .public : .random)
            guard !acceptList.contains(device), acceptList.count < 256 else { return }
            acceptList.append(device)
        case LERemoveDeviceFromFilterAcceptList.opcode.rawValue:
            guard let command = try? LERemoveDeviceFromFilterAcceptList(decoding: parameters) else { return }
            acceptList.removeAll { $0.value == command.address.value }
        default: addAdvertising(parameters, analyzer)
        }
    }

    /// Returns the device of the filter accept list, if there is only one; else nil.
    private var onlyAccepted: DeviceAddress? { acceptList.count == 1 ? acceptList.first : nil }

    /// LE Set Extended Advertising Enable (Vol 4, Part E, 7.8.56).
    private static var extendedAdvertisingEnable: UInt16 { 0x2039 }

    /// Stores the host's advertising settings. Only the enable command of extended advertising is used.
    private mutating func addAdvertising(_ parameters: RawSpan, _ analyzer: borrowing Analyzer) {
        switch analyzer.frame.opcode {
        case LESetAdvertisingParameters.opcode.rawValue:
            guard let command = try? LESetAdvertisingParameters(decoding: parameters) else { return }
            own.advertising.intervalUnits = command.advertisingIntervalMax
        case LESetAdvertisingData.opcode.rawValue:
            guard let command = try? LESetAdvertisingData(decoding: parameters) else { return }
            own.advertising.data = Array(command.advertisingData.prefix(Int(command.advertisingDataLength)))
        case LESetScanResponseData.opcode.rawValue:
            guard let command = try? LESetScanResponseData(decoding: parameters) else { return }
            own.advertising.scanResponse = Array(
                command.scanResponseData.prefix(Int(command.scanResponseDataLength)))
        case LESetAdvertisingEnable.opcode.rawValue, Self.extendedAdvertisingEnable:
            let isOn = parameters.octet(at: 0) == 1
            own.since = isOn ? last : nil
            if isOn, analyzer.frame.opcode == Self.extendedAdvertisingEnable { own.advertising.frame = 0 }
            return
        default: return
        }
        own.advertising.frame = analyzer.frame.number
    }

    /// Stores the first encryption. Later ones only replace the key of the link.
    private mutating func addEncryption(_ command: LEEnableEncryption, _ analyzer: borrowing Analyzer) {
        guard let number = analyzer.linkNumber, let place = open[number]?.place,
            connections[place].encryption == nil
        else { return }
        connections[place].encryption = RecordedConnection.Encryption(
            frame: analyzer.frame.number, time: last, key: LongTermKey(command))
    }

    /// Stores the key with which the host answered its central's key request.
    private mutating func addKey(_ command: LELongTermKeyRequestReply, _ analyzer: borrowing Analyzer) {
        guard let number = analyzer.linkNumber, let place = open[number]?.place,
            connections[place].encryption == nil,
            let asked = connections[place].updates.last(where: {
                $0.subevent == LELongTermKeyRequest.subeventCode
            }), let request = try? LELongTermKeyRequest(whole: asked.parameters)
        else { return }
        connections[place].encryption = RecordedConnection.Encryption(
            frame: analyzer.frame.number, time: last,
            key: LongTermKey(command, ediv: request.encryptedDiversifier, rand: request.randomNumber))
    }

    /// Stores the result of an encryption, which can be played only if the log's host started it.
    mutating func encryptionChanged(_ status: HCIStatus, _ analyzer: borrowing Analyzer) {
        guard let number = analyzer.linkNumber, let place = open[number]?.place else { return }
        let known = connections[place].encryption
        if known == nil || known?.done != nil && (known?.status != .success || status != .success) {
            connections[place].encryption = nil
            obstacles.note(.encrypted, frame: analyzer.frame.number, connection: connections[place].number)
        } else if known?.done == nil {
            connections[place].encryption?.done = last
            connections[place].encryption?.status = status
        }
    }

    private mutating func setScanning(_ isOn: Bool, _ analyzer: borrowing Analyzer) {
        let count = advertising.windows.count
        if isOn {
            if count > 0, advertising.windows[count - 1].end == nil { return }
            guard count < room.limits.reports else { return }
            advertising.windows.append(.init(start: last, startIsKnown: true))
        } else if count > 0, advertising.windows[count - 1].end == nil {
            advertising.windows[count - 1].end = last
            advertising.windows[count - 1].endFrame = analyzer.frame.number
        }
    }
}

extension Analyzer {
    /// The number of the frame's link.
    var linkNumber: Int? { links.indices.contains(frame.link) ? links[frame.link].number : nil }
}
