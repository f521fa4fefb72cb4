import Analysis
import BluetoothCore
import CaptureFile
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
            for number in open.keys.sorted() { close(link: number, analyzer) }
        case LECreateConnection.opcode.rawValue:
            guard let command = try? LECreateConnection(decoding: parameters) else { return }
            note(command.peerAddress, command.initiatorFilterPolicy, analyzer)
        case LEExtendedCreateConnection.opcode.rawValue:
            guard let command = try? LEExtendedCreateConnection(decoding: parameters) else { return }
            note(command.peerAddress, command.initiatorFilterPolicy, analyzer)
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

    /// Stores an attempt to connect to a device, or to the only one of the filter accept list.
    private mutating func note(_ peer: DeviceAddress, _ policy: UInt8, _ analyzer: borrowing Analyzer) {
        let accepted = acceptList.count == 1 ? acceptList.first : nil
        attempt = AdapterLog.Attempt(
            frame: analyzer.frame.number, time: last, peer: policy == 0 ? peer : accepted)
    }

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

    private mutating func addEncryption(_ command: LEEnableEncryption, _ analyzer: borrowing Analyzer) {
        guard let number = analyzer.linkNumber, let place = open[number]?.place else { return }
        connections[place].addEncryption(
            .init(frame: analyzer.frame.number, time: last, key: LongTermKey(command)))
    }

    /// Stores the key with which the host answered its central's key request.
    private mutating func addKey(_ command: LELongTermKeyRequestReply, _ analyzer: borrowing Analyzer) {
        guard let number = analyzer.linkNumber, let place = open[number]?.place,
            let request = connections[place].lastKeyRequest
        else { return }
        let key = LongTermKey(command, ediv: request.encryptedDiversifier, rand: request.randomNumber)
        connections[place].addEncryption(.init(frame: analyzer.frame.number, time: last, key: key))
    }

    private mutating func setScanning(_ isOn: Bool, _ analyzer: borrowing Analyzer) {
        let count = advertising.windows.count
        if isOn {
            if count > 0, advertising.windows[count - 1].end == nil { return }
            guard count < budget.limits.reports else { return }
            advertising.windows.append(.init(start: last, startIsKnown: true))
        } else if count > 0, advertising.windows[count - 1].end == nil {
            advertising.windows[count - 1].end = last
            advertising.windows[count - 1].endFrame = analyzer.frame.number
        }
    }
}

// The recorded controller's events.

extension AdapterLog {
    mutating func addEvent(_ octets: RawSpan, _ analyzer: borrowing Analyzer) {
        let parameters = octets.dropping(2)
        switch HCIEventCode(rawValue: octets.octet(at: 0) ?? 0) {
        case .leMeta: addLEEvent(parameters.dropping(1), analyzer)
        case .commandComplete where analyzer.frame.status == 0: learn(parameters.dropping(3), analyzer)
        case .commandStatus
        where analyzer.frame.status != 0 && analyzer.frame.opcode == HCIDisconnect.opcode.rawValue:
            let command = analyzer.frame.request?.frame
            for number in open.keys where open[number]?.disconnect?.frame == command {
                open[number]?.disconnect = nil
            }
        default: break
        }
    }

    /// Stores the changes of connections that the analyzer's record reports.
    mutating func addChanges(_ analyzer: borrowing Analyzer) {
        for change in analyzer.changes {
            switch change.kind {
            case .opened(let event): addConnection(event, analyzer)
            case .encryption(let status):
                guard let open = change.connection.flatMap({ open[$0] }) else { continue }
                if !connections[open.place].endEncryption(status, at: last) {
                    let number = connections[open.place].number
                    obstacles.note(.encrypted, frame: analyzer.frame.number, connection: number)
                }
            // `add` handles the end of a link after the record's data. The others change nothing here.
            case .keyRefresh, .parameters, .phy, .ended: break
            }
        }
    }

