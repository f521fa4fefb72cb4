import BluetoothCore
import Runtime

// The host's writes, whole or prepared.

extension FakeController {
    mutating func matchWrite(
        to handle: UInt16, _ value: [UInt8], _ octets: [UInt8], withResponse: Bool, link index: Int
    ) {
        let isConfiguration = links[index].connection.database.isClientConfiguration(handle)
        let isApplicationTier = options.tier == .application
        let found = find(link: index, configured: isConfiguration ? handle : nil) { step in
            switch step.action {
            case .configure(handle, value): true
            case .write(handle, _, withResponse): self.same(step, octets)
            case .write(handle, _, _): isApplicationTier && self.same(step, octets)
            default: false
            }
        }
        guard let found else {
            return writeKnown(to: handle, octets, withResponse: withResponse, link: index)
        }
        let step = links[index].script.steps[found]
        noteKind(step, withResponse: withResponse, link: index)
        noteMatch(step: found, octets, link: index)
        if step.isConfiguration, step.isRequired { configured(handle, value, link: index) }
        guard withResponse else { return }
        let last = step.pdus.count - 1
        guard let response = links[index].response(step, part: last) else {
            // The recorded command had no response, but the host's request needs one.
            guard !isRequest(step, link: index) else { return }
            return reply(
                ATTWriteResponse(), after: links[index].script.typicalLatency, frame: 0,
                link: index, implies: links[index].callback(for: step, nil))
        }
        reply(
            Self.answer(response, to: .writeRequest), after: links[index].latency(step, part: last),
            frame: response.frame, link: index, recorded: response.time,
            implies: links[index].callback(for: step, response.refusal))
    }

    private func isRequest(_ step: HostStep, link index: Int) -> Bool {
        step.pdus.last.map { links[index].connection.pdus[$0].opcode.kind == .request } ?? false
    }

    private mutating func noteKind(_ step: HostStep, withResponse: Bool, link index: Int) {
        if step.pdus.count > 1 { return normalizations.note(.preparedWrite) }
        if step.isConfiguration, isRequest(step, link: index) != withResponse {
            normalizations.note(.subscriptionKind)
        }
    }

    /// Returns the recorded response to a write in the form that answers a request with this opcode.
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
        to handle: UInt16, _ octets: [UInt8], withResponse: Bool, link index: Int
    ) {
        let isOwn =
            options.tier == .application && links[index].connection.database.isClientConfiguration(handle)
        let isEarlier = isOwn || links[index].connection.earlierSubscriptions.contains(handle)
        guard isEarlier || Normalization.isHousekeeping(handle, links[index].connection.database) else {
            return diverge(.different, octets, .attribute, link: index)
        }
        normalizations.note(isOwn ? .belowTheTier : isEarlier ? .earlierSubscription : .hostHousekeeping)
        if isEarlier { configured(handle, Array(octets.dropFirst(3)), link: index) }
        guard withResponse else { return }
        reply(
            ATTWriteResponse(), after: links[index].script.typicalLatency, frame: 0, link: index,
            implies: isEarlier ? links[index].configurationCallback(of: handle, nil) : nil)
    }

    // MARK: Prepared writes

    mutating func prepare(_ request: ATTPrepareWriteRequest, _ octets: [UInt8], link index: Int) {
        let known = links[index].prepared
        let before = known?.value ?? []
        guard known == nil || known?.handle == request.handle, Int(request.offset) == before.count else {
            return matchPart(octets, link: index)
        }
        let value = before + request.value
        let found: Int?
        if let known {
            found =
                Self.begins(links[index].script.steps[known.step], of: request.handle, value)
                ? known.step : nil
        } else {
            found = find(link: index) { Self.begins($0, of: request.handle, value) }
        }
        guard let found else { return matchPart(octets, link: index) }
        links[index].prepared = (found, request.handle, value)
        let step = links[index].script.steps[found]
        joinLast(to: step.frame)
        reply(
            ATTPrepareWriteResponse(
                handle: request.handle, offset: request.offset, value: request.value),
            after: links[index].latency(step, part: 0), frame: 0, link: index)
    }

    /// Compares a prepared part that belongs to no recorded value with the recorded parts.
    private mutating func matchPart(_ octets: [UInt8], link index: Int) {
        guard let found = find(link: index, where: { $0.action == .request(octets) }) else {
            return diverge(.different, octets, .attribute, link: index)
        }
        answerAsRecorded(step: found, octets, link: index)
    }

    /// Whether the step's value begins with the prepared part.
    private static func begins(_ step: HostStep, of handle: UInt16, _ part: [UInt8]) -> Bool {
        switch step.action {
        case .write(handle, let value, true), .configure(handle, let value): value.starts(with: part)
        default: false
        }
    }

    mutating func execute(_ request: ATTExecuteWriteRequest, _ octets: [UInt8], link index: Int) {
        guard request.flags == 1, let prepared = links[index].prepared else {
            links[index].prepared = nil
            return matchPart(octets, link: index)
        }
        links[index].prepared = nil
        let step = links[index].script.steps[prepared.step]
        switch step.action {
        case .write(_, prepared.value, _), .configure(_, prepared.value): break
        default: return diverge(.different, octets, .attribute, link: index)
        }
        if !isRecorded(octets, step, link: index) { normalizations.note(.preparedWrite) }
        noteMatch(step: prepared.step, octets, link: index)
        let last = step.pdus.count - 1
        guard let response = links[index].response(step, part: last) else { return }
        reply(
            Self.answer(response, to: .executeWriteRequest), after: links[index].latency(step, part: last),
            frame: response.frame, link: index, recorded: response.time,
            implies: links[index].callback(for: step, response.refusal))
    }

    private func isRecorded(_ octets: [UInt8], _ step: HostStep, link index: Int) -> Bool {
        step.pdus.last.map { links[index].connection.pdus[$0].octets == octets } ?? false
    }
}

extension FakeLink {
    /// Returns the event that the application gets for a write.
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
        connection.database.value(ofConfiguration: configuration).map { .configured(handle: $0, error) }
    }
}
