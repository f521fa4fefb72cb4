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
