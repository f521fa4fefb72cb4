import Analysis
import BluetoothCore
import CaptureFile
import Runtime
import WireBytes

// The recorded controller's events.

extension AdapterLog {
    mutating func addEvent(_ octets: RawSpan, _ analyzer: borrowing Analyzer) {
        let parameters = octets.dropping(2)
        switch HCIEventCode(rawValue: analyzer.frame.event) {
        case .leMeta: addLEEvent(parameters.dropping(1), analyzer)
        case .commandComplete where analyzer.frame.status == 0: learn(parameters.dropping(3), analyzer)
        case .commandStatus
        where analyzer.frame.status != 0 && analyzer.frame.opcode == HCIDisconnect.opcode.rawValue:
            let command = analyzer.frame.request?.frame
            for number in open.keys where open[number]?.disconnect?.frame == command {
                open[number]?.disconnect = nil
            }
        case .disconnectionComplete where analyzer.frame.status == 0:
            guard let event = try? HCIDisconnectionComplete(decoding: parameters),
                let number = analyzer.linkNumber, let open = open[number]
            else { return }
            connections[open.place].end = RecordedConnection.End(
                frame: analyzer.frame.number, time: last, reason: event.reason, request: open.disconnect)
            if !connections[open.place].isCentral { own.end = last }
            close(connection: number, analyzer)
        case .encryptionChangeV1, .encryptionChangeV2:
            guard let status = parameters.octet(at: 0) else { return }
            encryptionChanged(HCIStatus(rawValue: status), analyzer)
        default: break
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
        // LE Connection Complete, and both versions of LE Enhanced Connection Complete.
        case 0x01:
            guard let event = try? LEConnectionComplete(decoding: parameters) else { return }
            addConnection(event, analyzer)
        case 0x0A, 0x29:
            guard let event = try? LEEnhancedConnectionComplete(decoding: parameters) else { return }
            addConnection(
                LEConnectionComplete(
                    status: event.status, connectionHandle: event.connectionHandle, role: event.role,
                    peerAddress: event.peerAddress, connectionInterval: event.connectionInterval,
                    peripheralLatency: event.peripheralLatency, supervisionTimeout: event.supervisionTimeout),
                analyzer)
        case LEConnectionUpdateComplete.subeventCode.rawValue: addUpdate(parameters, analyzer)
        // The latter is LE Remote Connection Parameter Request.
        case LELongTermKeyRequest.subeventCode.rawValue, 0x06:
            guard let number = analyzer.linkNumber else { return }
            append(parameters, connection: number, analyzer)
        default: break
        }
    }

    private mutating func addConnection(_ event: LEConnectionComplete, _ analyzer: borrowing Analyzer) {
        let asked = attempt
        if event.role == 0 { (attempt, failed) = (nil, nil) }
        guard connections.count < room.limits.connections else {
            obstacles.note(.limit, frame: analyzer.frame.number)
            return
        }
        let peer = event.status == .success ? event.peerAddress : asked?.peer ?? event.peerAddress
        // A failed attempt is not a connection, so it has none of their numbers.
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
            close(connection: number, analyzer)
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
        append(parameters, connection: number, analyzer)
    }

    /// Stores an event that the host did not cause.
    private mutating func append(
        _ parameters: RawSpan, connection number: Int, _ analyzer: borrowing Analyzer
    ) {
        guard let place = open[number]?.place, take(parameters.byteCount, analyzer) else { return }
        connections[place].updates.append(
            RecordedConnection.Update(
                frame: analyzer.frame.number, time: last, parameters: parameters.copied(),
                subevent: LESubeventCode(rawValue: analyzer.frame.subevent),
                pdusBefore: connections[place].pdus.count))
    }
}
