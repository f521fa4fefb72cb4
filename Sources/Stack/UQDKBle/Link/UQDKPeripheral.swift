import BluetoothCore
import CoreBluetooth
import Foundation
import UQDK

/// A scanned device with its latest advertisement and signal strength.
final class UQDKPeripheral {
    let peripheral: CBPeripheral
    private(set) var advertisement: [String: Any]
    /// In dBm; 127 if not available.
    private(set) var rssi: Int

    init(_ peripheral: CBPeripheral, _ advertisement: [String: Any], rssi: Int) {
        self.peripheral = peripheral
        self.advertisement = advertisement
        self.rssi = rssi
    }

    /// Updates the advertisement and signal strength.
    func didReceive(_ advertisement: [String: Any], rssi: Int) {
        self.advertisement = advertisement
        self.rssi = rssi
    }

    /// Whether it is the car with this MAC address: by its manufacturer specific data, or without any, by a
    /// name that is a MAC address.
    func matches(_ mac: DeviceAddress, _ dialect: Dialect) -> Bool {
        if let data = advertisement[CBAdvertisementDataManufacturerDataKey] as? Data {
            return Self.address(inManufacturerData: Array(data), dialect)?.value == mac.value
        }
        let name = advertisement[CBAdvertisementDataLocalNameKey] as? String
        return Self.spells(mac, name, dialect)
    }

    /// Whether a name is the MAC address.
    static func spells(_ mac: DeviceAddress, _ name: String?, _ dialect: Dialect) -> Bool {
        name.flatMap { CarAdvertisement.address(fromName: $0, dialect) }?.value == mac.value
    }

    // The company identifier is the only part whose byte order the Core Specification defines.
    private static func address(inManufacturerData data: [UInt8], _ dialect: Dialect) -> DeviceAddress? {
        guard data.count >= 2, UInt16(data[0]) | UInt16(data[1]) << 8 == dialect.advertising.companyID else {
            return nil
        }
        return CarAdvertisement(Array(data[2...]), dialect)?.address
    }
}

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
