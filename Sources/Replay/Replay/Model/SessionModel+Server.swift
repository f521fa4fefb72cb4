import BluetoothCore
import LEHost

// The server of a peripheral host, which all of its connections share.

extension SessionModel {
    /// The attributes of the host's own server; nil if the host is the peripheral on no playable connection.
    var ownDatabase: PeerDatabase? {
        connections.first { !$0.isCentral && FakeController.isPlayable($0) }?.database
    }

    /// The handles of the host's own server.
    var ownLayout: GATTLayout? {
        ownDatabase.map { database in
            GATTLayout(
                services: database.attributes.compactMap { declaration in
                    guard let uuid = declaration.declaredService, declaration.groupEnd >= declaration.handle
                    else { return nil }
                    let attributes = database.attributes(in: declaration.handle...declaration.groupEnd)
                    let long = attributes.filter { one in
                        one.declaration.map { GATTDatabase.longForm($0, of: one.type) == $0 } ?? false
                    }
                    return GATTLayout.Service(
                        uuid: uuid,
                        attributes: attributes.map { GATTDescriptor(uuid: $0.type, handle: $0.handle) },
                        endHandle: declaration.groupEnd, longForms: Set(long.map(\.handle)))
                })
        }
    }

    /// Leaves out the connections on which the host is the peripheral, with an obstacle for each.
    mutating func leaveOutPeripherals() {
        for place in connections.indices
        where !connections[place].isCentral && FakeController.isPlayable(connections[place]) {
            connections[place].isLeftOut = true
            obstacles.note(
                .peripheralRole, frame: connections[place].frame, connection: connections[place].number)
        }
    }
}

extension RecordedConnection {
    /// Subscriptions that the central made on an earlier link.
    ///
    /// The log has values for them, although the central subscribes later or never on this link.
    var keptSubscriptions: [ClientRecord.Subscription] {
        var asked: Set<UInt16> = []
        var kept: [ClientRecord.Subscription] = []
        for (place, pdu) in pdus.enumerated() where pdu.channel == .attribute {
            if pdu.side == .peer {
                asked.formUnion(writes(by: place).map(\.handle))
                continue
            }
            for (handle, _) in pdu.sentValues {
                guard let value = database[handle], let configuration = database.configuration(of: handle),
                    asked.insert(configuration).inserted
                else { continue }
                kept.append(
                    ClientRecord.Subscription(
                        handle: configuration, uuid: value.type,
                        configuration: pdu.opcode == .handleValueIndication ? .indication : .notification))
            }
        }
        return kept
    }

    /// The writes of configurations that the server refused for lack of security, with the error responses.
    var guardedConfigurations: [(request: Int, response: Int)] {
        pdus.enumerated().compactMap { place, pdu in
            guard pdu.side == .host, let refusal = pdu.refusal, refusal.asksForSecurity,
                let asked = pdu.answers, let write = pdus[asked].att(ATTWriteRequest.self),
                database.isClientConfiguration(write.handle)
            else { return nil }
            return (asked, place)
        }
    }
}

extension PeerDatabase {
    /// Returns the handle of a value's Client Characteristic Configuration descriptor, if it has one.
    fileprivate func configuration(of value: UInt16) -> UInt16? {
        attributes.drop { $0.handle <= value }
            .prefix { $0.type != .characteristicDeclaration && $0.declaredService == nil }
            .first { $0.type == .clientCharacteristicConfiguration }?.handle
    }
}
