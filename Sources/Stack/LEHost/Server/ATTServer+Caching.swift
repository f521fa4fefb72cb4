import BluetoothCore
import Runtime
import WireBytes

// The record of the server's client, and clients that assume an earlier database.
//
// Source: Core Specification, Vol 3, Part G, 2.5.2 and 7.1 to 7.3.

extension ATTServer {
    /// Maximum length of Client Supported Features in bytes; one byte is defined.
    static let featuresLimit = 8

    /// Whether the client may assume an earlier database, and has asked to be informed of changes.
    var isUnaware: Bool {
        record.isRobust && !databaseHash.isEmpty && record.databaseHash != databaseHash
    }

    /// Adopts the database that the host serves from now on; a client that knew no earlier one knows it.
    mutating func serve(
        _ database: GATTDatabase, _ hash: [UInt8], changed: ClosedRange<UInt16>?, at now: Instant
    ) -> [Output] {
        databaseHash = hash
        isTold = false
        if record.databaseHash.isEmpty { record.databaseHash = hash }
        subscribe(database)
        if let changed, record.databaseHash != hash { indicateChange(of: changed, database, at: now) }
        return taken()
    }

    /// Restores the client's record from earlier links; what the client set on this link takes precedence.
    mutating func recall(_ kept: ClientRecord, _ database: GATTDatabase, at now: Instant) -> [Output] {
        let said = record
        record = kept
        for subscription in said.subscriptions { record.set(subscription) }
        if !said.features.isEmpty { record.features = said.features }
        if record.databaseHash.isEmpty { record.databaseHash = databaseHash }
        isTold = false
        subscribe(database)
        if record.databaseHash != databaseHash { indicateChange(of: 1...0xFFFF, database, at: now) }
        return taken()
    }

    /// Restores the client's subscriptions to characteristics that the database still has.
    private mutating func subscribe(_ database: GATTDatabase) {
        var found: [UInt16: GATTClientConfiguration] = [:]
        for one in record.subscriptions {
            guard database[one.handle]?.value == .clientConfiguration,
                let value = database.valueHandle(ofConfiguration: one.handle),
                database[value]?.type == one.uuid
            else { continue }
            found[one.handle] = one.configuration
            guard configurations[one.handle] != one.configuration else { continue }
            outputs.append(.subscribed(valueHandle: value, one.configuration))
        }
        configurations = found
    }

    private mutating func indicateChange(
        of range: ClosedRange<UInt16>, _ database: GATTDatabase, at now: Instant
    ) {
        guard let handle = database.attributes.first(where: { $0.type == .serviceChanged })?.handle,
            let configuration = database.configurationHandle(ofValue: handle),
            self.configuration(configuration).contains(.indication)
        else { return }
        let ends = [range.lowerBound, range.upperBound]
        queue(handle, ends.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }, at: now)
    }

    /// Records that the client knows the current database.
    mutating func becomeAware() {
        record.databaseHash = databaseHash
        isTold = false
    }

    /// Whether a PDU is rejected because its sender may assume other attributes at its handles.
    ///
    /// Commands are ignored; requests are refused once.
    mutating func isOutOfSync(_ opcode: ATTOpcode, _ octets: [UInt8], _ pdu: (any ATTPDU)?) -> Bool {
        guard isUnaware, opcode.kind == .request || opcode.isCommand else { return false }
        if opcode.isCommand { return true }
        if isTold {
            becomeAware()
            return false
        }
        switch pdu {
        case is ATTExchangeMTURequest, is ATTFindInformationRequest, is ATTFindByTypeValueRequest,
            is ATTReadByGroupTypeRequest:
            return false
        case let read as ATTReadByTypeRequest where read.type == .databaseHash: return false
        default:
            isTold = true
            refuse(opcode, of: firstHandle(opcode, octets), .databaseOutOfSync)
            return true
        }
    }

    /// Returns the first handle in a request; 0 if there is no handle.
    func firstHandle(_ opcode: ATTOpcode, _ octets: [UInt8]) -> UInt16 {
        let hasNone: [ATTOpcode] = [.exchangeMTURequest, .executeWriteRequest]
        guard opcode.kind == .request, !hasNone.contains(opcode) else { return 0 }
        return octets.borrowedOctets.u16le(at: 1) ?? 0
    }

    /// Sets Client Supported Features; a bit that is set must stay set.
    mutating func setFeatures(_ value: [UInt8]) -> ATTErrorCode? {
        guard (1...Self.featuresLimit).contains(value.count) else { return .invalidAttributeValueLength }
        for (index, old) in record.features.enumerated() {
            guard index < value.count ? old & ~value[index] == 0 : old == 0 else { return .valueNotAllowed }
        }
        record.features = value
        return nil
    }

    /// The error for attributes that require encryption; nil if the link is secure enough.
    ///
    /// Source: Core Specification, Vol 3, Part C, 10.3.1.
    var securityError: ATTErrorCode? {
        guard security.isEncrypted else {
            return hasKey ? .insufficientEncryption : .insufficientAuthentication
        }
        return security.keySize < minimumKeySize ? .encryptionKeySizeTooShort : nil
    }
}
