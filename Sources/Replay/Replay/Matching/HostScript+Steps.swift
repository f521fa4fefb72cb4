import BluetoothCore
import Runtime

// Conversion of a recorded host's PDUs into steps.

extension HostScript {
    /// Returns the steps of a connection's host, in order.
    static func steps(of connection: RecordedConnection, _ responses: [Int?]) -> [HostStep] {
        var steps = StepList(connection: connection, responses: responses)
        // Codes of the peer's unanswered L2CAP requests, by identifier.
        var open: [UInt8: UInt8] = [:]
        let encrypted = connection.pdusBeforeEncryption
        for (place, pdu) in connection.pdus.enumerated() {
            if encrypted == place { steps.addEncryption() }
            guard pdu.side == .host else {
                if pdu.channel == .leSignalling, pdu.octets.count >= 2, isEvent(pdu) {
                    open[pdu.octets[1]] = pdu.octets[0]
                }
                continue
            }
            switch pdu.channel {
            case .attribute: steps.addAttribute(place: place, pdu)
            case .leSignalling:
                // Answers to the peer's requests are required, others are optional.
                let isAnswer =
                    pdu.octets.count >= 2 && FakeLink.isAnswer(pdu.octets[0])
                    && open.removeValue(forKey: pdu.octets[1]).map {
                        FakeLink.fits(pdu.octets[0], $0)
                    } ?? false
                steps.add(.signal(pdu.octets), [place], mayBeMissing: isAnswer ? nil : .signalling)
            case .securityManager:
                steps.addSecurity(place: place, pdu)
            default: break
            }
        }
        steps.finishPrepared()
        if encrypted == connection.pdus.count { steps.addEncryption() }
        steps.markRepetitions()
        steps.addDisconnection()
        return steps.steps
    }
}

private struct StepList {
    let connection: RecordedConnection
    /// The index of each PDU's response; nil if absent.
    let responses: [Int?]
    var steps: [HostStep] = []
    /// Indices of Prepare Write Requests before their Execute Write Request.
    var prepared: [Int] = []
    /// Reads that a Read Blob Request may continue, by handle, with the number of bytes read so far. Other
    /// reads may come in between.
    var reads: [UInt16: (step: Int, count: Int)] = [:]

    mutating func add(_ action: HostStep.Action, _ pdus: [Int], mayBeMissing: Normalization? = nil) {
        guard let first = pdus.first, let last = pdus.last else { return }
        steps.append(
            HostStep(
                index: steps.count, action: action, frame: connection.pdus[first].frame,
                time: connection.pdus[first].time, lastTime: connection.pdus[last].time, pdus: pdus,
                mayBeMissing: mayBeMissing))
    }

    mutating func addAttribute(place: Int, _ pdu: RecordedPDU) {
        guard let att = pdu.att else { return add(.request(pdu.octets), [place]) }
        switch att {
        case is ATTExchangeMTURequest, is ATTFindInformationRequest, is ATTFindByTypeValueRequest,
            is ATTReadByGroupTypeRequest:
            break
        case let request as ATTReadByTypeRequest:
            guard !Normalization.isDeclaration(request.type),
                !request.type.isHousekeeping
            else { return }
            add(.request(pdu.octets), [place])
        case let request as ATTReadRequest:
            add(.read(handle: request.handle), [place], mayBeMissing: housekeeping(of: request.handle))
            reads[request.handle] = (steps.count - 1, responseLength(place: place))
        case let request as ATTReadBlobRequest: addReadBlob(place: place, request, pdu)
        case let request as ATTWriteRequest:
            addWrite(to: request.handle, request.value, withResponse: true, place: place)
        case let command as ATTWriteCommand:
            addWrite(to: command.handle, command.value, withResponse: false, place: place)
        case is ATTPrepareWriteRequest: prepared.append(place)
        case let request as ATTExecuteWriteRequest: execute(place: place, request)
        case is ATTHandleValueConfirmation: add(.confirm, [place])
        default:
            switch att.opcode.kind {
            case .response, .notification, .indication:
                // A peripheral's log is about its server, so the server's PDUs are required.
                add(.serve(pdu.octets), [place], mayBeMissing: connection.isCentral ? .ownDatabase : nil)
            default: add(.request(pdu.octets), [place])
            }
        }
    }

    private func housekeeping(of handle: UInt16) -> Normalization? {
        Normalization.isHousekeeping(handle, connection.database) ? .recorderHousekeeping : nil
    }

    private mutating func addWrite(to handle: UInt16, _ value: [UInt8], withResponse: Bool, place: Int) {
        if connection.database.isClientConfiguration(handle) {
            add(.configure(handle: handle, value: value), [place], mayBeMissing: housekeeping(of: handle))
        } else {
            add(
                .write(handle: handle, value: value, withResponse: withResponse), [place],
                mayBeMissing: housekeeping(of: handle))
        }
    }

