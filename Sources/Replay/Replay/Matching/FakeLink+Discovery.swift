import BluetoothCore

// Discovery, answered from the database in any order, and the MTU exchange.

extension FakeLink {
    /// Answers a request of discovery, a Read By Type or the MTU exchange; returns false for other PDUs.
    mutating func answersFromDatabase(
        _ pdu: any ATTPDU, _ octets: [UInt8], _ air: inout RecordedAir
    ) -> Bool {
        switch pdu {
        case let request as ATTExchangeMTURequest: answer(request, octets, &air)
        case let request as ATTReadByGroupTypeRequest: answer(request, octets, &air)
        case let request as ATTFindByTypeValueRequest: answer(request, octets, &air)
        case let request as ATTFindInformationRequest: answer(request, octets, &air)
        case let request as ATTReadByTypeRequest: answer(request, octets, &air)
        default: return false
        }
        return true
    }

    /// Returns the peer's recorded latency for the same request, else the typical latency.
    private func latency(_ octets: [UInt8]) -> Duration {
        script.latencies[octets] ?? script.typicalLatency
    }

    private mutating func answer(
        _ request: ATTExchangeMTURequest, _ octets: [UInt8], _ air: inout RecordedAir
    ) {
        let server: UInt16
        if let mtu = connection.mtu, mtu.offered == request.clientMTU {
            server = mtu.server
        } else {
            air.judge.note(.mtu)
            server = connection.negotiatedMTU
        }
        mtu = max(23, min(request.clientMTU, server))
        reply(ATTExchangeMTUResponse(serverMTU: server).pdu, after: latency(octets), &air)
    }

    /// Counts a request that is not in the log, and returns the attributes in its range. Nil if the range is
    /// invalid: the request was refused.
    private mutating func range(
        of request: some ATTRangeRequest, _ octets: [UInt8], _ air: inout RecordedAir
    ) -> ArraySlice<PeerDatabase.Attribute>? {
        if !script.hasAnswered(octets) { air.judge.note(.discovery) }
        if let handles = request.handles { return connection.database.attributes(in: handles) }
        refuse(request, .invalidHandle, octets, &air)
        return nil
    }

    private mutating func refuse(
        _ request: some ATTRangeRequest, _ error: ATTErrorCode, _ octets: [UInt8], _ air: inout RecordedAir
    ) {
        refuse(request.opcode, of: request.startingHandle, error, latency(octets), &air)
    }

    /// Sends what a search found, or that it found nothing.
    private mutating func give(
        _ response: (any ATTPDU)?, _ request: some ATTRangeRequest, _ octets: [UInt8],
        _ air: inout RecordedAir
    ) {
        guard let response else { return refuse(request, .attributeNotFound, octets, &air) }
        reply(response.pdu, after: latency(octets), &air)
    }

    private mutating func answer(
        _ request: ATTReadByGroupTypeRequest, _ octets: [UInt8], _ air: inout RecordedAir
    ) {
        guard let all = range(of: request, octets, &air) else { return }
        guard request.type == .primaryService || request.type == .secondaryService else {
            return refuse(request, .unsupportedGroupType, octets, &air)
        }
        let groups = all.lazy.filter { $0.type == request.type }.compactMap { one in
            one.declaration.map {
                ATTGroupValue(handle: one.handle, groupEndHandle: one.groupEnd, value: $0)
            }
        }
        let response = ATTReadByGroupTypeResponse(listing: groups, mtu: Int(mtu))
        give(response, request, octets, &air)
    }

    private mutating func answer(
        _ request: ATTFindByTypeValueRequest, _ octets: [UInt8], _ air: inout RecordedAir
    ) {
        guard let all = range(of: request, octets, &air) else { return }
        let database = connection.database
        let found = all.filter { $0.type == request.type && database.value(of: $0.handle) == request.value }
            .map { ATTHandleRange(handle: $0.handle, groupEndHandle: $0.groupEnd) }
        let response = ATTFindByTypeValueResponse(listing: found, mtu: Int(mtu))
        give(response, request, octets, &air)
    }

    private mutating func answer(
        _ request: ATTFindInformationRequest, _ octets: [UInt8], _ air: inout RecordedAir
    ) {
        guard let all = range(of: request, octets, &air) else { return }
        let found = all.map { ATTHandleType(handle: $0.handle, type: $0.type) }
        let response = ATTFindInformationResponse(listing: found, mtu: Int(mtu))
        give(response, request, octets, &air)
    }

    /// Answers a Read By Type Request for declarations, or for values that operating systems read by type.
    private mutating func answer(
        _ request: ATTReadByTypeRequest, _ octets: [UInt8], _ air: inout RecordedAir
    ) {
        guard let all = range(of: request, octets, &air) else { return }
        let database = connection.database
        let mtu = Int(mtu)
        let found = all.lazy.filter { $0.type == request.type }.compactMap { one in
            database.value(of: one.handle).map {
                ATTHandleValue(handle: one.handle, value: Array($0.prefix(min(mtu - 4, 253))))
            }
        }
        give(ATTReadByTypeResponse(listing: found, mtu: mtu), request, octets, &air)
    }
}
