import BluetoothCore
import UQDK

struct CarAdvertising: Hashable, Sendable {
    var data: [UInt8]
    var scanResponse: [UInt8]

    /// Puts flags and either the address as the name, or manufacturer specific data and the name, into the
    /// data. The scan response has the service, and the name if only there is room.
    init(_ configuration: CarConfiguration, address: DeviceAddress, flags: Set<String>) {
        let format = configuration.dialect.advertising
        var advertisement = ADBuilder()
        var response = ADBuilder()
        _ = advertisement.append([.generalDiscoverable, .classicNotSupported])
        _ = response.append(services: [configuration.dialect.gatt.service])
        if configuration.showsAddressAsName {
            _ = advertisement.append(name: address.description)
        } else {
            let payload = format.encode(address: address, flags: flags)
            _ = advertisement.append(company: format.companyID, payload)
            if let name = configuration.name {
                if name.utf8.count <= advertisement.room {
                    _ = advertisement.append(name: name)
                } else {
                    _ = response.append(name: name)
                }
            }
        }
        data = advertisement.octets
        scanResponse = response.octets
    }
}