    /// Stores what the controller returned; `returned` begins with the status.
    private mutating func learn(_ returned: RawSpan, _ analyzer: borrowing Analyzer) {
        switch analyzer.frame.opcode {
        case HCIReadBDADDR.opcode.rawValue:
            guard let fields = try? HCIReadBDADDR.ReturnParameters(decoding: returned),
                fields.bdAddr.value != 0
            else { return }
            controller.address = DeviceAddress(fields.bdAddr.value, .public)
        case LEReadBufferSize.opcode.rawValue:
            guard let fields = try? LEReadBufferSize.ReturnParameters(decoding: returned),
                fields.leACLDataPacketLength >= 27, fields.totalNumLEACLDataPackets > 0
            else { return }
            controller.packetLength = fields.leACLDataPacketLength
            controller.packetCount = fields.totalNumLEACLDataPackets
        case LEReadFilterAcceptListSize.opcode.rawValue:
            guard let fields = try? LEReadFilterAcceptListSize.ReturnParameters(decoding: returned),
                fields.filterAcceptListSize > 0
            else { return }
            controller.acceptListSize = fields.filterAcceptListSize
        default: break
        }
    }

    /// Stores the adapter's address from a monitor record (New Index or Index Info).
    mutating func addMonitor(_ octets: RawSpan, _ analyzer: borrowing Analyzer) {
        let opcode = MonitorOpcode(rawValue: analyzer.frame.header.foreignType)
        guard opcode == .newIndex || opcode == .indexInfo else { return }
        var reader = ByteReader(octets)
        if opcode == .newIndex { try? reader.skip(2) }
        guard let address = try? DeviceAddress(decoding: &reader, kind: .public), address.value != 0 else {
            return
        }
        controller.address = address
    }

    private mutating func addLEEvent(_ parameters: RawSpan, _ analyzer: borrowing Analyzer) {
        switch analyzer.frame.subevent {
        // LE Advertising Report, and its extended form.
        case 0x02: addReports(parameters, extended: false, analyzer)
        case 0x0D: addReports(parameters, extended: true, analyzer)
        case LEConnectionUpdateComplete.subeventCode.rawValue: addUpdate(parameters, analyzer)
        // LE Long Term Key Request, and LE Remote Connection Parameter Request.
        case LELongTermKeyRequest.subeventCode.rawValue, 0x06:
            guard let number = analyzer.linkNumber else { return }
            append(parameters, link: number, analyzer)
        default: break
        }
    }

    private mutating func addConnection(_ event: LEConnectionComplete, _ analyzer: borrowing Analyzer) {
        let asked = attempt
        if event.role == 0 { (attempt, failed) = (nil, nil) }
        guard connections.count < budget.limits.connections else {
            obstacles.note(.limit, frame: analyzer.frame.number)
            return
        }
        let peer = event.status == .success ? event.peerAddress : asked?.peer ?? event.peerAddress
        // Only connections have a positive number.
        let counted = event.status == .success ? analyzer.linkNumber : nil
        let number = counted.flatMap { one in connections.contains { $0.number == one } ? nil : one }
        var connection = RecordedConnection(
            number: number ?? -1 - connections.count, frame: analyzer.frame.number, status: event.status,
            peer: peer, completed: last)
        connection.isCentral = event.role == 0
        connection.asked = event.role == 0 ? asked?.time : nil
        if !connection.isCentral { takeAdvertising(&connection, analyzer) }
        connection.intervalUnits = event.connectionInterval
        connection.latency = event.peripheralLatency
        connection.supervisionTimeoutUnits = event.supervisionTimeout
        if event.status == .success {
            endOlder(than: connection, at: min(asked?.time ?? last, last), analyzer)
        }
        connections.append(connection)
        if connection.isCentral, event.status != .success {
            failed = (connections.count - 1, event.connectionHandle)
        }
        guard event.status == .success, let number = analyzer.linkNumber else { return }
        open[number] = AdapterLog.Open(place: connections.count - 1, slot: analyzer.frame.link)
    }

    /// Ends an open connection to the device of a new one. Two devices have only one connection in each role,
    /// so the log lacks the end of the open one.
    private mutating func endOlder(
        than new: RecordedConnection, at time: Instant, _ analyzer: borrowing Analyzer
    ) {
        for number in open.keys.sorted() {
            guard let place = open[number]?.place else { continue }
            let old = connections[place]
            guard old.peer == new.peer, old.isCentral == new.isCentral else { continue }
            close(link: number, analyzer)
            guard connections[place].end == nil else { continue }
            connections[place].end = RecordedConnection.End(
                frame: new.frame, time: time, reason: .connectionTimeout)
            assumptions.note(.missingEnd, frame: new.frame, connection: old.number)
        }
    }

