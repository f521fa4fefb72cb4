import Analysis
import BluetoothCore
import CaptureFile
import Runtime
import WireBytes

// The recorded controller's events.

extension SessionModelBuilder {
    mutating func addEvent(_ octets: RawSpan, at time: Instant, log: Int) {
        let parameters = octets.dropping(2)
        switch HCIEventCode(rawValue: frame.event) {
        case .leMeta: addLEEvent(parameters.dropping(1), at: time, log: log)
        case .commandComplete where frame.status == 0: learn(parameters.dropping(3), log: log)
        case .commandStatus where frame.status != 0 && frame.opcode == HCIDisconnect.opcode.rawValue:
            let command = frame.request?.frame
            for number in logs[log].open.keys where logs[log].open[number]?.disconnect?.frame == command {
                logs[log].open[number]?.disconnect = nil
            }
        case .disconnectionComplete where frame.status == 0:
            guard let event = try? HCIDisconnectionComplete(decoding: parameters), let number = linkNumber,
                let open = logs[log].open[number]
            else { return }
            logs[log].connections[open.place].end = RecordedConnection.End(
                frame: frame.number, time: time, reason: event.reason, request: open.disconnect)
            if !logs[log].connections[open.place].isCentral { logs[log].own.end = time }
            close(connection: number, log: log)
        case .encryptionChangeV1, .encryptionChangeV2:
            guard let status = parameters.octet(at: 0) else { return }
            encryptionChanged(HCIStatus(rawValue: status), at: time, log: log)
        default: break
        }
    }

    /// Stores what the controller returned; `returned` begins with the status.
    private mutating func learn(_ returned: RawSpan, log: Int) {
        switch frame.opcode {
        case HCIReadBDADDR.opcode.rawValue:
            guard let fields = try? HCIReadBDADDR.ReturnParameters(decoding: returned),
                fields.bdAddr.value != 0
            else { return }
            logs[log].controller.address = DeviceAddress(fields.bdAddr.value, .public)
        case LEReadBufferSize.opcode.rawValue:
            guard let fields = try? LEReadBufferSize.ReturnParameters(decoding: returned),
                fields.leACLDataPacketLength >= 27, fields.totalNumLEACLDataPackets > 0
            else { return }
            logs[log].controller.packetLength = fields.leACLDataPacketLength
            logs[log].controller.packetCount = fields.totalNumLEACLDataPackets
        case LEReadFilterAcceptListSize.opcode.rawValue:
            guard let fields = try? LEReadFilterAcceptListSize.ReturnParameters(decoding: returned),
                fields.filterAcceptListSize > 0
            else { return }
            logs[log].controller.acceptListSize = fields.filterAcceptListSize
        default: break
        }
    }

    /// Stores the adapter's address from a monitor record (New Index or Index Info).
    mutating func addMonitor(_ octets: RawSpan, log: Int) {
        let opcode = MonitorOpcode(rawValue: frame.header.foreignType)
        guard opcode == .newIndex || opcode == .indexInfo else { return }
        var reader = ByteReader(octets)
        if opcode == .newIndex { try? reader.skip(2) }
        guard let address = try? DeviceAddress(decoding: &reader, kind: .public), address.value != 0 else {
            return
        }
        logs[log].controller.address = address
    }

    private mutating func addLEEvent(_ parameters: RawSpan, at time: Instant, log: Int) {
        switch frame.subevent {
        // LE Advertising Report, and its extended form.
        case 0x02: addReports(parameters, extended: false, at: time, log: log)
        case 0x0D: addReports(parameters, extended: true, at: time, log: log)
        // LE Connection Complete, and both versions of LE Enhanced Connection Complete.
        case 0x01:
            guard let event = try? LEConnectionComplete(decoding: parameters) else { return }
            addConnection(event, at: time, log: log)
        case 0x0A, 0x29:
            guard let event = try? LEEnhancedConnectionComplete(decoding: parameters) else { return }
            addConnection(
                LEConnectionComplete {
                    $0.status = event.status
                    $0.connectionHandle = event.connectionHandle
                    $0.role = event.role
                    $0.peerAddress = event.peerAddress
                    $0.connectionInterval = event.connectionInterval
                    $0.peripheralLatency = event.peripheralLatency
                    $0.supervisionTimeout = event.supervisionTimeout
                }, at: time, log: log)
        case LEConnectionUpdateComplete.subeventCode.rawValue: addUpdate(parameters, at: time, log: log)
        // The latter is LE Remote Connection Parameter Request.
        case LELongTermKeyRequest.subeventCode.rawValue, 0x06:
            guard let number = linkNumber else { return }
            append(parameters, time, connection: number, log: log)
        default: break
        }
    }

