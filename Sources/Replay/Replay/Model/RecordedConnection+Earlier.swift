import BluetoothCore

extension RecordedConnection {
    /// Handles of Client Characteristic Configurations that were written before a log which begins in
    /// mid-connection.
    ///
    /// Their characteristics send values before the log shows a subscription.
    var earlierSubscriptions: [UInt16] {
        guard wasOpenAtStart else { return [] }
        var found: [UInt16] = []
        var settled: Set<UInt16> = []
        for pdu in pdus where pdu.channel == .attribute {
            if pdu.side == .host, let handle = pdu.writtenHandle {
                settled.insert(handle)
                continue
            }
            guard pdu.side == .peer else { continue }
            for (handle, _) in pdu.sentValues {
                guard let one = database.configuration(ofValue: handle), settled.insert(one).inserted else {
                    continue
                }
                found.append(one)
            }
        }
        return found
    }
}

extension RecordedPDU {
    /// The handle that the PDU writes to; nil if it isn't a write.
    fileprivate var writtenHandle: UInt16? {
        guard [.writeRequest, .writeCommand, .prepareWriteRequest].contains(opcode), octets.count >= 3 else {
            return nil
        }
        return UInt16(octets[1]) | UInt16(octets[2]) << 8
    }
}

extension PeerDatabase {
    /// Returns the Client Characteristic Configuration of the characteristic with this value; nil if none is
    /// known.
    func configuration(ofValue handle: UInt16) -> UInt16? {
        guard handle < 0xFFFF else { return nil }
        for one in attributes(in: (handle + 1)...0xFFFF) {
            if one.declaration != nil { return nil }
            if one.type == .clientCharacteristicConfiguration { return one.handle }
        }
        return nil
    }
}
