import BluetoothCore
import CoreBluetooth
import Foundation

/// The MAC address that a gadget advertises, because a phone's API never shows it.
///
/// It is in the manufacturer specific data after the company identifier, most significant byte first, or else
/// in the name.
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