    /// Stores the advertising data before a central's connection, and the time from which a central could
    /// connect.
    private mutating func takeAdvertising(
        _ connection: inout RecordedConnection, _ analyzer: borrowing Analyzer
    ) {
        let since = own.since
        own.since = nil
        if own.advertising.frame > 0 { connection.advertising = own.advertising }
        guard connection.status == .success else { return }
        if connection.advertising == nil {
            assumptions.note(
                .missingAdvertisement, frame: analyzer.frame.number, connection: connection.number)
        }
        connection.asked = since.map { max($0, own.end ?? $0) }
    }

    private mutating func addUpdate(_ parameters: RawSpan, _ analyzer: borrowing Analyzer) {
        guard let number = analyzer.linkNumber, let known = open[number] else { return }
        open[number]?.isUpdating = false
        if known.isUpdating { return }
        append(parameters, link: number, analyzer)
    }

    /// Stores an event that the host did not cause.
    private mutating func append(
        _ parameters: RawSpan, link number: Int, _ analyzer: borrowing Analyzer
    ) {
        guard let place = open[number]?.place, reserve(parameters.byteCount, analyzer) else { return }
        connections[place].updates.append(
            RecordedConnection.Update(
                frame: analyzer.frame.number, time: last, parameters: parameters.copied(),
                subevent: LESubeventCode(rawValue: analyzer.frame.subevent),
                pdusBefore: connections[place].pdus.count))
    }
}

// The PDUs of connections.

extension AdapterLog {
    mutating func addData(_ record: borrowing Record, _ analyzer: borrowing Analyzer) {
        guard let number = analyzer.linkNumber, analyzer.frame.acl?.isVendor != true else { return }
        // Data after the end of the connection is not played.
        guard analyzer.links[analyzer.frame.link].isOpen else { return }
        guard analyzer.links[analyzer.frame.link].transport != .brEDR else {
            classic.insert(number)
            return
        }
        let side: RecordedPDU.Side = analyzer.frame.direction == .hostToController ? .host : .peer
        let frameNumber = analyzer.frame.number
        guard let l2cap = analyzer.frame.l2cap else {
            if analyzer.frame.fold == .fragment { open[number]?.pending[side] = frameNumber }
            return
        }
        if open[number] == nil {
            // A link with an unknown beginning counts as LE if it uses a fixed LE channel.
            guard (0x04...0x06).contains(l2cap.cid) else {
                classic.insert(number)
                return
            }
            adoptOrphan(link: number, analyzer)
        }
        open[number]?.pending[side] = nil
        guard let open = open[number] else { return }
        let place = open.place
        let connection = connections[place].number
        let octets = analyzer.payload(in: record).copied()
        let isCut = l2cap.isCut || octets.count < l2cap.length
        if isCut { obstacles.note(.truncated, frame: frameNumber, connection: connection) }
        guard l2cap.cid < 0x40 else {
            return obstacles.note(.channels, frame: frameNumber, connection: connection)
        }
        guard budget.pdus < budget.limits.pdus, reserve(octets.count, analyzer) else {
            return obstacles.note(.limit, frame: frameNumber)
        }
        budget.pdus += 1
        let pdu = RecordedPDU(
            frame: frameNumber, time: last, side: side, channel: L2CAPChannelID(rawValue: l2cap.cid),
            octets: octets, isCut: isCut)
        switch pdu.channel {
        case .attribute:
            attPDUs += 1
        case .securityManager: notePairing(pdu, on: connection)
        default: break
        }
        connections[place].add(pdu, answering: analyzer.frame.request?.frame)
    }

    /// Adds an obstacle for a PDU of a pairing. `preparePairing` removes it if the pairing can be played.
    ///
    /// A refused pairing can always be played, since a host without security refuses it too.
    private mutating func notePairing(_ pdu: RecordedPDU, on connection: Int) {
        let code = SMPCode(rawValue: pdu.octets.first ?? 0)
        guard code != .securityRequest, code != .pairingFailed else { return }
        obstacles.note(.pairing, frame: pdu.frame, connection: connection)
    }

    /// Time from the made-up beginning of a connection to its first PDU: enough for a host's discovery.
    private static var madeUpBeginning: Duration { .seconds(30) }

    /// Returns a static random address for a device without an address in the log.
    private static func madeUpAddress(link number: Int) -> DeviceAddress {
        DeviceAddress(0xC0_00_00_00_00_00 | UInt64(truncatingIfNeeded: number), .random)
    }

