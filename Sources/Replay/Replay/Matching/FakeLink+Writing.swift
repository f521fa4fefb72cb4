import BluetoothCore
import Runtime

// The host's writes, whole or prepared.

extension FakeLink {
    mutating func matchWrite(
        to handle: UInt16, _ value: [UInt8], _ octets: [UInt8], withResponse: Bool, _ air: inout RecordedAir
    ) {
        let isConfiguration = connection.database.isClientConfiguration(handle)
        let found = find(configured: isConfiguration ? handle : nil) { step in
            switch step.action {
            case .configure(handle, value): true
            case .write(handle, _, withResponse): air.judge.same(step, octets)
            case .write(handle, _, _): tier == .application && air.judge.same(step, octets)
            default: false
            }
        }
        guard let found else {
            return writeKnown(to: handle, octets, withResponse: withResponse, &air)
        }
        let step = script.steps[found]
        noteKind(step, withResponse: withResponse, &air)
        match(step: found, octets, &air)
        if step.isConfiguration, step.isRequired { configured(handle, value) }
        guard withResponse else { return }
        let last = step.pdus.count - 1
        guard let response = response(step, part: last) else {
            // The recorded command had no response, but the host's request needs one.
            guard !isRequest(step) else { return }
            return reply(
                ATTWriteResponse().pdu, after: script.typicalLatency, &air, implies: callback(for: step, nil))
        }
        reply(
            Self.answer(response, to: .writeRequest), after: latency(step, part: last), &air,
            frame: response.frame, recorded: response.time, implies: callback(for: step, response.refusal))
    }

    private func isRequest(_ step: HostStep) -> Bool {
        step.pdus.last.map { connection.pdus[$0].opcode.kind == .request } ?? false
    }

    private mutating func noteKind(_ step: HostStep, withResponse: Bool, _ air: inout RecordedAir) {
        if step.pdus.count > 1 { return air.judge.note(.preparedWrite) }
        if step.isConfiguration, isRequest(step) != withResponse {
            air.judge.note(.subscriptionKind)
        }
    }

    private static func answer(_ response: RecordedPDU, to opcode: ATTOpcode) -> [UInt8] {
        guard response.opcode == .errorResponse else {
            if response.opcode.answers == opcode { return response.octets }
            return opcode == .writeRequest
                ? ATTWriteResponse().pdu
                : ATTExecuteWriteResponse().pdu
        }
        var octets = response.octets
        if octets.count > 1 { octets[1] = opcode.rawValue }
        return octets
    }

    /// Answers a write that is not due, if it is to a standard attribute or repeats an earlier subscription;
    /// otherwise it is a divergence.
    private mutating func writeKnown(
        to handle: UInt16, _ octets: [UInt8], withResponse: Bool, _ air: inout RecordedAir
    ) {
        let isOwn = tier == .application && connection.database.isClientConfiguration(handle)
        let isEarlier = isOwn || connection.earlierSubscriptions.contains(handle)
        guard isEarlier || Normalization.isHousekeeping(handle, connection.database) else {
            return diverge(.different, octets, .attribute, &air)
        }
        air.judge.note(isOwn ? .belowTheTier : isEarlier ? .earlierSubscription : .hostHousekeeping)
        if isEarlier { configured(handle, Array(octets.dropFirst(3))) }
        guard withResponse else { return }
        reply(
            ATTWriteResponse().pdu, after: script.typicalLatency, &air,
            implies: isEarlier ? configurationCallback(of: handle, nil) : nil)
    }

    // MARK: Prepared writes

    mutating func prepare(_ request: ATTPrepareWriteRequest, _ octets: [UInt8], _ air: inout RecordedAir) {
        let known = prepared
        let before = known?.value ?? []
        guard known == nil || known?.handle == request.handle, Int(request.offset) == before.count else {
            return matchPart(octets, &air)
        }
        let value = before + request.value
        let found: Int?
        if let known {
            found = Self.begins(script.steps[known.step], of: request.handle, value) ? known.step : nil
        } else {
            found = find { Self.begins($0, of: request.handle, value) }
        }
        guard let found else { return matchPart(octets, &air) }
        prepared = (found, request.handle, value)
        let step = script.steps[found]
        air.transcript.joinLast(to: step.frame)
        reply(
            ATTPrepareWriteResponse(handle: request.handle, offset: request.offset, value: request.value).pdu,
            after: latency(step, part: 0), &air)
    }

    /// Compares a prepared part that belongs to no recorded value with the recorded parts.
    private mutating func matchPart(_ octets: [UInt8], _ air: inout RecordedAir) {
        guard let found = find(where: { $0.action == .request(octets) }) else {
            return diverge(.different, octets, .attribute, &air)
        }
        answerAsRecorded(step: found, octets, &air)
    }

    /// Whether the step's value begins with the prepared part.
    private static func begins(_ step: HostStep, of handle: UInt16, _ part: [UInt8]) -> Bool {
        switch step.action {
        case .write(handle, let value, true), .configure(handle, let value): value.starts(with: part)
        default: false
        }
    }

    mutating func execute(_ request: ATTExecuteWriteRequest, _ octets: [UInt8], _ air: inout RecordedAir) {
        let written = prepared
        prepared = nil
        guard request.flags == 1, let written else { return matchPart(octets, &air) }
        let step = script.steps[written.step]
        switch step.action {
        case .write(_, written.value, _), .configure(_, written.value): break
        default: return diverge(.different, octets, .attribute, &air)
        }
        if !isRecorded(octets, step) { air.judge.note(.preparedWrite) }
        match(step: written.step, octets, &air)
        let last = step.pdus.count - 1
        guard let response = response(step, part: last) else { return }
        reply(
            Self.answer(response, to: .executeWriteRequest), after: latency(step, part: last), &air,
            frame: response.frame, recorded: response.time, implies: callback(for: step, response.refusal))
    }

    private func isRecorded(_ octets: [UInt8], _ step: HostStep) -> Bool {
        step.pdus.last.map { connection.pdus[$0].octets == octets } ?? false
    }

    // MARK: Callbacks

    func callback(for step: HostStep, _ error: ATTErrorCode?) -> ApplicationEvent? {
        guard step.isRequired else { return nil }
        switch step.action {
        case .write(let handle, _, _): return .written(handle: handle, error)
        case .configure(let handle, _): return configurationCallback(of: handle, error)
        default: return nil
        }
    }

    /// Returns the event that the application gets for a configuration; nil if the characteristic is unknown.
    func configurationCallback(of configuration: UInt16, _ error: ATTErrorCode?) -> ApplicationEvent? {
        connection.database.valueHandle(ofConfiguration: configuration).map { .configured(handle: $0, error) }
    }
}
