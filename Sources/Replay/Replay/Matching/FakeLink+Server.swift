import BluetoothCore

// The server of a peripheral host: its PDUs, compared with the recorded ones, and its application's
// callbacks, compared with the central's writes.

extension FakeLink {
    /// Compares a response, or a value, of the server with the next recorded one of that kind, byte for byte.
    mutating func matchOwn(_ octets: [UInt8], isResponse: Bool, _ air: inout RecordedAir) {
        let due = first(in: .server) { $0.isResponse == isResponse }
        guard let due else { return diverge(.unexpected, octets, .attribute, &air) }
        let step = script.steps[due]
        // A response may overtake a value that came first in the log, but a value may not overtake a
        // response.
        let isInOrder = isResponse || first(in: .server) == due
        guard isInOrder, air.judge.same(step, octets) || isSameDiscovery(step, octets) else {
            let first = isInOrder ? due : first(in: .server) ?? due
            return diverge(.different, octets, .attribute, &air, due: script.steps[first])
        }
        if step.octets != octets, isSameDiscovery(step, octets) { air.judge.note(.discovery) }
        if first(in: .server) != due { air.judge.note(.answerBeforeValue) }
        match(step: due, octets, &air)
        guard let confirmation = response(step, part: 0) else { return }
        reply(confirmation, step, part: 0, &air)
    }

    /// Whether both PDUs are responses to a discovery. The recorded one may list fewer attributes.
    private func isSameDiscovery(_ step: HostStep, _ octets: [UInt8]) -> Bool {
        guard let expected = step.octets, let first = octets.first else { return false }
        return ATTOpcode(rawValue: first).isDiscovery && octets.starts(with: expected)
    }

    // MARK: Callbacks

    /// Adds the callbacks for a central's write; they are optional if it was refused.
    mutating func expectWrites(in pdu: RecordedPDU, place: Int, _ air: inout RecordedAir) {
        guard air.judge.options.hearsServer else { return }
        let answer = script.response(to: place).map { connection.pdus[$0] }
        let isRefused = answer?.refusal != nil
        for (handle, value) in connection.writes(by: place)
        where !air.judge.options.unheard.contains(handle) {
            guard connection.database.isClientConfiguration(handle) else {
                expect(.value(handle: handle, value), &air, frame: pdu.frame, isOptional: isRefused)
                continue
            }
            let valueHandle = connection.database.valueHandle(ofConfiguration: handle)
            guard let valueHandle, !isRefused else { continue }
            let isOn = value.contains { $0 != 0 }
            guard isOn != (subscriptions[valueHandle] != nil) else { continue }
            subscriptions[valueHandle] = isOn ? .active : nil
            // A bond keeps subscriptions between links, and a kept subscription is not reported again.
            let isKept = connection.encryption != nil
            expect(.configured(handle: valueHandle, nil), &air, frame: pdu.frame, isOptional: isKept)
        }
    }
}

extension RecordedConnection {
    /// Returns the handles and values that the PDU at this index writes; prepared parts are joined.
    func writes(by place: Int) -> [(handle: UInt16, value: [UInt8])] {
        if let one = LivePeer.write(pdus[place].octets) { return [one] }
        guard let execute = pdus[place].att(ATTExecuteWriteRequest.self), execute.flags == 1 else {
            return []
        }
        var parts: [ATTPrepareWriteRequest] = []
        for pdu in pdus[..<place] where pdu.side == pdus[place].side {
            if pdu.opcode == .executeWriteRequest { parts = [] }
            if let part = pdu.att(ATTPrepareWriteRequest.self) { parts.append(part) }
        }
        return parts.map { ($0.handle, Int($0.offset), $0.value) }.joinedValues
    }
}

extension [(handle: UInt16, offset: Int, value: [UInt8])] {
    /// The complete values of the parts, in order.
    var joinedValues: [(handle: UInt16, value: [UInt8])] {
        var whole: [(handle: UInt16, value: [UInt8])] = []
        for part in self {
            if let last = whole.last, last.handle == part.handle, part.offset <= last.value.count,
                part.offset > 0
            {
                whole[whole.count - 1].value = last.value.prefix(part.offset) + part.value
            } else {
                whole.append((part.handle, part.value))
            }
        }
        return whole
    }
}