    /// Longest time after a failed attempt in which data still shows that the connection exists.
    private static var longestContradiction: Duration { .seconds(1) }

    /// Turns a failed attempt into a connection, if data follows on the handle in the attempt's event.
    ///
    /// - Returns: whether it did so.
    private mutating func takeBackFailure(link number: Int, _ analyzer: borrowing Analyzer) -> Bool {
        guard attempt == nil, let lost = failed, lost.handle == analyzer.links[analyzer.frame.link].handle
        else { return false }
        let attempted = connections[lost.place]
        guard attempted.peer.value != 0, attempted.completed.duration(to: last) < Self.longestContradiction
        else {
            return false
        }
        failed = nil
        connections[lost.place].status = .success
        connections[lost.place].number = number
        assumptions.note(.startsInMidConnection, frame: analyzer.frame.number, connection: number)
        open[number] = AdapterLog.Open(place: lost.place, slot: analyzer.frame.link)
        return true
    }

    /// Adds a connection whose beginning the log does not show.
    private mutating func adoptOrphan(link number: Int, _ analyzer: borrowing Analyzer) {
        if takeBackFailure(link: number, analyzer) { return }
        guard connections.count < budget.limits.connections else {
            obstacles.note(.limit, frame: analyzer.frame.number)
            return
        }
        var connection = RecordedConnection(
            number: number, frame: analyzer.frame.number, status: .success,
            peer: analyzer.links[analyzer.frame.link].address ?? Self.madeUpAddress(link: number),
            completed: last.advanced(by: .zero - Self.madeUpBeginning))
        connection.wasOpenAtStart = true
        connections.append(connection)
        assumptions.note(.startsInMidConnection, frame: analyzer.frame.number, connection: connection.number)
        open[number] = AdapterLog.Open(place: connections.count - 1, slot: analyzer.frame.link)
    }

    /// Assigns the host's attempt to a connection, if the analysis found that only the event of the
    /// connection is missing from the log.
    mutating func claimAttempt(place: Int, slot: Int, _ analyzer: borrowing Analyzer) {
        let link = analyzer.links[slot]
        guard link.beginningIsMissing, let peer = link.address, let asked = link.phases.connectStarted else {
            return
        }
        let first = connections[place].pdus.first?.time ?? last
        connections[place].wasOpenAtStart = false
        connections[place].peer = peer
        connections[place].asked = min(instant(of: asked), first)
        connections[place].completed = first
    }
}

// What a record changes in its connection.

extension RecordedConnection {
    /// The peer's last request for the key of a bond; nil if it is missing or can't be decoded.
    fileprivate var lastKeyRequest: LELongTermKeyRequest? {
        let asked = updates.last { $0.subevent == LELongTermKeyRequest.subeventCode }
        return asked.flatMap { try? LELongTermKeyRequest(whole: $0.parameters) }
    }

    /// Stores the first encryption. Later ones only replace the key of the link.
    fileprivate mutating func addEncryption(_ new: Encryption) {
        if encryption == nil { encryption = new }
    }

    /// Stores the result of an encryption, which can be played only if the log's host started it.
    ///
    /// - Returns: whether it can be played.
    fileprivate mutating func endEncryption(_ status: HCIStatus, at time: Instant) -> Bool {
        guard let known = encryption else { return false }
        guard known.done != nil else {
            encryption?.done = time
            encryption?.status = status
            return true
        }
        // A new key for an encrypted link changes nothing.
        if known.status == .success, status == .success { return true }
        encryption = nil
        return false
    }

    /// Adds a PDU.
    ///
    /// - Parameter request: the frame of the ATT request that it answers; nil if it is not an answer.
    fileprivate mutating func add(_ pdu: RecordedPDU, answering request: Int?) {
        var pdu = pdu
        let asked = request.flatMap { request in pdus.lastIndex { $0.frame == request } }
        if pdu.channel == .attribute, let asked {
            // A host that waits for each response can't play a request that another one follows at once.
            let isOvertaken = pdus[(asked + 1)...].contains { $0.isRequest && $0.side != pdu.side }
            if pdu.opcode.kind == .confirmation || !isOvertaken {
                pdu.answers = asked
                // The response may have shown that a sniffer's direction of the request was wrong.
                pdus[asked].side = pdu.side == .host ? .peer : .host
            }
        }
        pdus.append(pdu)
    }
}