    private mutating func addConnection(_ event: LEConnectionComplete, at time: Instant, log: Int) {
        let asked = logs[log].attempt
        if event.role == 0 { (logs[log].attempt, logs[log].failed) = (nil, nil) }
        guard logs[log].connections.count < limits.connections else {
            logs[log].obstacles.note(.limit, frame: frame.number)
            return
        }
        let peer = event.status == .success ? event.peerAddress : asked?.peer ?? event.peerAddress
        // A failed attempt is not a connection, so it has none of their numbers.
        let counted = event.status == .success ? linkNumber : nil
        let number = counted.flatMap { one in
            logs[log].connections.contains { $0.number == one } ? nil : one
        }
        var connection = RecordedConnection(
            number: number ?? -1 - logs[log].connections.count, frame: frame.number, status: event.status,
            peer: peer,
            completed: time)
        connection.isCentral = event.role == 0
        connection.asked = event.role == 0 ? asked?.time : nil
        if !connection.isCentral { takeAdvertising(&connection, log: log) }
        connection.intervalUnits = event.connectionInterval
        connection.latency = event.peripheralLatency
        connection.supervisionTimeoutUnits = event.supervisionTimeout
        if event.status == .success {
            endOlder(than: connection, at: min(asked?.time ?? time, time), log: log)
        }
        logs[log].connections.append(connection)
        if connection.isCentral, event.status != .success {
            logs[log].failed = (logs[log].connections.count - 1, event.connectionHandle)
        }
        guard event.status == .success, let number = linkNumber else { return }
        logs[log].open[number] = AdapterLog.Open(
            place: logs[log].connections.count - 1, slot: frame.link)
    }

    /// Ends an open connection to the device of a new one. Two devices have only one connection in each role,
    /// so the log lacks the end of the open one.
    private mutating func endOlder(than new: RecordedConnection, at time: Instant, log: Int) {
        for number in logs[log].open.keys.sorted() {
            guard let place = logs[log].open[number]?.place else { continue }
            let old = logs[log].connections[place]
            guard old.peer == new.peer, old.isCentral == new.isCentral else { continue }
            close(connection: number, log: log)
            guard logs[log].connections[place].end == nil else { continue }
            logs[log].connections[place].end = RecordedConnection.End(
                frame: new.frame, time: time, reason: .connectionTimeout)
            logs[log].assumptions.note(.missingEnd, frame: new.frame, connection: old.number)
        }
    }

    /// Stores the advertising data before a central's connection, and the time from which a central could
    /// connect.
    private mutating func takeAdvertising(_ connection: inout RecordedConnection, log: Int) {
        let own = logs[log].own
        logs[log].own.since = nil
        if own.advertising.frame > 0 { connection.advertising = own.advertising }
        guard connection.status == .success else { return }
        if connection.advertising == nil {
            logs[log].assumptions.note(
                .missingAdvertisement, frame: frame.number, connection: connection.number)
        }
        connection.asked = own.since.map { max($0, own.end ?? $0) }
    }

    private mutating func addUpdate(_ parameters: RawSpan, at time: Instant, log: Int) {
        guard let number = linkNumber, let open = logs[log].open[number] else { return }
        guard !open.isUpdating else {
            logs[log].open[number]?.isUpdating = false
            return
        }
        append(parameters, time, connection: number, log: log)
    }

    /// Stores an event that the host did not cause.
    private mutating func append(_ parameters: RawSpan, _ time: Instant, connection number: Int, log: Int) {
        guard let place = logs[log].open[number]?.place, take(parameters.byteCount, log: log) else { return }
        logs[log].connections[place].updates.append(
            RecordedConnection.Update(
                frame: frame.number, time: time, parameters: parameters.copied(),
                subevent: LESubeventCode(rawValue: frame.subevent),
                pdusBefore: logs[log].connections[place].pdus.count))
    }
}