    /// Returns the length of the value in the response to a read, in bytes.
    private func responseLength(place: Int) -> Int {
        responses[place].map { max(0, connection.pdus[$0].octets.count - 1) } ?? 0
    }

    /// Adds a Read Blob Request to the step whose value it continues, or as a step of its own.
    private mutating func addReadBlob(place: Int, _ request: ATTReadBlobRequest, _ pdu: RecordedPDU) {
        guard let read = reads[request.handle], read.count == Int(request.offset) else {
            // A host may continue a value that it found by type.
            return add(.request(pdu.octets), [place], mayBeMissing: housekeeping(of: request.handle))
        }
        steps[read.step].pdus.append(place)
        steps[read.step].lastTime = pdu.time
        let length = responseLength(place: place)
        reads[request.handle]?.count += length
    }

    private mutating func execute(place: Int, _ request: ATTExecuteWriteRequest) {
        defer { prepared = [] }
        if request.flags == 1, let whole = preparedValue {
            return addPrepared(to: whole.handle, whole.value, prepared + [place])
        }
        finishPrepared()
        add(.request(connection.pdus[place].octets), [place])
    }

    private mutating func addPrepared(to handle: UInt16, _ value: [UInt8], _ pdus: [Int]) {
        let action: HostStep.Action =
            connection.database.isClientConfiguration(handle)
            ? .configure(handle: handle, value: value)
            : .write(handle: handle, value: value, withResponse: true)
        add(action, pdus, mayBeMissing: housekeeping(of: handle))
    }

    /// The value joined from the prepared parts; nil if their handles differ or there is a gap.
    private var preparedValue: (handle: UInt16, value: [UInt8])? {
        var whole: (handle: UInt16, value: [UInt8])?
        for place in prepared {
            guard let part = connection.pdus[place].att(ATTPrepareWriteRequest.self),
                part.handle == (whole?.handle ?? part.handle), Int(part.offset) == whole?.value.count ?? 0
            else { return nil }
            whole = (part.handle, (whole?.value ?? []) + part.value)
        }
        return whole
    }

    /// Adds the prepared parts that were never executed or don't form a value.
    mutating func finishPrepared() {
        for place in prepared { add(.request(connection.pdus[place].octets), [place]) }
        prepared = []
    }

    /// Adds a Security Manager PDU. If the pairing is played, the PDU is required, unless this project's host
    /// does not need it.
    mutating func addSecurity(place: Int, _ pdu: RecordedPDU) {
        guard let pairing = connection.pairing else {
            return add(.security(pdu.octets), [place], mayBeMissing: .security)
        }
        // Before the pairing only Security Requests are required, and from its beginning everything else.
        let isBefore = pdu.frame < pairing.frames.lowerBound
        guard isBefore ? pdu.code == .securityRequest : pdu.code != .securityRequest else {
            return add(.security(pdu.octets), [place], mayBeMissing: .security)
        }
        if pdu.code == .pairingRequest { return add(.pair(pdu.octets), [place]) }
        let isOptional =
            pdu.code == .pairingKeypressNotification || pdu.code == .signingInformation
            || pdu.frame > pairing.frames.upperBound
        add(.security(pdu.octets), [place], mayBeMissing: isOptional ? .pairing : nil)
    }

    mutating func addEncryption() {
        guard let encryption = connection.encryption else { return }
        addCommand(
            .encrypt, frame: encryption.frame, at: encryption.time,
            mayBeMissing: encryption.isExpected ? nil : .encryption)
    }

    /// Marks requests that were refused before the host paired, and their repetitions afterwards.
    mutating func markRepetitions() {
        guard connection.pairing != nil, let encrypted = connection.encryption?.done else { return }
        for place in steps.indices where steps[place].lastTime < encrypted {
            guard let response = steps[place].pdus.first.flatMap({ responses[$0] }),
                let refusal = connection.pdus[response].refusal, refusal.asksForSecurity,
                let again = steps.firstIndex(where: {
                    $0.time >= encrypted && $0.action == steps[place].action && !$0.isRepetition
                })
            else { continue }
            steps[place].isHeld = true
            steps[again].isRepetition = true
        }
    }

    mutating func addDisconnection() {
        guard let request = connection.end?.request else { return }
        addCommand(.disconnect(request.reason), frame: request.frame, at: request.time)
    }

    private mutating func addCommand(
        _ action: HostStep.Action, frame: Int, at time: Instant, mayBeMissing: Normalization? = nil
    ) {
        steps.append(
            HostStep(
                index: steps.count, action: action, frame: frame, time: time, lastTime: time, pdus: [],
                mayBeMissing: mayBeMissing))
    }
}
