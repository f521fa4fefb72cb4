import BluetoothCore
import Foundation

/// The content of advertising data, in the form given to applications.
struct AdvertisementContents: Sendable {
    var name: String?
    var services: [BluetoothUUID] = []
    var solicited: [BluetoothUUID] = []
    private var manufacturer: Data?
    private var serviceData: [(BluetoothUUID, Data)] = []
    private var transmitPower: Int8?
    private let isConnectable: Bool

    init(_ heard: AdvertiserMemory.Heard) {
        isConnectable = heard.isConnectable
        // The scan response adds to the advertising data and does not replace it.
        for data in [heard.data, heard.scanResponse] { read(data) }
    }

    /// The content by the `CBAdvertisementData…` keys.
    var dictionary: [String: Any] {
        var result: [String: Any] = [CBAdvertisementDataIsConnectable: NSNumber(value: isConnectable)]
        if let name { result[CBAdvertisementDataLocalNameKey] = name }
        if let manufacturer { result[CBAdvertisementDataManufacturerDataKey] = manufacturer }
        if !services.isEmpty { result[CBAdvertisementDataServiceUUIDsKey] = services.map(CBUUID.init) }
        if !solicited.isEmpty {
            result[CBAdvertisementDataSolicitedServiceUUIDsKey] = solicited.map(CBUUID.init)
        }
        if let transmitPower {
            result[CBAdvertisementDataTxPowerLevelKey] = NSNumber(value: transmitPower)
        }
        if !serviceData.isEmpty {
            var dictionary: [CBUUID: Data] = [:]
            for (uuid, data) in serviceData { dictionary[CBUUID(uuid)] = data }
            result[CBAdvertisementDataServiceDataKey] = dictionary
        }
        return result
    }

    private mutating func read(_ data: [UInt8]) {
        var offset = 0
        while offset + 1 < data.count {
            let length = Int(data[offset])
            let end = offset + 1 + length
            guard length > 0, end <= data.count else { return }
            take(data[offset + 1], data[(offset + 2)..<end])
            offset = end
        }
    }

    // Source: Assigned Numbers, 2.3.
    private mutating func take(_ type: UInt8, _ body: ArraySlice<UInt8>) {
        switch type {
        case 0x02, 0x03: append(uuids(body, width: 2), to: \.services)
        case 0x04, 0x05: append(uuids(body, width: 4), to: \.services)
        case 0x06, 0x07: append(uuids(body, width: 16), to: \.services)
        case 0x08: if name == nil { name = String(decoding: body, as: UTF8.self) }
        case 0x09: name = String(decoding: body, as: UTF8.self)
        case 0x0A: transmitPower = body.first.map { Int8(bitPattern: $0) }
        case 0x14: append(uuids(body, width: 2), to: \.solicited)
        case 0x1F: append(uuids(body, width: 4), to: \.solicited)
        case 0x15: append(uuids(body, width: 16), to: \.solicited)
        case 0x16: takeServiceData(body, width: 2)
        case 0x20: takeServiceData(body, width: 4)
        case 0x21: takeServiceData(body, width: 16)
        case 0xFF: manufacturer = manufacturer ?? Data(body)
        default: break
        }
    }

    private mutating func takeServiceData(_ body: ArraySlice<UInt8>, width: Int) {
        guard let uuid = uuids(body.prefix(width), width: width).first else { return }
        serviceData.append((uuid, Data(body.dropFirst(width))))
    }

    private mutating func append(
        _ new: [BluetoothUUID], to list: WritableKeyPath<AdvertisementContents, [BluetoothUUID]>
    ) {
        for uuid in new where !self[keyPath: list].contains(uuid) { self[keyPath: list].append(uuid) }
    }

    private func word(_ octets: ArraySlice<UInt8>) -> UInt64 { octets.reduce(0) { $0 << 8 | UInt64($1) } }

    private func uuids(_ body: ArraySlice<UInt8>, width: Int) -> [BluetoothUUID] {
        stride(from: body.startIndex, to: body.endIndex - width + 1, by: width).map { start in
            let octets = Array(body[start..<(start + width)].reversed())
            if width == 16 { return BluetoothUUID(high: word(octets.prefix(8)), low: word(octets.suffix(8))) }
            return BluetoothUUID(UInt32(truncatingIfNeeded: word(octets[...])))
        }
    }
}
