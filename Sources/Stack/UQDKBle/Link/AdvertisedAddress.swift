import BluetoothCore
import CoreBluetooth
import Foundation

/// The MAC that a gadget advertises, because the API of a phone never shows it: in the manufacturer specific
/// data after the company identifier, most significant octet first, or else as its name.
enum AdvertisedAddress {
    static func of(_ advertisement: [String: Any]) -> DeviceAddress? {
        if let data = advertisement[CBAdvertisementDataManufacturerDataKey] as? Data {
            guard data.count == 8 else { return nil }
            return DeviceAddress(data.dropFirst(2).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        }
        let name = advertisement[CBAdvertisementDataLocalNameKey] as? String
        return name.flatMap { DeviceAddress($0) }
    }
}
