import BluetoothCore

// Requests to find or read attributes.

extension ATTServer {
    /// Returns the attributes in the range of a request. If the range is invalid, refuses the request and
    /// returns nil.
    private mutating func range(
        of request: some ATTRangeRequest, _ database: GATTDatabase
    ) -> ArraySlice<ATTAttribute>? {
        if let handles = request.handles { return database.attributes(in: handles) }
        refuse(request, .invalidHandle)
        return nil
    }

    private mutating func refuse(_ request: some ATTRangeRequest, _ error: ATTErrorCode) {
        refuse(request.opcode, of: request.startingHandle, error)
    }

    mutating func find(_ request: ATTFindInformationRequest, _ database: GATTDatabase, mtu: Int) {
        guard let range = range(of: request, database) else { return }
        let found = range.map { ATTHandleType(handle: $0.handle, type: $0.type) }
        give(ATTFindInformationResponse(listing: found, mtu: mtu), request)
    }

    /// Sends what a search found, or that it found nothing.
    private mutating func give(_ response: (any ATTPDU)?, _ request: some ATTRangeRequest) {
        if let response { send(response) } else { refuse(request, .attributeNotFound) }
    }

    mutating func find(
        _ request: ATTFindByTypeValueRequest, _ database: GATTDatabase, mtu: Int
    ) {
        guard let range = range(of: request, database) else { return }
        let found = range.filter { $0.type == request.type && $0.value == .fixed(request.value) }
            .map { ATTHandleRange(handle: $0.handle, groupEndHandle: $0.groupEndHandle) }
        give(ATTFindByTypeValueResponse(listing: found, mtu: mtu), request)
    }

    mutating func read(_ request: ATTReadByGroupTypeRequest, _ database: GATTDatabase, mtu: Int) {
        guard let range = range(of: request, database) else { return }
        guard request.type == .primaryService || request.type == .secondaryService else {
            return refuse(request, .unsupportedGroupType)
        }
        let groups = range.lazy.filter { $0.type == request.type }.compactMap { one -> ATTGroupValue? in
            guard case .fixed(let value) = one.value else { return nil }
            return ATTGroupValue(handle: one.handle, groupEndHandle: one.groupEndHandle, value: value)
        }
        give(ATTReadByGroupTypeResponse(listing: groups, mtu: mtu), request)
    }

    mutating func read(_ request: ATTReadByTypeRequest, _ database: GATTDatabase, mtu: Int) {
        guard let range = range(of: request, database) else { return }
        let longest = min(mtu - 4, 253)
        var found: [ATTHandleValue] = []
        for attribute in range where attribute.type == request.type {
            if let error = readError(attribute) {
                // Only the first attribute can make the request fail; later ones end the list.
                guard found.isEmpty else { break }
                return refuse(request.opcode, of: attribute.handle, error)
            }
            guard let value = held(attribute) else {
                guard found.isEmpty else { break }
                let id = wait(for: .readOne(opcode: request.opcode, handle: attribute.handle))
                return outputs.append(.read(id, handle: attribute.handle, offset: 0))
            }
            // A client that has read the hash knows the database as of its next request.
            if attribute.value == .databaseHash, isUnaware { isTold = true }
            let cut = Array(value.prefix(longest))
            if let first = found.first {
                guard cut.count == first.value.count, (found.count + 1) * (cut.count + 2) <= mtu - 2 else {
                    break
                }
            }
            found.append(ATTHandleValue(handle: attribute.handle, value: cut))
        }
        guard !found.isEmpty else { return refuse(request, .attributeNotFound) }
        sendAttributes(found)
    }

    mutating func sendAttributes(_ attributes: [ATTHandleValue]) {
        send(
            ATTReadByTypeResponse(
                length: UInt8(clamping: (attributes.first?.value.count ?? 0) + 2),
                attributes: ATTHandleValue.octets(of: attributes)))
    }

    mutating func read(
        _ opcode: ATTOpcode, of handle: UInt16, from offset: Int, _ database: GATTDatabase, mtu: Int
    ) {
        guard let attribute = database[handle] else { return refuse(opcode, of: handle, .invalidHandle) }
        if let error = readError(attribute) { return refuse(opcode, of: handle, error) }
        guard let value = held(attribute) else {
            let id = wait(for: .read(opcode, handle: handle))
            return outputs.append(.read(id, handle: handle, offset: offset))
        }
        guard offset <= value.count else { return refuse(opcode, of: handle, .invalidOffset) }
        sendValue(opcode, Array(value.dropFirst(offset)), mtu: mtu)
    }

    mutating func sendValue(_ opcode: ATTOpcode, _ value: [UInt8], mtu: Int) {
        let cut = Array(value.prefix(mtu - 1))
        if opcode == .readBlobRequest {
            send(ATTReadBlobResponse(value: cut))
        } else {
            send(ATTReadResponse(value: cut))
        }
    }

    mutating func readSeveral(
        _ opcode: ATTOpcode, _ handles: [UInt8], _ database: GATTDatabase, mtu: Int
    ) {
        let all = (try? ATTHandle.elements(of: handles, width: 2).map(\.handle)) ?? []
        guard all.count >= 2 else { return refuse(opcode, of: 0, .invalidPDU) }
        for handle in all {
            guard let attribute = database[handle] else { return refuse(opcode, of: handle, .invalidHandle) }
            if let error = readError(attribute) { return refuse(opcode, of: handle, error) }
        }
        gather(opcode, all, [], database, mtu: mtu)
    }

    /// Continues a request for several values, for which the application is asked one by one.
    mutating func gather(
        _ opcode: ATTOpcode, _ left: [UInt16], _ done: [[UInt8]], _ database: GATTDatabase, mtu: Int
    ) {
        var left = left
        var done = done
        while let handle = left.first {
            guard let attribute = database[handle] else { return refuse(opcode, of: handle, .invalidHandle) }
            guard let value = held(attribute) else {
                let id = wait(for: .several(opcode, left: left, done: done))
                return outputs.append(.read(id, handle: handle, offset: 0))
            }
            done.append(value)
            left.removeFirst()
        }
        if opcode == .readMultipleRequest {
            let values = Array(done.joined().prefix(mtu - 1))
            return send(ATTReadMultipleResponse(values: values))
        }
        let tuples = done.map { ATTLengthValue(length: UInt16(clamping: $0.count), value: $0) }
        let octets = Array(ATTLengthValue.octets(of: tuples).prefix(mtu - 1))
        send(ATTReadMultipleVariableResponse(values: octets))
    }

    private func readError(_ attribute: ATTAttribute) -> ATTErrorCode? {
        if attribute.permissions.contains(.readEncryptionRequired) {
            return securityError
        }
        return attribute.permissions.contains(.readable) ? nil : .readNotPermitted
    }

    /// Returns the value if the server has it; nil if the application must be asked.
    private func held(_ attribute: ATTAttribute) -> [UInt8]? {
        switch attribute.value {
        case .fixed(let value): value
        case .clientConfiguration:
            GATTClientCharacteristicConfiguration(configuration: configuration(attribute.handle)).encoded
        case .clientFeatures: record.features.isEmpty ? [0] : record.features
        case .databaseHash: databaseHash
        case .dynamic: nil
        }
    }
}
