import BluetoothCore
import Runtime
import SimulatedDevices
import UQDK

// A digital-key manager finds a car by its advertisement and reads the car's information. If the log lacks
// them, since another phone worked differently, they are made up.

extension SessionModel {
    /// Adds the advertisement and the information value of a connection's car, unless the log has them.
    mutating func addHabits(of place: Int, _ dialect: Dialect) {
        let connection = connections[place]
        addAdvertisement(of: connection, dialect)
        guard let uuid = dialect.gatt.info,
            let info = connection.database.attributes.first(where: { $0.type == uuid }),
            connection.database.value(of: info.handle) == nil
        else { return }
        connections[place].database.setValue(
            dialect.infoValue(vehicleID: [UInt8](repeating: 0, count: 8)), of: info.handle)
        assumptions.append(
            Obstacle(.missingValue, frame: connection.frame, connection: connection.number))
    }

    /// Adds an advertisement by which a manager finds the connection's device, unless the log has one.
    private mutating func addAdvertisement(of connection: RecordedConnection, _ dialect: Dialect) {
        let isHeard = advertising.reports.contains { report in
            report.address == connection.peer
                && dialect.names(connection.peer, in: advertising.data(of: report))
        }
        guard !isHeard else { return }
        assumptions.append(
            Obstacle(.missingAdvertisement, frame: connection.frame, connection: connection.number))
        let start = advertising.octets.count
        advertising.octets += CarPeer.advertisement(of: connection.peer, dialect)
        let data = start..<advertising.octets.count
        var isThere = false
        // The application gets whichever advertisement comes first, so all of them carry the car's data.
        for index in advertising.reports.indices where advertising.reports[index].address == connection.peer {
            advertising.reports[index].data = data
            isThere = true
        }
        guard !isThere else { return }
        let begin = (connection.asked ?? connection.completed).advanced(by: .milliseconds(-200))
        let window = advertising.windows.lastIndex { $0.start <= begin }
        if window == nil {
            advertising.windows.insert(.init(start: begin, end: begin, startIsKnown: false), at: 0)
        }
        let time = window.map { advertising.windows[$0].start } ?? begin
        advertising.reports.insert(
            .init(
                frame: 0, time: time, address: connection.peer, kind: 0, data: data, rssi: -60,
                wasExtended: false), at: advertising.firstReport(notBefore: time))
    }
}

extension Dialect {
    /// Whether advertising data contain a car's address in the form that a manager looks for.
    fileprivate func names(_ address: DeviceAddress, in data: ArraySlice<UInt8>) -> Bool {
        var rest = data
        while let length = rest.first, length > 0, rest.count > length {
            let structure = rest.dropFirst().prefix(Int(length))
            rest = rest.dropFirst(1 + Int(length))
            let value = Array(structure.dropFirst())
            switch structure.first {
            case 0xFF where value.count >= 2:
                let company = UInt16(value[0]) | UInt16(value[1]) << 8
                guard company == advertising.companyID,
                    CarAdvertisement(Array(value[2...]), self)?.address.value == address.value
                else { continue }
                return true
            case 0x08, 0x09:
                let name = String(decoding: value, as: UTF8.self)
                if CarAdvertisement.address(fromName: name, self)?.value == address.value { return true }
            default: break
            }
        }
        return false
    }
}
