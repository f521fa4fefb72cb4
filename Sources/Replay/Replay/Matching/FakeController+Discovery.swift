import BluetoothCore
import Runtime

// Discovery, answered from the database in any order, and the MTU exchange.

extension FakeController {
    /// Returns the peer's recorded latency for the same request, else the typical latency.
    private func latency(_ octets: [UInt8], link index: Int) -> Duration {
        links[index].script.latencies[octets] ?? links[index].script.typicalLatency
    }

    /// Counts a discovery request that is not in the log.
    private mutating func noteDiscovery(_ octets: [UInt8], link index: Int) {
        if links[index].script.latencies[octets] == nil { normalizations.note(.discovery) }
    }

    mutating func answer(_ request: ATTExchangeMTURequest, _ octets: [UInt8], link index: Int) {
        let connection = links[index].connection
        let server: UInt16
        if let mtu = connection.mtu, mtu.offered == request.clientMTU {
            server = mtu.server
        } else {
            normalizations.note(.mtu)
            server = connection.negotiatedMTU
        }
        links[index].offeredMTU = request.clientMTU
        links[index].mtu = max(23, min(request.clientMTU, server))
        reply(
            ATTExchangeMTUResponse(serverMTU: server), after: latency(octets, link: index),
            frame: 0, link: index)
    }

    /// Returns the attributes in a request's range. Nil if the range is invalid: the request was refused.
    private mutating func range(
        _ first: UInt16, _ last: UInt16, _ opcode: ATTOpcode, _ octets: [UInt8], link index: Int
    ) -> ArraySlice<PeerDatabase.Attribute>? {
        noteDiscovery(octets, link: index)
        guard first > 0, first <= last else {
            refuse(opcode, first, .invalidHandle, latency(octets, link: index), link: index)
            return nil
        }
        return links[index].connection.database.attributes(in: first...last)
    }

    private mutating func notFound(
        _ opcode: ATTOpcode, _ handle: UInt16, _ octets: [UInt8], link index: Int
    ) {
        refuse(opcode, handle, .attributeNotFound, latency(octets, link: index), link: index)
    }

    mutating func answer(_ request: ATTReadByGroupTypeRequest, _ octets: [UInt8], link index: Int) {
        let opcode = ATTOpcode.readByGroupTypeRequest
        guard let all = range(request.startingHandle, request.endingHandle, opcode, octets, link: index)
        else {
            return
        }
        guard request.type == .primaryService || request.type == .secondaryService else {
            return refuse(
                opcode, request.startingHandle, .unsupportedGroupType, latency(octets, link: index),
                link: index)
        }
        let room = Int(links[index].mtu) - 2
        var groups: [ATTGroupValue] = []
        for attribute in all where attribute.type == request.type {
            guard let value = attribute.declaration else { continue }
            if let first = groups.first {
                guard value.count == first.value.count, (groups.count + 1) * (value.count + 4) <= room else {
                    break
                }
            }
            groups.append(
                ATTGroupValue(handle: attribute.handle, groupEndHandle: attribute.groupEnd, value: value))
        }
        guard let first = groups.first else {
            return notFound(opcode, request.startingHandle, octets, link: index)
        }
        reply(
            ATTReadByGroupTypeResponse(
                length: UInt8(clamping: first.value.count + 4),
                attributes: ATTGroupValue.octets(of: groups)), after: latency(octets, link: index), frame: 0,
            link: index)
    }

    mutating func answer(_ request: ATTFindByTypeValueRequest, _ octets: [UInt8], link index: Int) {
        let opcode = ATTOpcode.findByTypeValueRequest
        guard let all = range(request.startingHandle, request.endingHandle, opcode, octets, link: index)
        else {
            return
        }
        let database = links[index].connection.database
        let found = all.filter { $0.type == request.type && database.value(of: $0.handle) == request.value }
            .prefix((Int(links[index].mtu) - 1) / 4)
            .map { ATTHandleRange(handle: $0.handle, groupEndHandle: $0.groupEnd) }
        guard !found.isEmpty else { return notFound(opcode, request.startingHandle, octets, link: index) }
        reply(
            ATTFindByTypeValueResponse(handles: ATTHandleRange.octets(of: Array(found))),
            after: latency(octets, link: index), frame: 0, link: index)
    }

