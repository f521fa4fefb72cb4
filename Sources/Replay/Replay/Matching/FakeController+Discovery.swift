import BluetoothCore

// Discovery, answered from the database in any order, and the MTU exchange.

extension FakeController {
    /// Returns the peer's recorded latency for the same request, else the typical latency.
    private func latency(_ octets: [UInt8], link index: Int) -> Duration {
        links[index].script.latencies[octets] ?? links[index].script.typicalLatency
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
        links[index].mtu = max(23, min(request.clientMTU, server))
        reply(
            ATTExchangeMTUResponse(serverMTU: server), after: latency(octets, link: index),
            frame: 0, link: index)
    }

    /// Counts a request that is not in the log, and returns the attributes in its range. Nil if the range is
    /// invalid: the request was refused.
    private mutating func range(
        of request: some ATTRangeRequest, _ octets: [UInt8], link index: Int
    ) -> ArraySlice<PeerDatabase.Attribute>? {
        if links[index].script.latencies[octets] == nil { normalizations.note(.discovery) }
        if let handles = request.handles { return links[index].connection.database.attributes(in: handles) }
        refuse(request, .invalidHandle, octets, link: index)
        return nil
    }

    private mutating func refuse(
        _ request: some ATTRangeRequest, _ error: ATTErrorCode, _ octets: [UInt8], link index: Int
    ) {
        let latency = latency(octets, link: index)
        refuse(request.opcode, of: request.startingHandle, error, latency, link: index)
    }

    /// Sends what a search found, or that it found nothing.
    private mutating func give(
        _ response: (any ATTPDU)?, _ request: some ATTRangeRequest, _ octets: [UInt8], link index: Int
    ) {
        guard let response else { return refuse(request, .attributeNotFound, octets, link: index) }
        reply(response, after: latency(octets, link: index), frame: 0, link: index)
    }

    mutating func answer(_ request: ATTReadByGroupTypeRequest, _ octets: [UInt8], link index: Int) {
        guard let all = range(of: request, octets, link: index) else { return }
        guard request.type == .primaryService || request.type == .secondaryService else {
            return refuse(request, .unsupportedGroupType, octets, link: index)
        }
        let groups = all.lazy.filter { $0.type == request.type }.compactMap { one in
            one.declaration.map {
                ATTGroupValue(handle: one.handle, groupEndHandle: one.groupEnd, value: $0)
            }
        }
        let response = ATTReadByGroupTypeResponse(listing: groups, mtu: Int(links[index].mtu))
        give(response, request, octets, link: index)
    }

    mutating func answer(_ request: ATTFindByTypeValueRequest, _ octets: [UInt8], link index: Int) {
        guard let all = range(of: request, octets, link: index) else { return }
        let database = links[index].connection.database
        let found = all.filter { $0.type == request.type && database.value(of: $0.handle) == request.value }
            .map { ATTHandleRange(handle: $0.handle, groupEndHandle: $0.groupEnd) }
        let response = ATTFindByTypeValueResponse(listing: found, mtu: Int(links[index].mtu))
        give(response, request, octets, link: index)
    }

    mutating func answer(_ request: ATTFindInformationRequest, _ octets: [UInt8], link index: Int) {
        guard let all = range(of: request, octets, link: index) else { return }
        let found = all.map { ATTHandleType(handle: $0.handle, type: $0.type) }
        let response = ATTFindInformationResponse(listing: found, mtu: Int(links[index].mtu))
        give(response, request, octets, link: index)
    }

    /// Answers a Read By Type Request for declarations, or for values that operating systems read by type.
    mutating func answer(_ request: ATTReadByTypeRequest, _ octets: [UInt8], link index: Int) {
        guard let all = range(of: request, octets, link: index) else { return }
        let database = links[index].connection.database
        let mtu = Int(links[index].mtu)
        let found = all.lazy.filter { $0.type == request.type }.compactMap { one in
            database.value(of: one.handle).map {
                ATTHandleValue(handle: one.handle, value: Array($0.prefix(min(mtu - 4, 253))))
            }
        }
        give(ATTReadByTypeResponse(listing: found, mtu: mtu), request, octets, link: index)
    }
}
