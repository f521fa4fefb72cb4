import BluetoothCore
import LEHost
import Runtime

@testable import Replay

extension Recording {
    /// A capture as the devices at its other end would have recorded it: the central's side of it is the
    /// peer's, and the server is the host's.
    static func mirrored(_ name: String) throws -> SessionModel { try mirror(model(name)) }

    static func mirror(_ model: SessionModel) -> SessionModel {
        var model = model
        let reports = model.advertising.reports
        for place in model.connections.indices {
            let peer = model.connections[place].peer
            func data(_ kinds: ClosedRange<UInt8>) -> [UInt8] {
                let found = reports.last { $0.address == peer && kinds.contains($0.kind) }
                return found.map { Array(model.advertising.data(of: $0)) } ?? []
            }
            let (advertised, response) = (data(0...2), data(4...4))
            model.connections[place].mirror()
            model.connections[place].advertising = .init(
                data: advertised, scanResponse: response, intervalUnits: 160,
                frame: max(1, model.connections[place].frame - 1))
        }
        let last = model.connections.last
        for place in model.connections.indices {
            guard let database = last?.database else { break }
            // There is one server: the logs that are mirrored here have one device, or are cut to it.
            model.connections[place].database = database
        }
        model.advertising = AdvertisingTimeline()
        return model
    }
}

extension RecordedConnection {
    fileprivate mutating func mirror() {
        isCentral = false
        peer = DeviceAddress(0x02_00_00_00_00_20 + UInt64(number), .public)
        for place in pdus.indices { pdus[place].side = pdus[place].side == .host ? .peer : .host }
        if let offered = mtu { mtu = (offered.server, offered.offered) }
        if let request = end?.request {
            end = End(frame: request.frame, time: request.time, reason: .remoteUserTerminatedConnection)
        } else if let known = end {
            end?.request = .init(
                frame: known.frame, time: known.time, reason: .remoteUserTerminatedConnection)
        }
        updates = []
        guard let key = encryption else { return }
        // The central's controller asks for the key before it is given.
        let parameters = LELongTermKeyRequest {
            $0.randomNumber = key.key.rand
            $0.encryptedDiversifier = key.key.ediv
        }
        updates = [
            Update(
                frame: key.frame - 1, time: key.time, parameters: parameters.encoded,
                subevent: LELongTermKeyRequest.subeventCode,
                pdusBefore: pdus.firstIndex { $0.frame > key.frame } ?? pdus.count)
        ]
    }
}