    mutating func answer(_ request: ATTFindInformationRequest, _ octets: [UInt8], link index: Int) {
        let opcode = ATTOpcode.findInformationRequest
        guard let all = range(request.startingHandle, request.endingHandle, opcode, octets, link: index)
        else {
            return
        }
        guard let first = all.first else {
            return notFound(opcode, request.startingHandle, octets, link: index)
        }
        let isShort = first.type.shortestWidth == 2
        let pairs = all.prefix { ($0.type.shortestWidth == 2) == isShort }
            .prefix((Int(links[index].mtu) - 2) / (isShort ? 4 : 18))
            .map { ATTHandleType(handle: $0.handle, type: $0.type) }
        reply(
            ATTFindInformationResponse(
                format: isShort ? 1 : 2, information: ATTHandleType.octets(of: Array(pairs))),
            after: latency(octets, link: index), frame: 0, link: index)
    }

    /// Answers a Read By Type Request for declarations, or for values that operating systems read by type.
    mutating func answer(_ request: ATTReadByTypeRequest, _ octets: [UInt8], link index: Int) {
        let opcode = ATTOpcode.readByTypeRequest
        guard let all = range(request.startingHandle, request.endingHandle, opcode, octets, link: index)
        else {
            return
        }
        let database = links[index].connection.database
        let room = Int(links[index].mtu) - 2
        var found: [ATTHandleValue] = []
        for attribute in all where attribute.type == request.type {
            guard let value = database.value(of: attribute.handle)?.prefix(min(room - 2, 253)) else {
                continue
            }
            if let first = found.first {
                guard value.count == first.value.count, (found.count + 1) * (value.count + 2) <= room else {
                    break
                }
            }
            found.append(ATTHandleValue(handle: attribute.handle, value: Array(value)))
        }
        guard let first = found.first else {
            return notFound(opcode, request.startingHandle, octets, link: index)
        }
        reply(
            ATTReadByTypeResponse(
                length: UInt8(clamping: first.value.count + 2),
                attributes: ATTHandleValue.octets(of: found)), after: latency(octets, link: index), frame: 0,
            link: index)
    }
}

// The server of a peripheral host: its PDUs, compared with the recorded ones, and its application's
// callbacks, compared with the central's writes.

extension FakeController {
    /// Compares a response, or a value, of the server with the next recorded one of that kind, byte for byte.
    mutating func matchOwn(_ octets: [UInt8], isResponse: Bool, link index: Int) {
        let link = links[index]
        let due = link.first(in: .server) { $0.isResponse == isResponse }
        guard let due else { return diverge(.unexpected, octets, .attribute, link: index) }
        let step = link.script.steps[due]
        // A value may come after the response to an earlier request. A response may not come after a later
        // value.
        let isInOrder = isResponse || link.first(in: .server) == due
        guard isInOrder, same(step, octets, link: index) || isSameDiscovery(step, octets) else {
            let first = isInOrder ? due : link.first(in: .server) ?? due
            return diverge(.different, octets, .attribute, link: index, due: link.script.steps[first])
        }
        if step.octets != octets, isSameDiscovery(step, octets) { normalizations.note(.discovery) }
        if link.first(in: .server) != due { normalizations.note(.answerBeforeValue) }
        seen(due, octets, link: index)
        guard let confirmation = link.response(step, 0) else { return }
        reply(confirmation, step, 0, link: index)
    }

    /// Whether both PDUs are responses to a discovery. The recorded one may list fewer attributes.
    private func isSameDiscovery(_ step: HostStep, _ octets: [UInt8]) -> Bool {
        guard let expected = step.octets, let first = octets.first else { return false }
        return ATTOpcode(rawValue: first).isDiscovery && octets.starts(with: expected)
    }

    // MARK: Callbacks

    /// Adds the callbacks for a central's write; they are optional if it was refused.
    mutating func expectWrites(in pdu: RecordedPDU, place: Int, link index: Int) {
        guard options.hearsServer else { return }
        let connection = links[index].connection
        let answer = links[index].script.response(to: place).map { connection.pdus[$0] }
        let isRefused = answer?.refusal != nil
        for (handle, value) in connection.writes(by: place) where !options.unheard.contains(handle) {
            guard connection.database.isClientConfiguration(handle) else {
                expect(.value(handle: handle, value), frame: pdu.frame, link: index, isOptional: isRefused)
                continue
            }
            guard let of = connection.database.value(ofConfiguration: handle), !isRefused else { continue }
            let isOn = value.contains { $0 != 0 }
            guard isOn != (links[index].wanted[of] != nil) else { continue }
            links[index].wanted[of] = isOn ? .wanted : nil
            // A bond keeps subscriptions between links, and a kept subscription is not reported again.
            let isKept = connection.encryption != nil
            expect(.configured(handle: of, nil), frame: pdu.frame, link: index, isOptional: isKept)
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
